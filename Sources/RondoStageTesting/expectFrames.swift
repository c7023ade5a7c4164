// The assertion that a stage shows what it has shown before.

import Foundation
import RondoScheduling
import RondoStage

/// Expects that a stage shows the frames that are kept in a file.
///
/// ```swift
/// stage.commit(tree(for: State()), at: .zero)
/// stage.commit(tree(for: opened), transaction: Transaction(animation: .snappy), at: .zero)
/// expectFrames(of: stage, matching: "opening", width: 24, height: 3)
/// ```
///
/// The frames are in the file `Frames/NAME.txt` beside the test, as text that can be read and reviewed: glyphs,
/// and colours below them. A file that is not there is written, and the test fails that once. Where frames
/// differ, the test fails with the first of them, and names an SVG of all that differ. If what is shown now is
/// right, run the test once with `RONDO_ACCEPT_FRAMES=1`, and the file is written anew.
///
/// Tell SwiftPM about the folder: `exclude: ["Frames"]` at the test target.
///
/// - Parameters:
///   - stage: The stage.
///   - name: The name of the file.
///   - instants: When to look; without it at nine instants from when the first of the animations under way
///     has begun to when the last is over, or two seconds later where one does not end.
///   - width: The number of columns.
///   - height: The number of rows.
///   - fileID: The place to blame, like the following.
///   - filePath: The same place as a path, beside which the folder is.
///   - line: The line in the file.
///   - column: The column in the line.
public func expectFrames(
  of stage: Stage,
  matching name: String,
  at instants: [Duration]? = nil,
  width: Int = 40,
  height: Int = 10,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let sheet = FrameSheet(
    (instants ?? stage.tellingInstants).map { instant in
      FramePicture(Canvas(stage.frame(at: instant), width: width, height: height), at: instant)
    })
  let file = URL(filePath: "\(filePath)").deletingLastPathComponent()
    .appending(path: "Frames/\(name).txt")
  let accepts = ProcessInfo.processInfo.environment["RONDO_ACCEPT_FRAMES"] == "1"
  if let problem = sheet.compare(with: file, name: name, accepts: accepts) {
    reportIssue(problem, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Stage {
  /// The instants that tell most of what is under way.
  package var tellingInstants: [Duration] {
    let spans = animations.map(\.span)
    guard let begin = spans.map(\.begin).min() else { return [instant] }
    let end = spans.reduce(begin) { end, span in
      max(end, span.begin + .seconds(span.duration < 1e6 ? span.duration : 2))
    }
    // Whole milliseconds, so that the file is read easily.
    let step = ((end - begin) / .milliseconds(8)).rounded(.up)
    return (0...8).map { begin + .milliseconds(Int(step) * $0) }
  }
}
