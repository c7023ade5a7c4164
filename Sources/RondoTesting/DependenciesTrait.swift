// Dependencies that tests are run with, said where they are declared.

import Rondo
import Testing

/// Dependencies that a test, or every test of a suite, is run with.
///
/// ```swift
/// @Suite(.dependency(\.uuid, .incrementing))
/// struct EditorTests {
///   @Test(.dependencies { $0.api.load = { Item.sample } })
///   func loading() async { … }
/// }
/// ```
///
/// They are made anew for every test. Those of a test lie over those of its suite, and what is said
/// where a `TestStore` is made lies over both.
public struct DependenciesTrait: SuiteTrait, TestTrait, TestScoping {
  private let update: @Sendable (inout DependencyValues) throws -> Void

  init(_ update: @escaping @Sendable (inout DependencyValues) throws -> Void) {
    self.update = update
  }

  public var isRecursive: Bool { true }

  /// Runs a test with the dependencies of the trait.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await DependencyValues.current.updated(update).whileInForce { try await body() }
  }
}

extension Trait where Self == DependenciesTrait {
  /// Runs tests with a dependency that has a property.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - value: The dependency, which is made for every test.
  public static func dependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value> & Sendable,
    _ value: @autoclosure @escaping @Sendable () throws -> Value
  ) -> Self {
    Self { $0[keyPath: keyPath] = try value() }
  }

  /// Runs tests with a dependency that is its own key.
  ///
  /// - Parameter value: The dependency, which is made for every test.
  public static func dependency<Value: TestDependencyKey>(
    _ value: @autoclosure @escaping @Sendable () throws -> Value
  ) -> Self where Value == Value.Value {
    Self { $0[Value.self] = try value() }
  }

  /// Runs tests with some dependencies that are others.
  ///
  /// - Parameter update: Changes the dependencies, before every test.
  public static func dependencies(
    _ update: @escaping @Sendable (inout DependencyValues) throws -> Void
  ) -> Self {
    Self(update)
  }

  /// Runs tests with dependencies of their own. Every test has them without saying so.
  public static var dependencies: Self { Self { _ in } }

  /// Runs tests with no dependency overridden, whatever a trait around says.
  public static var resetDependencies: Self { Self { $0 = DependencyValues() } }
}
