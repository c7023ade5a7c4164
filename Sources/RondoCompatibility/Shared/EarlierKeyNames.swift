// Earlier names of keys and shared values, for sources that were written with them.

import Rondo

/// A place that a shared value is loaded from. New code says `SharedReaderKey`.
public typealias PersistenceReaderKey = SharedReaderKey

/// A place that a shared value is loaded from and saved to. New code says `SharedKey`.
public typealias PersistenceKey = SharedKey

/// A key that knows the value to begin with. New code says `Base.Default`.
public typealias PersistenceKeyDefault = _SharedKeyDefault

extension _SharedKeyDefault {
  /// A key, with the value to use while there is none yet.
  ///
  /// New code says `Self[key, default: value]`.
  public init(_ key: Base, _ value: @autoclosure @escaping @Sendable () -> Base.Value) {
    self = Self[key, default: value()]
  }
}

extension Shared {
  /// A value that is shared with every holder of the result. New code says `Shared(value: value)`.
  @_disfavoredOverload
  public init(_ value: Value) {
    self.init(value: value)
  }
}

extension SharedReader {
  /// A value that nobody changes.
  public static func constant(_ value: Value) -> Self { Self(value: value) }
}

extension DependencyValues {
  /// Has no effect: user defaults are observed as a whole, so a key may have any characters.
  ///
  /// Sources for other platforms set it to `false` for keys with a point or an at sign.
  public var appStorageKeyFormatWarningEnabled: Bool {
    get { self[KeyFormatWarnings.self] }
    set { self[KeyFormatWarnings.self] = newValue }
  }
}

private enum KeyFormatWarnings: DependencyKey {
  static let liveValue = true
  static let testValue = true
}
