// K39: severities, contexts and reporters in the original's shape.

import RondoCompatibility
import RondoScheduling
import Synchronization
import Testing

@Suite struct IssueContextTests {
  /// A reporter that implements the original's requirement alone.
  private final class Log: IssueReporter {
    let lines = Mutex<[String]>([])

    func reportIssue(
      _ message: @autoclosure () -> String?, severity: IssueSeverity, fileID: StaticString,
      filePath: StaticString, line: UInt, column: UInt
    ) {
      let text = "\(severity) \(fileID):\(line): \(message() ?? "-")"
      lines.withLock { $0.append(text) }
    }
  }

  // K39
  @Test func aReporterOfTheOriginalsShapeTakesIssues() {
    let log = Log()
    withIssueReporters([log]) {
      reportIssue("a", fileID: "M/F.swift", line: 3)
      reportIssue("b", severity: .warning, fileID: "M/F.swift", line: 4)
    }
    #expect(log.lines.withLock { $0 } == ["error M/F.swift:3: a", "warning M/F.swift:4: b"])
    #expect(IssueSeverity.warning < .error)
  }

  // K39
  @Test func withoutReportersIssuesAreDropped() {
    var isAsked = false
    withIssueReporters([]) {
      reportIssue(
        {
          isAsked = true; return "dropped"
        }())
    }
    #expect(!isAsked)
  }

  // K39
  @Test func aContextMovesIssues() async {
    let log = Log()
    await withIssueReporters([log]) {
      withIssueContext(fileID: "A/B.swift", filePath: "/A/B.swift", line: 7, column: 1) {
        reportIssue("moved")
      }
      await withIssueContext(fileID: "A/C.swift", filePath: "/A/C.swift", line: 8, column: 1) {
        await Task.yield()
        reportIssue("moved, too")
      }
    }
    #expect(
      log.lines.withLock { $0 } == ["error A/B.swift:7: moved", "error A/C.swift:8: moved, too"])
  }

  // K39
  @Test func aWarningFailsNoTest() {
    // The default reporters: the running test, and standard error.
    reportIssue("This is a warning of a test, and no failure.", severity: .warning)
  }
}
