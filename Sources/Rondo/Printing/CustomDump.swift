// Protocols for types that choose how their values are printed, in messages of tests and by
// `_printChanges()`.

/// A value that is printed as a text of its own.
public protocol CustomDumpStringConvertible {
  /// The text.
  var customDumpDescription: String { get }
}

/// A value that is printed as another one.
public protocol CustomDumpRepresentable {
  /// The value to print instead.
  var customDumpValue: Any { get }
}

/// A value that is printed by another mirror than its usual one.
public protocol CustomDumpReflectable {
  /// The mirror.
  var customDumpMirror: Mirror { get }
}

/// A variable that is shown as the value that it shares.
package protocol SharedValue {
  /// The value, as it is on the side of the comparison that is looked at.
  var sharedValue: Any { get }
  /// The identity of the shared value, or of the whole that it is a part of.
  var sharedID: ObjectIdentifier { get }
  /// Whether it is a `SharedReader`.
  var isReader: Bool { get }
  /// Whether the value, or the whole that it is a part of, has a key.
  var isKeyed: Bool { get }
}
