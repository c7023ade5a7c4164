// The log of a run: a line for every commit, and at the end what the launch has started.

import Foundation
import Rondo
import RondoHomeFeature
import RondoHistory
import RondoRecording

/// Writes the log of a run. What a commit does not say, such as the scheduler that its actions were received on, is read
/// from a recording of the run, whose file has no name.
@MainActor
final class RunLog {
  /// The columns of a line where no terminal says how many there are.
  static let pageWidth = 100

  private let style: LogStyle
  private let width: Int
  private let write: (String) -> Void

  private var recording: Recording?
  private var input: FileHandle?
  private var data = Data()
  private var read = 0
  private var causes = ActionCauses()
  /// The actions that have been read, and have not been logged.
  private var actions: [RecordingLine.Action] = []

  /// - Parameters:
  ///   - width: The columns that plain text is to fit into.
  ///   - write: Takes text with its line breaks.
  init(_ style: LogStyle, width: Int = pageWidth, write: @escaping (String) -> Void) {
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
    write(style.text(ofLaunchIn: file, width: width))
  }

  /// Reads the lines that have been written since.
  private func readOn() {
    guard let input, let new = try? input.readToEnd() else { return }
    data += new
    let decoder = JSONDecoder()
    while let end = data[read...].firstIndex(of: UInt8(ascii: "\n")) {
      if let line = try? decoder.decode(RecordingLine.self, from: data[read..<end]) {
        causes.add(line)
        if case .action(let action) = line { actions.append(action) }
      }
      read = end + 1
    }
  }
}

extension LogEntry {
  /// Adds which effects some actions came from, the schedulers that they were received on or came from, and when the first
  /// of them arrived: the same clock has told the times of the effects.
  mutating func tell(_ actions: some Collection<RecordingLine.Action>, _ causes: ActionCauses) {
    func joined(_ texts: [String?]) -> String? {
      var all: [String] = []
      for text in texts.compactMap(\.self) where !all.contains(text) { all.append(text) }
      return all.isEmpty ? nil : all.joined(separator: ", ")
    }
    if let first = actions.first { time = .microseconds(Int64((first.at * 1e6).rounded())) }
    let origins = actions.compactMap { causes.origin(of: $0.action) }
    receivedOn = joined(origins.map { $0.isReceived ? $0.scheduler : nil })
    sentFrom = joined(origins.map { $0.isReceived ? nil : $0.scheduler })
    effect = joined(origins.map(\.name))
  }
}

extension LogStyle {
  /// The effects that the first action of a recording has started, in as many lines.
  ///
  /// - Parameter width: The columns that plain text is to fit into.
  func text(ofLaunchIn recording: RecordingFile, width: Int) -> String {
    // The actions of the home screen are some of the terminal's.
    let launch = EffectTree(recording, action: 1, scope: "home.")
    guard !launch.lines.isEmpty else { return "" }
    switch self {
    case .plain:
      return "\n" + Self.legend.folded(to: width) + "\n"
        + launch.table.map { start, rest in
          rest.map(\.withoutControls).folded(behind: start.withoutControls, to: width) + "\n"
        }.joined()
    case .json:
      return launch.lines.map { $0.json + "\n" }.joined()
    }
  }

  private static let legend = """
    What the launch has started. "then" begins when what is above has ended, "on answer" when it has answered, even with a \
    failure. An arrow is an action that an answer became, a cross one that is a failure. What has a tag, in brackets, is \
    shown with an animation; what is untagged, at once.
    """
}

extension EffectTree.Line {
  /// One JSON object, its keys always in the same order.
  fileprivate var json: String {
    let waits = waitsFor.map(JSONText.quoted).joined(separator: ",")
    func milliseconds(_ seconds: Double?) -> String {
      seconds.map { "\(Int(($0 * 1000).rounded()))" } ?? "null"
    }
    let answers = answers.map { answer in
      "{\"action\":\(JSONText.quoted(answer.action)),\"failed\":\(answer.hasFailed),"
        + "\"tag\":\(JSONText.quoted(answer.tag ?? "untagged")),"
        + "\"receivedOn\":\(JSONText.optional(answer.isReceived ? answer.scheduler : nil)),"
        + "\"sentFrom\":\(JSONText.optional(answer.isReceived ? nil : answer.scheduler))}"
    }
    .joined(separator: ",")
    return "{\"ms\":\(milliseconds(start)),\"runs\":\(JSONText.quoted(name)),\"depth\":\(depth),"
      + "\"waitsFor\":[\(waits)],\"worksOn\":\(JSONText.optional(scheduler)),"
      + "\"answers\":[\(answers)],\"endMs\":\(milliseconds(end)),"
      + "\"how\":\(JSONText.optional(how))}"
  }
}
