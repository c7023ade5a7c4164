// An endpoint of a dependency that answers with an effect, and has no implementation.

/// An endpoint that answers with an effect. It reports its name where it is called; the effect does
/// nothing.
public func unimplemented<each Argument, Output>(
  _ description: String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) -> Effect<Output> {
  unimplemented(
    description, placeholder: Effect<Output>.none,
    fileID: fileID, filePath: filePath, line: line, column: column)
}
