// V1: the recordings of tests.

import Foundation
import Rondo
import RondoProcesses
import RondoScheduling
import Testing

@testable import RondoRecording
@testable import RondoTestStore

@MainActor @Suite struct TestStoreRules {
  private let folder = TemporaryFolder()

  private func store() -> TestStoreOf<Desk> {
    let timeline = TestTimeline()
    return TestStore(initialState: Desk.State(), timeline: timeline) { Desk(timeline: timeline) }
  }

  private func files() -> [URL] {
    folder.names.map(folder.file)
  }

  // V1
  @Test func V1_aFailingTestLeavesItsRecording() async throws {
    let issues = await captureIssues {
      await TestSettings.with(\.recordings, folder.path) {
        let store = store()
        await store.send(.add(1)) { $0.count = 2 }
      }
    }
    let file = try #require(files().first)
    #expect(issues.count == 1)
    #expect(issues[0].message.hasSuffix("\n\nThe recording of the test is in \(file.path)."))
    #expect(file.lastPathComponent.hasPrefix("TestStoreRules-"))
    let recording = try RecordingFile(contentsOf: file)
    #expect(recording.isWhole)
    #expect(recording.actions.map(\.name) == [".add(1)"])
    #expect(recording.issues.count == 1)
    #expect(try recording.replay { Desk(timeline: TestTimeline()) } == .agrees(commits: 1))
  }

  // V1
  @Test func V1_aTestThatFailsAtItsEndLeavesItsRecording() async throws {
    let issues = await captureIssues {
      await TestSettings.with(\.recordings, folder.path) {
        let store = store()
        await store.send(.sleep(1))
      }
    }
    let file = try #require(files().first)
    #expect(issues.count == 1)
    #expect(issues[0].message.hasSuffix("The recording of the test is in \(file.path)."))
    let ends = try RecordingFile(contentsOf: file).ends
    #expect(ends.map(\.by) == [.host])
  }

  // V1
  @Test func V1_aPassingTestLeavesNothing() async throws {
    await TestSettings.with(\.recordings, folder.path) {
      let store = store()
      await store.send(.add(1)) { $0.count = 1 }
    }
    #expect(files() == [])
  }

  // V1
  @Test func V1_aLinkInTheFolderOfTestsIsNotFollowed() throws {
    let files = FileManager.default
    let outside = folder.file("outside")
    try Data("mine".utf8).write(to: outside)
    let first = try KeptRecording.newFile(in: URL(filePath: folder.path), named: "Test-1")
    let number = try #require(
      first.deletingPathExtension().lastPathComponent.split(separator: "-").last.flatMap { Int($0) }
    )
    for next in number + 1...number + 100 {
      let link = folder.file("Test-1-\(next).jsonl")
      if next.isMultiple(of: 2) {
        try files.createSymbolicLink(at: link, withDestinationURL: outside)
      } else {
        #expect(mkfifo(link.path, 0o600) == 0)
      }
    }
    let second = try KeptRecording.newFile(in: URL(filePath: folder.path), named: "Test-1")
    let attributes = try files.attributesOfItem(atPath: second.path)
    #expect(attributes[.type] as? FileAttributeType == .typeRegular)
    #expect(try String(contentsOf: outside, encoding: .utf8) == "mine")
  }

  // V1
  @Test func V1_aFolderThatTakesNoFilesIsNamed() throws {
    let error = #expect(throws: RecordingError.self) {
      try KeptRecording.newFile(in: URL(filePath: "/dev/null"), named: "a")
    }
    #expect(error?.description.hasPrefix("/dev/null/a-") == true)
    #expect(error?.description.hasSuffix(".jsonl cannot be written to: Not a directory.") == true)
  }

  // V2
  @Test func V2_aTestStoreRecordsWhatTheTestDoes() async throws {
    let file = TemporaryFile()
    let store = store()
    let recording = try store.record(to: file.url)
    await store.send(.sleep(2))
    await store.advance(by: .seconds(1))
    await store.receive(.add(2)) { $0.count = 2 }
    recording.end()
    let lines = try RecordingFile(contentsOf: file.url).lines.map(\.line)
    #expect(lines.contains(.advance(RecordingLine.Advance(at: 0, by: 1))))
    #expect(lines.contains(.receive(RecordingLine.Receive(at: 1, action: 2))))
  }

  // V2
  @Test func V2_cancellingAnEffectThatHasEndedCausesNothing() async throws {
    let file = TemporaryFile()
    let timeline = TestTimeline()
    let clock = timeline.clock
    let store = TestStore(initialState: 0, timeline: timeline) {
      Reduce<Int, Int> { _, _ in
        let first = Effect<Int>.run(name: "first") { _ in
          try await clock.sleep(for: .seconds(1))
        }
        let second = Effect<Int>.run(name: "second") { _ in
          try await clock.sleep(for: .seconds(2))
        }
        let third = Effect<Int>.run(name: "third") { _ in
          try await clock.sleep(for: .seconds(3))
        }
        return .merge(
          first, .concatenate(second, .cancel(id: "third")), third.cancellable(id: "third"))
      }
    }
    let recording = try store.record(to: file.url)
    await store.send(1)
    let effects = store.closuresInFlight
    #expect(effects.map(\.label) == [#"run "first""#, #"run "second""#, #"run "third""#])
    await store.advance(by: .seconds(1))
    store.cancel(effects[0])
    await store.advance(by: .seconds(1))
    recording.end()
    let ends = try RecordingFile(contentsOf: file.url).ends
    #expect(ends.map(\.how) == [.finished, .finished, .cancelled])
    #expect(ends.map(\.by) == [nil, nil, .action(1)])
  }
}
