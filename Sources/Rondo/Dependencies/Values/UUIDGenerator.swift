// Identifiers for new things.

import Foundation
import Synchronization

/// Makes identifiers.
///
/// ```swift
/// @Dependency(\.uuid) var uuid
/// state.rows.append(Row(id: uuid()))
/// ```
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// A generator that calls a closure.
  public init(_ generate: @escaping @Sendable () -> UUID) {
    self.generate = generate
  }

  /// Makes a generator that always gives the same identifier.
  public static func constant(_ uuid: UUID) -> Self {
    Self { uuid }
  }

  /// A generator that counts from zero: `UUID(0)`, `UUID(1)`, and so on. Every use of this property
  /// makes a generator that starts at zero.
  public static var incrementing: Self {
    let counter = Counter()
    return Self { UUID(counter.next()) }
  }

  /// A new identifier.
  public func callAsFunction() -> UUID {
    let uuid = generate()
    DrawnValue.uuid(uuid).tell()
    return uuid
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  func next() -> Int {
    HiddenMemory.noteUse()
    return count.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

extension UUID {
  /// The identifier that has a number in its last digits and zeros before:
  /// `UUID(15)` is `00000000-0000-0000-0000-00000000000F`. A one in the middle stands for a minus:
  /// `UUID(-15)` is `00000000-0000-0001-0000-00000000000F`.
  public init(_ number: Int) {
    let bytes = withUnsafeBytes(of: UInt64(number.magnitude).bigEndian, Array.init)
    self.init(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, number < 0 ? 1 : 0,
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
      ))
  }
}

extension DependencyValues {
  /// Makes identifiers. Unimplemented in tests.
  public var uuid: UUIDGenerator {
    get { self[UUIDGeneratorKey.self] }
    set { self[UUIDGeneratorKey.self] = newValue }
  }
}

private enum UUIDGeneratorKey: DependencyKey {
  static let liveValue = UUIDGenerator { UUID() }
  static var testValue: UUIDGenerator {
    UUIDGenerator(DependencyAccess.unimplemented("uuid", placeholder: UUID()))
  }
}
