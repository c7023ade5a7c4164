// What time it is.

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

  /// It is always the same time.
  public static func constant(_ now: Date) -> Self {
    Self { now }
  }

  /// The time. It may be set: then it stands still.
  public var now: Date {
    get { generate() }
    set { generate = { newValue } }
  }

  /// The time.
  public func callAsFunction() -> Date {
    generate()
  }
}

extension DependencyValues {
  /// What time it is. In a test store it goes by the store's time; in other tests it is
  /// unimplemented.
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
