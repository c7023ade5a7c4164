// How a type says what is printed of its values, in messages of tests and by `_printChanges()`.

/// A value that is printed as a text of its own.
public protocol CustomDumpStringConvertible {
  /// The text.
  var customDumpDescription: String { get }
}

/// A value that is printed as another one.
public protocol CustomDumpRepresentable {
  /// What is printed in its place.
  var customDumpValue: Any { get }
}

/// A value that is printed by a mirror that is not the one it usually has.
public protocol CustomDumpReflectable {
  /// The mirror.
  var customDumpMirror: Mirror { get }
}
