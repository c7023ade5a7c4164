// The recording that `--record` makes: of the store, with the frames of the screen.

import Foundation
import RondoHomeFeature
import Rondo
import RondoRecording
import RondoStage

/// The recording of a run. It begins when the run has its store.
@MainActor
final class RunRecording {
  private let path: String
  /// The permission for the page of `rondo live` to act on the program.
  private let control: RecordingControl?
  private var recording: Recording?
  private var shown: Canvas?

  init(_ path: String, control: RecordingControl? = nil) {
    self.path = path
    self.control = control
    IssueReporters.install(RecordingReporter())
  }

  /// The recording that the options ask for, or the program that has started this one.
  convenience init?(_ options: Options) {
    if let path = options.recordFile {
      self.init(path)
    } else if let url = Recording.requestedURL {
      self.init(url.path, control: .inDebugBuilds)
    } else {
      return nil
    }
  }

  /// Begins the recording of a store, in place of what the file holds.
  ///
  /// - Returns: The problem with the file, if there is one.
  func begin<State, Action>(
    _ store: Store<State, Action>, clock: any Clock<Duration>, date: Date
  ) -> String? {
    do throws(RecordingError) {
      recording = try store.record(
        to: URL(filePath: path), clock: clock, date: date, control: control)
      return nil
    } catch {
      return error.description
    }
  }

  /// Adds a frame, unless it shows the same as the one before.
  func add(_ canvas: Canvas) {
    guard let recording else { return }
    let isSameSize = shown?.width == canvas.width && shown?.height == canvas.height
    let before = isSameSize ? shown : nil
    let changes = canvas.changes(
      from: before ?? Canvas(width: canvas.width, height: canvas.height))
    shown = canvas
    guard !changes.isEmpty || before == nil else { return }
    recording.addFrame(
      columns: canvas.width, rows: canvas.height,
      cells: changes.flatMap(RecordingLine.Frame.Run.runs))
  }

  /// Whether the recording was given up. The reason has been reported.
  var hasFailed: Bool { recording?.failure != nil }

  func end() {
    recording?.end()
  }
}

/// Says in a line of the program why the recording was given up. The place in this source, at which it is
/// reported, says nothing to who runs the program.
private struct RecordingReporter: IssueReporter {
  func report(_ issue: ReportedIssue) -> Bool {
    guard "\(issue.position.fileID)" == #fileID else { return false }
    try? Output.error.write("\(Program.name): \(issue.message.withoutControls)\n")
    return true
  }
}

extension RecordingLine.Frame.Run {
  /// The cells of a run, in runs of one colour.
  static func runs(of run: Canvas.Run) -> [Self] {
    var runs: [Self] = []
    for (offset, cell) in run.cells.enumerated() {
      // The second cell of a wide character has none.
      guard let glyph = cell.glyph else { continue }
      let isWide = offset + 1 < run.cells.count && run.cells[offset + 1].glyph == nil
      let new = Self(
        row: run.row, column: run.column + offset, text: String(glyph), isWide: isWide,
        foreground: cell.foreground.map(\.hexadecimal),
        background: cell.background.map(\.hexadecimal))
      if let last = runs.last, last.isWide == nil, !isWide,
        last.column + last.text.count == new.column, last.foreground == new.foreground,
        last.background == new.background
      {
        runs[runs.count - 1].text += new.text
      } else {
        runs.append(new)
      }
    }
    return runs
  }
}
