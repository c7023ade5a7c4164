// Random numbers as a dependency.

import Synchronization

/// Lends a generator of random numbers.
///
/// ```swift
/// @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
/// let die = withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }
/// ```
public final class WithRandomNumberGenerator: Sendable {
  private let generator: Mutex<any RandomNumberGenerator & Sendable>

  /// Lends a generator, to one piece of code at a time.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    self.generator = Mutex(generator)
  }

  /// Runs a piece of code with the generator.
  public func callAsFunction<Result>(
    _ body: (inout any RandomNumberGenerator & Sendable) throws -> Result
  ) rethrows -> Result {
    HiddenMemory.noteUse()
    return try generator.withLockUnchecked(body)
  }
}

extension Mutex {
  /// Runs a body with the value, whose result the caller may use as it likes.
  fileprivate borrowing func withLockUnchecked<Result>(
    _ body: (inout Value) throws -> Result
  ) rethrows -> Result where Value: Sendable {
    var result: Result?
    try withLock { value in
      result = try body(&value)
    }
    return result!
  }
}

extension DependencyValues {
  /// Lends a generator of random numbers. Unimplemented in tests.
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[RandomNumberGeneratorKey.self] }
    set { self[RandomNumberGeneratorKey.self] = newValue }
  }
}

private enum RandomNumberGeneratorKey: DependencyKey {
  static let liveValue = WithRandomNumberGenerator(SystemRandomNumberGenerator())
  static var testValue: WithRandomNumberGenerator {
    WithRandomNumberGenerator(UnimplementedGenerator())
  }
}

private struct UnimplementedGenerator: RandomNumberGenerator, Sendable {
  private var generator = SystemRandomNumberGenerator()
  private let report = DependencyAccess.unimplemented("withRandomNumberGenerator", placeholder: ())

  mutating func next() -> UInt64 {
    report()
    return generator.next()
  }
}
