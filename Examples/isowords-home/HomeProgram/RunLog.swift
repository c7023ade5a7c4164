// The log of a run: a line for every commit, and at the end what the launch has started.

import Foundation
import Rondo
import RondoHomeFeature
import RondoInspection
import RondoRecording

/// Writes the log of a run. What a commit does not say, such as the scheduler that its actions were received on, is read
/// from a recording of the run, whose file has no name.
@MainActor
final class RunLog {
  private let style: LogStyle
  private let width: Int?
  private let write: (String) -> Void

  private var recording: Recording?
  private var input: FileHandle?
  private var data = Data()
  private var read = 0
  private var causes = ActionCauses()
  /// The actions that have been read, and have not been logged.
  private var actions: [Int] = []

  /// - Parameters:
  ///   - width: The columns of the terminal that it is written to; `nil` for none.
  ///   - write: Takes text with its line breaks.
  init(_ style: LogStyle, width: Int? = nil, write: @escaping (String) -> Void) {
    self.style = style
    self.width = width
    self.write = write
  }

  /// Begins to watch a store. Where there is no room for that, the log says less.
  func begin<State, Action>(
    _ store: Store<State, Action>, clock: any Clock<Duration>, date: Date
  ) {
    let path = NSTemporaryDirectory() + "/isowords-home-\(UUID().uuidString).jsonl"
    defer { unlink(path) }
    recording = try? store.record(to: URL(filePath: path), clock: clock, date: date)
    input = recording == nil ? nil : FileHandle(forReadingAtPath: path)
  }

  /// Writes the line of a commit.
  func add(_ commit: HomeCommit) {
    readOn()
    var entry = commit.entry
    entry.tell(actions.suffix(commit.actions.count), causes)
    actions = []
    write(style.line(for: entry, width: width) + "\n")
  }

  /// Ends the log, with what the launch has started.
  func end() {
    recording?.end()
    readOn()
    guard let file = try? RecordingFile(data) else { return }
    write(style.text(ofLaunchIn: file))
  }

  /// Reads the lines that have been written since.
  private func readOn() {
    guard let input, let new = try? input.readToEnd() else { return }
    data += new
    let decoder = JSONDecoder()
    while let end = data[read...].firstIndex(of: UInt8(ascii: "\n")) {
      if let line = try? decoder.decode(RecordingLine.self, from: data[read..<end]) {
        causes.add(line)
        if case .action(let action) = line { actions.append(action.action) }
      }
      read = end + 1
    }
  }
}

extension LogEntry {
  /// Adds which effects some actions came from, and the schedulers that they were received on.
  mutating func tell(_ actions: some Sequence<Int>, _ causes: ActionCauses) {
    func joined(_ texts: [String?]) -> String? {
      var all: [String] = []
      for text in texts.compactMap(\.self) where !all.contains(text) { all.append(text) }
      return all.isEmpty ? nil : all.joined(separator: ", ")
    }
    let origins = actions.compactMap(causes.origin)
    scheduler = joined(origins.map(\.scheduler))
    effect = joined(origins.map(\.name))
  }
}

extension LogStyle {
  /// The effects that the first action of a recording has started, in as many lines.
  func text(ofLaunchIn recording: RecordingFile) -> String {
    let launch = StartedEffects(recording, action: 1)
    guard !launch.lines.isEmpty else { return "" }
    switch self {
    case .plain:
      return "\nThe effect of the launch: what ran when, behind what, and on which scheduler\n"
        + launch.table.map { "  \($0.withoutControls)\n" }.joined()
    case .json:
      return launch.lines.map { $0.json + "\n" }.joined()
    }
  }
}

extension StartedEffects.Line {
  /// One JSON object, its keys always in the same order.
  fileprivate var json: String {
    let waits = waitsFor.map(JSONText.quoted).joined(separator: ",")
    func milliseconds(_ seconds: Double?) -> String {
      seconds.map { "\(Int(($0 * 1000).rounded()))" } ?? "null"
    }
    return "{\"ms\":\(milliseconds(start)),\"runs\":\(JSONText.quoted(name)),\"depth\":\(depth),"
      + "\"waitsFor\":[\(waits)],\"scheduler\":\(JSONText.optional(scheduler)),"
      + "\"tag\":\(JSONText.optional(tag)),\"endMs\":\(milliseconds(end)),"
      + "\"how\":\(JSONText.optional(how))}"
  }
}
