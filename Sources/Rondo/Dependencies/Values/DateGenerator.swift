// The current time, as a dependency.

import Foundation

/// Tells what time it is.
///
/// ```swift
/// @Dependency(\.date) var date
/// state.startedAt = date.now
/// ```
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// A generator that calls a closure.
  public init(_ generate: @escaping @Sendable () -> Date) {
    self.generate = generate
  }

  /// Makes a generator that always gives the same time.
  public static func constant(_ now: Date) -> Self {
    Self { now }
  }

  /// The time. After it is set, it stays the same.
  public var now: Date {
    get { self() }
    set { generate = { newValue } }
  }

  /// The time.
  public func callAsFunction() -> Date {
    let date = generate()
    DrawnValue.date(date).tell()
    return date
  }
}

extension DependencyValues {
  /// The generator of the current time. In a test store it gives the store's time; in other tests
  /// it is unimplemented.
  public var date: DateGenerator {
    get { self[DateGeneratorKey.self] }
    set { self[DateGeneratorKey.self] = newValue }
  }
}

private enum DateGeneratorKey: DependencyKey {
  static let liveValue = DateGenerator { Date() }
  static var testValue: DateGenerator {
    DateGenerator(DependencyAccess.unimplemented("date", placeholder: Date()))
  }
}
