// Recording test stores, and keeping the recordings of failing tests.

import Foundation
import Rondo
import RondoRecording
import RondoScheduling
import Synchronization

extension TestStore {
  /// Records everything that the store does, with the store's time and date. The recording also says
  /// when the test has moved time, what it has received and how it has failed.
  ///
  /// Where the variable `RONDO_RECORDINGS` of the environment names a folder, every test store is
  /// recorded there, and the recordings of tests that the store has failed are kept.
  ///
  /// - Parameters:
  ///   - url: The file, which is made or replaced. Only the user of the process may read it.
  ///   - redactions: Members that are left out, besides those that are `@Redacted`.
  /// - Returns: The recording, which ends when it is released.
  /// - Throws: A `RecordingError` where the file cannot be made, or a member cannot be left out.
  public func record(
    to url: URL,
    redacting redactions: [Redaction<State, Action>] = [],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws(RecordingError) -> Recording {
    try record(
      to: url, redacting: redactions, from: SourcePosition(fileID, filePath, line, column))
  }

  /// Records a store that a search for an order makes, where the environment names a folder for recordings.
  package func keepRecordingIfAsked() {
    kept = KeptRecording(of: self)
  }

  /// Keeps the recording of a run that has failed, and ends it.
  ///
  /// - Returns: The path of the file; `nil` where nothing is recorded.
  package func pathOfKeptRecording() -> String? { kept?.keep() }

  fileprivate func record(
    to url: URL, redacting redactions: [Redaction<State, Action>] = [], from call: SourcePosition
  ) throws(RecordingError) -> Recording {
    try StoreRecorder.begin(
      "TestStore", in: machine.state, at: position, to: url, redacting: redactions,
      clock: timeline.clock, date: timeline.date, from: call, observe: machine.observe)
  }
}

/// The recording of a test store that is removed at the end, unless the store has failed the test.
final class KeptRecording {
  private static let folderOfProcess = ProcessInfo.processInfo.environment["RONDO_RECORDINGS"]
  private static let count = Atomic(0)
  private static let hasFailed = Atomic(false)

  private let recording: Recording
  private var isKept = false
  /// Whether the test has named the folder itself.
  private let isAskedFor = TestSettings.current.recordings != nil

  /// Begins a recording, if a folder for recordings is named.
  init?<State, Action>(of store: TestStore<State, Action>) {
    let folder = TestSettings.current.recordings ?? Self.folderOfProcess ?? ""
    guard !folder.isEmpty else { return nil }
    let process = ProcessInfo.processInfo.processIdentifier
    let file = "\(store.position.fileID)".split(separator: "/").last ?? "Test"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      let url = try Self.newFile(
        in: URL(filePath: folder, directoryHint: .isDirectory),
        named: "\(file.split(separator: ".")[0])-\(store.position.line)-\(process)")
      recording = try store.record(to: url, from: store.position)
    } catch {
      Self.explain(folder, error)
      return nil
    }
  }

  /// Makes an empty file with a new number behind its name. A file, link or pipe that has the name already is
  /// left alone: nothing is written through it, and nobody waits for it.
  static func newFile(in folder: URL, named name: String) throws(RecordingError) -> URL {
    for _ in 1...1000 {
      let number = count.add(1, ordering: .relaxed).newValue
      let url = folder.appending(path: "\(name)-\(number).jsonl")
      let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        close(descriptor)
        return url
      }
      guard errno == EEXIST else {
        throw RecordingError(
          "\(url.path) cannot be written to: \(String(cString: strerror(errno))).")
      }
    }
    throw RecordingError("All names that begin with \(name) are taken. Empty the folder.")
  }

  /// Says once why there are no recordings.
  private static func explain(_ folder: String, _ error: any Error) {
    guard !hasFailed.exchange(true, ordering: .relaxed) else { return }
    let reason = (error as? RecordingError)?.description ?? error.localizedDescription
    StandardError.write(
      "RONDO_RECORDINGS names \(folder), where nothing can be recorded: \(reason)\n")
  }

  /// Keeps the recording of a failed test. Returns the message of the failure with the name of the
  /// file. A failure that a test of failures collects is none.
  func keep(withFailure message: String) -> String {
    guard isAskedFor || !IssueReporters.current.contains(where: { $0 is IssueCollector }) else {
      return message
    }
    isKept = true
    return "\(message)\n\nThe recording of the test is in \(recording.url.path)."
  }

  /// Ends the recording, and keeps it.
  ///
  /// - Returns: The path of its file; `nil` for a failure that a test of failures collects.
  func keep() -> String? {
    guard isAskedFor || !IssueReporters.current.contains(where: { $0 is IssueCollector }) else {
      return nil
    }
    isKept = true
    recording.end()
    return recording.url.path
  }

  /// Ends the recording, and removes it unless it is to be kept.
  func end() {
    recording.end()
    if !isKept { try? FileManager.default.removeItem(at: recording.url) }
  }
}
