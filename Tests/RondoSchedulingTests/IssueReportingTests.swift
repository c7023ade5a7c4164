// Tests of the reporters that a programmer's mistake goes to.

import Dispatch
import Foundation
import Testing

@testable import RondoScheduling

@Suite struct IssueReportingTests {
  // R31
  @Test func anIssueFailsTheCurrentTest() {
    withKnownIssue {
      reportIssue("on purpose")
    } matching: { issue in
      issue.comments.contains("on purpose") && issue.sourceLocation?.line == #line - 2
    }
  }

  // R31
  @Test func anIssueInATaskFailsTheCurrentTest() async {
    await withKnownIssue {
      await Task { reportIssue("on purpose") }.value
    }
  }

  // R31
  @Test func whatIsCapturedFailsNothing() {
    let issues = captureIssues {
      reportIssue("first")
      reportIssue("second")
    }
    #expect(issues.map(\.message) == ["first", "second"])
  }

  // R31
  @Test func theCallerIsBlamed() {
    let line: UInt = #line + 1
    let issues = captureIssues { reportIssue("here") }
    #expect(issues.map(\.position.line) == [line])
    #expect(
      issues.first?.description == "RondoSchedulingTests/IssueReportingTests.swift:\(line): here"
    )
  }

  // R31
  @Test func capturingReachesWorkOfATestSchedulerAndTasks() async {
    let scheduler = DispatchQueue.test
    scheduler.schedule { reportIssue("work") }
    let issues = await captureIssues {
      await scheduler.advance()
      await Task { reportIssue("task") }.value
    }
    #expect(issues.map(\.message) == ["work", "task"])
  }

  // R31
  @Test func theChainCanBeCarriedToALiveQueue() async {
    let collector = IssueCollector()
    await withIssueReporters([collector]) {
      let reporters = IssueReporters.current
      await withCheckedContinuation { continuation in
        DispatchQueue.global().schedule {
          withIssueReporters(reporters) { reportIssue("far away") }
          continuation.resume()
        }
      }
    }
    #expect(collector.issues.map(\.message) == ["far away"])
  }

  // R31
  @Test func theFirstReporterThatTakesAnIssueKeepsIt() {
    struct Deaf: IssueReporter {
      func report(_ issue: ReportedIssue) -> Bool { false }
    }
    let (first, second) = (IssueCollector(), IssueCollector())
    withIssueReporters([Deaf(), first, second]) { reportIssue("heard") }
    #expect(first.issues.map(\.message) == ["heard"])
    #expect(second.issues.isEmpty)
  }

  // R31
  @Test func aMessageIsNotMadeForNobody() {
    withIssueReporters([]) {
      func message() -> String {
        Issue.record("made")
        return ""
      }
      reportIssue(message())
    }
  }

  // R31
  @Test func standardErrorHearsOfAnIssueOnce() {
    let lines = Log<String>()
    let reporter = StandardErrorReporter { lines.append($0) }
    withIssueReporters([reporter]) {
      for _ in 0..<3 { reportIssue("again") }
      reportIssue("another")
    }
    #expect(lines.entries.count == 2)
    #expect(
      lines.entries.first?.hasSuffix("IssueReportingTests.swift:\(#line - 4): again\n") == true
    )
  }

  // H27
  @Test func messagesAreForgottenWhenThereAreMany() {
    let lines = Log<String>()
    let reporter = StandardErrorReporter { lines.append($0) }
    withIssueReporters([reporter]) {
      for message in ["first", "first"] { reportIssue(message) }
      for number in 0..<5_000 { reportIssue("\(number)") }
      for message in ["first", "first"] { reportIssue(message) }
    }
    #expect(lines.entries.count { $0.hasSuffix("first\n") } == 2)
    #expect(lines.entries.count == 5_002)
  }

  // R31
  @Test func anIssueThatCannotBeWrittenIsDropped() async {
    // Nobody reads the pipe any more.
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0, close(ends[0]) == 0 else { exit(2) }
      guard dup2(ends[1], STDERR_FILENO) == STDERR_FILENO else { exit(3) }
      signal(SIGPIPE, SIG_DFL)
      withIssueReporters([StandardErrorReporter()]) { reportIssue("lost") }
      // The signal is not left to the next one who writes.
      var pending = sigset_t()
      sigpending(&pending)
      exit(sigismember(&pending, SIGPIPE) == 0 ? 0 : 4)
    }
    await #expect(processExitsWith: .success) {
      close(STDERR_FILENO)
      withIssueReporters([StandardErrorReporter()]) { reportIssue("lost") }
      exit(0)
    }
  }
}
