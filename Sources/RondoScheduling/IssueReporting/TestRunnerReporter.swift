// The first reporter of the chain: the test that is running, if there is one.
//
// A library for apps must not link a test library. But where a test runs, its library is loaded.
// Its function that records an issue, and the types that the function takes, are found by name. The
// functions are called through generic code, which passes values of an unknown type by address. A
// library that may change the layout of its types takes them in the same way. A function that is
// not found is not called, and the next reporter gets the issue.

/// Fails the current test of Swift Testing or, where none is current, that of XCTest, or the run.
struct TestRunnerReporter: IssueReporter {
  func report(_ issue: ReportedIssue) -> Bool {
    guard issue.severity == .error else { return false }
    if let swiftTesting, swiftTesting.isTestCurrent {
      swiftTesting.record(issue)
      return true
    }
    // Swift Testing does not say whether it is running tests, and forgets a failure when it is not.
    // While it is, the failure belongs to the run and to an unknown test. The next reporter has to get
    // the issue too, and prints it.
    swiftTesting?.record(issue)
    // An assertion of XCTest asks for its message only where a test is current.
    var isTaken = false
    func message() -> String {
      isTaken = true
      return issue.message
    }
    failXCTest?({ false }, message, issue.position.filePath, issue.position.line)
    return isTaken
  }
}

/// Whether a test of Swift Testing is current here, that is, in this task.
package var isSwiftTestCurrent: Bool { swiftTesting?.isTestCurrent ?? false }

/// The identity of the current test of Swift Testing and of the arguments that it runs with; `nil`
/// where no test is current.
package var currentSwiftTest: AnyHashable? { swiftTesting?.currentID }

private let swiftTesting = SwiftTesting()

/// `XCTAssertTrue(_:_:file:line:)`
private typealias AssertTrue =
  @convention(thin) (() throws -> Bool, () -> String, StaticString, UInt) -> Void

private let failXCTest: AssertTrue? =
  LoadedFunction("$s6XCTest13XCTAssertTrue__4file4lineySbyKXK_SSyXKs12StaticStringVSutF")
  .map { $0(as: AssertTrue.self) }

/// The functions and types of Swift Testing that this file uses, found in the process. The
/// initializer fails if one that is not optional is missing.
private struct SwiftTesting: Sendable {
  private let currentTest: LoadedFunction
  private let currentCase: LoadedFunction?
  private let commentFromText: LoadedFunction
  private let locationFromParts: LoadedFunction
  private let recordIssue: LoadedFunction
  private let test: Any.Type
  private let testCase: Any.Type?
  private let comment: Any.Type
  private let location: Any.Type
  private let issue: Any.Type

  init?() {
    guard
      let currentTest = LoadedFunction("$s7Testing4TestV7currentACSgvgZ"),
      let commentFromText = LoadedFunction("$s7Testing7CommentV8rawValueACSS_tcfC"),
      let locationFromParts = LoadedFunction(
        "$s7Testing14SourceLocationV6fileID0D4Path4line6columnACSS_SSS2itcfC"
      ),
      let recordIssue = LoadedFunction(
        "$s7Testing5IssueV6record_14sourceLocationAcA7CommentVSg_AA06SourceE0VtFZ"
      ),
      let test = _typeByName("7Testing4TestV"),
      let comment = _typeByName("7Testing7CommentV"),
      let location = _typeByName("7Testing14SourceLocationV"),
      let issue = _typeByName("7Testing5IssueV")
    else { return nil }
    self.currentTest = currentTest
    currentCase = LoadedFunction("$s7Testing4TestV4CaseV7currentAESgvgZ")
    testCase = _typeByName("7Testing4TestV4CaseV")
    self.commentFromText = commentFromText
    self.locationFromParts = locationFromParts
    self.recordIssue = recordIssue
    self.test = test
    self.comment = comment
    self.location = location
    self.issue = issue
  }

  /// `Test.current != nil`
  var isTestCurrent: Bool {
    func isCurrent<Test>(_: Test.Type) -> Bool {
      currentTest(as: (@convention(thin) () -> Test?).self)() != nil
    }
    return _openExistential(test, do: isCurrent)
  }

  /// `Test.current.map { [$0.id, "\(Test.Case.current)"] }`
  var currentID: AnyHashable? {
    func id<Test>(_: Test.Type) -> AnyHashable? {
      let current = currentTest(as: (@convention(thin) () -> Test?).self)()
      return (current as? any Identifiable).map { identity(of: $0) }
    }
    func arguments<Case>(_: Case.Type) -> String {
      guard let currentCase else { return "" }
      let current = currentCase(as: (@convention(thin) () -> Case?).self)()
      // The arguments are in one member. The other is a closure, whose text takes long and says nothing.
      let kind = current.flatMap { Mirror(reflecting: $0).descendant("_kind") }
      return kind.map { "\($0)" } ?? current.map { "\($0)" } ?? ""
    }
    guard let id = _openExistential(test, do: id) else { return nil }
    return [id, AnyHashable(testCase.map { _openExistential($0, do: arguments) } ?? "")]
  }

  private func identity(of value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }

  /// `Issue.record(Comment(rawValue: message), sourceLocation: SourceLocation(fileID: …))`
  func record(_ reported: ReportedIssue) {
    func withComment<Comment>(_ comment: Comment.Type) {
      func withLocation<Location>(_ location: Location.Type) {
        func withIssue<Issue>(_ issue: Issue.Type) {
          record(
            makeComment(reported.message, as: comment),
            at: makeLocation(reported.position, as: location),
            as: issue
          )
        }
        _openExistential(issue, do: withIssue)
      }
      _openExistential(location, do: withLocation)
    }
    _openExistential(comment, do: withComment)
  }

  private func record<Comment, Location, Issue>(
    _ comment: Comment,
    at location: Location,
    as issue: Issue.Type
  ) {
    typealias Record = @convention(thin) (Comment?, Location) -> Issue
    let record = recordIssue(as: Record.self)
    _ = record(comment, location)
  }

  private func makeComment<Comment>(_ text: String, as comment: Comment.Type) -> Comment {
    // `consuming`, because initializers take the values that they keep in this way.
    typealias Make = @convention(thin) (consuming String) -> Comment
    let make = commentFromText(as: Make.self)
    return make(text)
  }

  private func makeLocation<Location>(
    _ position: SourcePosition,
    as location: Location.Type
  ) -> Location {
    typealias Make =
      @convention(thin) (consuming String, consuming String, Int, Int) -> Location
    let make = locationFromParts(as: Make.self)
    // Swift Testing requires the form of a file ID, and counts lines and columns from 1.
    let fileID = "\(position.fileID)"
    return make(
      fileID.contains("/") ? fileID : "Unknown/\(fileID)",
      "\(position.filePath)",
      max(1, Int(clamping: position.line)),
      max(1, Int(clamping: position.column))
    )
  }
}
