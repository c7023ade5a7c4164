// Assertions that a test can see fail.

import Rondo

/// Checks what a program takes for granted.
///
/// ```swift
/// @Dependency(\.assert) var assert
/// assert(count > 0, "There is nothing to count.")
/// ```
public protocol AssertionEffect: Sendable {
  /// Checks a condition, and says so with a message where it does not hold.
  func callAsFunction(
    _ condition: @autoclosure () -> Bool,
    _ message: @autoclosure () -> String,
    file: StaticString,
    line: UInt
  )
}

extension AssertionEffect {
  /// Checks a condition, and says so with a message where it does not hold.
  @_disfavoredOverload
  public func callAsFunction(
    _ condition: @autoclosure () -> Bool,
    _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath,
    line: UInt = #line
  ) {
    callAsFunction(condition(), message(), file: file, line: line)
  }
}

/// Says that something has happened which a program takes for impossible.
public protocol AssertionFailureEffect: Sendable {
  /// Says so with a message.
  func callAsFunction(_ message: @autoclosure () -> String, file: StaticString, line: UInt)
}

extension AssertionFailureEffect {
  /// Says so with a message.
  @_disfavoredOverload
  public func callAsFunction(
    _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath,
    line: UInt = #line
  ) {
    callAsFunction(message(), file: file, line: line)
  }
}

/// An assertion that is a closure.
public struct AnyAssertionEffect: AssertionEffect {
  private let assert:
    @Sendable (
      _ condition: @autoclosure () -> Bool,
      _ message: @autoclosure () -> String,
      _ file: StaticString,
      _ line: UInt
    ) -> Void

  /// An assertion that is a closure.
  public init(
    _ assert:
      @escaping @Sendable (
        _ condition: @autoclosure () -> Bool,
        _ message: @autoclosure () -> String,
        _ file: StaticString,
        _ line: UInt
      ) -> Void
  ) {
    self.assert = assert
  }

  public func callAsFunction(
    _ condition: @autoclosure () -> Bool,
    _ message: @autoclosure () -> String,
    file: StaticString,
    line: UInt
  ) {
    assert(condition(), message(), file, line)
  }
}

extension DependencyValues {
  /// Stops a debug build where a condition does not hold, as `assert` does; fails a test.
  public var assert: any AssertionEffect {
    get { self[AssertKey.self] }
    set { self[AssertKey.self] = newValue }
  }

  /// The same without a condition.
  public var assertionFailure: any AssertionFailureEffect { AssertionFailure(assertion: assert) }

  /// Stops the program where a condition does not hold, as `precondition` does; fails a test.
  public var precondition: any AssertionEffect {
    get { self[PreconditionKey.self] }
    set { self[PreconditionKey.self] = newValue }
  }
}

private struct AssertionFailure: AssertionFailureEffect {
  let assertion: any AssertionEffect

  func callAsFunction(_ message: @autoclosure () -> String, file: StaticString, line: UInt) {
    assertion(false, message(), file: file, line: line)
  }
}

private enum AssertKey: DependencyKey {
  static var liveValue: any AssertionEffect {
    AnyAssertionEffect { Swift.assert($0(), $1(), file: $2, line: $3) }
  }
  static var testValue: any AssertionEffect { TestAssertion() }
}

private enum PreconditionKey: DependencyKey {
  static var liveValue: any AssertionEffect {
    AnyAssertionEffect { Swift.precondition($0(), $1(), file: $2, line: $3) }
  }
  static var testValue: any AssertionEffect { TestAssertion() }
}

/// Fails the test where a condition does not hold.
private struct TestAssertion: AssertionEffect {
  func callAsFunction(
    _ condition: @autoclosure () -> Bool,
    _ message: @autoclosure () -> String,
    file: StaticString,
    line: UInt
  ) {
    guard !condition() else { return }
    let message = message()
    reportIssue(
      message.isEmpty ? "An assertion does not hold." : message,
      fileID: file, filePath: file, line: line, column: 1)
  }
}
