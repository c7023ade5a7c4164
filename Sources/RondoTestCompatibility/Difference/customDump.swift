// Values as text in the long form, with the names that sources have that come over.

/// Prints a value with all its parts, each on a line of its own.
///
/// ```swift
/// customDump(Player(name: "Blob", scores: [3]))
/// // Player(
/// //   name: "Blob",
/// //   scores: [
/// //     [0]: 3
/// //   ]
/// // )
/// ```
///
/// For a shorter text see `dumped`.
///
/// - Parameters:
///   - value: The value.
///   - name: A name to write in front of the value.
///   - indent: The number of spaces before every line.
///   - maxDepth: The number of levels that are taken apart, at most 128; deeper ones are printed as `…`.
@discardableResult
public func customDump<Value>(
  _ value: Value, name: String? = nil, indent: Int = 0, maxDepth: Int = .max
) -> Value {
  print(longDump(value, name: name, indent: indent, maxDepth: maxDepth))
  return value
}

/// Writes a value with all its parts to a text stream, each on a line of its own.
@discardableResult
public func customDump<Value>(
  _ value: Value, to target: inout some TextOutputStream, name: String? = nil, indent: Int = 0,
  maxDepth: Int = .max
) -> Value {
  target.write(longDump(value, name: name, indent: indent, maxDepth: maxDepth))
  return value
}

extension String {
  /// Makes a text that shows a value with all its parts, each on a line of its own.
  public init<Value>(customDumping subject: Value) {
    self = longDump(subject)
  }
}

private func longDump(
  _ value: Any, name: String? = nil, indent: Int = 0, maxDepth: Int = .max
) -> String {
  var dumper = LongDumper()
  let margin = String(repeating: " ", count: max(0, indent))
  return dumper.lines(of: value, label: name, depth: maxDepth).map { margin + $0 }
    .joined(separator: "\n")
}
