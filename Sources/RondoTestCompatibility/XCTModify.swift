// Changes of optional values and of cases in tests, in the form from before case key paths.

import Rondo
import RondoScheduling
import RondoTestStore

/// Changes the value of an optional. Reports an issue if it is `nil`, or if nothing changes.
public func XCTModify<Wrapped>(
  _ optional: inout Wrapped?,
  _ message: @autoclosure () -> String = "",
  _ body: (inout Wrapped) throws -> Void,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let position = SourcePosition(fileID, filePath, line, column)
  change(&optional, message(), position) { try $0.change(body) }
}

/// Changes the value of a case. Reports an issue if the enum is in another case.
public func XCTModify<Enum: CasePathable, Case>(
  _ value: inout Enum,
  case keyPath: CaseName<Enum, Case>,
  _ message: @autoclosure () -> String = "",
  _ body: (inout Case) throws -> Void,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let position = SourcePosition(fileID, filePath, line, column)
  change(&value, message(), position) { try AnyCasePath(keyPath).modify(&$0, body) }
}

/// Changes the value of a case of an optional enum: `XCTModify(&$0.destination, case: \.edit)`.
public func XCTModify<Enum: CasePathable, Case>(
  _ value: inout Enum?,
  case keyPath: CaseName<Enum, Case>,
  _ message: @autoclosure () -> String = "",
  _ body: (inout Case) throws -> Void,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let position = SourcePosition(fileID, filePath, line, column)
  change(&value, message(), position) {
    try $0.change { try AnyCasePath(keyPath).modify(&$0, body) } ?? nil
  }
}

/// Changes the value of a case that a case path leads to.
public func XCTModify<Enum, Case>(
  _ value: inout Enum,
  case path: AnyCasePath<Enum, Case>,
  _ message: @autoclosure () -> String = "",
  _ body: (inout Case) throws -> Void,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let position = SourcePosition(fileID, filePath, line, column)
  change(&value, message(), position) { try path.modify(&$0, body) }
}

/// Changes a value. Reports an issue if the closure returns `nil` or throws, or if nothing changes.
private func change<Value>(
  _ value: inout Value,
  _ message: String,
  _ position: SourcePosition,
  _ body: (inout Value) throws -> Void?
) {
  let problem: String
  let before = value
  do {
    if try body(&value) == nil {
      problem = "What was to be changed is not there, but \(value)."
    } else if TestSettings.current.assertsModifying, before is any Equatable,
      areEqual(before, value)
    {
      problem = "What was to be changed has not been: it is \(value), as before."
    } else {
      return
    }
  } catch {
    problem = "A change threw: \(error)"
  }
  report(problem, message, position)
}

private func report(_ problem: String, _ message: String, _ position: SourcePosition) {
  reportIssue(message.isEmpty ? problem : "\(message)\n\(problem)", at: position)
}

extension Optional {
  /// Changes the wrapped value; returns `nil` if there is none.
  fileprivate mutating func change<Result>(
    _ body: (inout Wrapped) throws -> Result
  ) rethrows -> Result? {
    guard var wrapped = self else { return nil }
    defer { self = wrapped }
    return try body(&wrapped)
  }
}

// MARK: - Unwrapping

/// The value of a case. Reports an issue, and throws, if the enum is in another case.
///
/// ```swift
/// let editor = try XCTUnwrap(store.state.destination, case: \.edit)
/// ```
public func XCTUnwrap<Enum: CasePathable, Case>(
  _ value: @autoclosure () throws -> Enum?,
  case keyPath: CaseName<Enum, Case>,
  _ message: @autoclosure () -> String = "",
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) throws -> Case {
  try unwrap(
    try value(), AnyCasePath(keyPath), message(), SourcePosition(fileID, filePath, line, column))
}

/// The value of a case that a case path leads to. Reports an issue, and throws, if the enum is in another case.
public func XCTUnwrap<Enum, Case>(
  _ value: @autoclosure () throws -> Enum?,
  case path: AnyCasePath<Enum, Case>,
  _ message: @autoclosure () -> String = "",
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) throws -> Case {
  try unwrap(try value(), path, message(), SourcePosition(fileID, filePath, line, column))
}

private func unwrap<Enum, Case>(
  _ value: Enum?, _ path: AnyCasePath<Enum, Case>, _ message: String, _ position: SourcePosition
) throws -> Case {
  if let value, let unwrapped = path.extract(from: value) { return unwrapped }
  let text = value.map { "\($0)" } ?? "nil"
  let problem = "The case that was to be unwrapped is not there, but \(text)."
  report(problem, message, position)
  throw NoSuchCase(description: problem)
}

private struct NoSuchCase: Error, CustomStringConvertible {
  let description: String
}
