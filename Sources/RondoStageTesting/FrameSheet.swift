// Frames as text in a file, and the comparison of two of them.

import Foundation
import RondoScheduling
import RondoStage

/// One frame: a glyph and its colours for each cell.
package struct FramePicture: Hashable, Sendable {
  package struct Cell: Hashable, Sendable {
    var glyph: Character
    /// Such as `#FF8800 on #000000`; empty for the terminal's own.
    var colors = ""
  }

  let title: String
  var rows: [[Cell]]

  package init(_ canvas: Canvas, at instant: Duration) {
    title = "\(instant.inMilliseconds) s"
    rows = (0..<canvas.height).map { row in
      (0..<canvas.width).compactMap { column in
        let cell = canvas[column: column, row: row]
        return cell.glyph.map { Cell(glyph: $0, colors: cell.colors) }
      }
    }
  }

  /// A picture in a file: a title, then the rows, then the colours.
  fileprivate init(title: Substring, lines: ArraySlice<Substring>) {
    self.title = String(title)
    rows = lines.filter { $0.hasPrefix("|") }.map { line in
      line.dropFirst().dropLast(line.hasSuffix("|") && line.count > 1 ? 1 : 0).map {
        Cell(glyph: $0)
      }
    }
    for line in lines where line.hasPrefix("  ") {
      // `  ROW: FIRST-LAST COLOURS`
      let parts = line.dropFirst(2).split(separator: " ", maxSplits: 2)
      guard parts.count == 3, let row = Int(parts[0].dropLast()), rows.indices.contains(row)
      else { continue }
      let ends = parts[1].split(separator: "-").compactMap { Int($0) }
      guard ends.count == 2, ends[0] <= ends[1] else { continue }
      for column in ends[0]...ends[1] where rows[row].indices.contains(column) {
        rows[row][column].colors = String(parts[2])
      }
    }
  }

  /// The rows between bars, and the colours of pieces of them.
  var lines: [String] {
    rows.map { "|" + String($0.map(\.glyph)) + "|" }
      + rows.enumerated().flatMap { index, row in
        var lines: [String] = []
        var start = 0
        while start < row.count {
          let end = row[start...].prefix { $0.colors == row[start].colors }.endIndex
          if !row[start].colors.isEmpty {
            lines.append("  \(index): \(start)-\(end - 1) \(row[start].colors)")
          }
          start = end
        }
        return lines
      }
  }

  func cell(_ row: Int, _ column: Int) -> Cell? {
    rows.indices.contains(row) && rows[row].indices.contains(column) ? rows[row][column] : nil
  }
}

extension Canvas.Cell {
  fileprivate var colors: String {
    func spell(_ color: RGB) -> String {
      Color(UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)).description
    }
    return [foreground.map(spell), background.map { "on " + spell($0) }]
      .compactMap(\.self).joined(separator: " ")
  }
}

/// The frames of a test.
package struct FrameSheet: Hashable, Sendable {
  package var pictures: [FramePicture]

  package init(_ pictures: [FramePicture]) {
    self.pictures = pictures
  }

  package init(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let starts = lines.indices.filter { lines[$0].hasPrefix("== ") }
    pictures = zip(starts, starts.dropFirst() + [lines.endIndex]).map { start, end in
      FramePicture(title: lines[start].dropFirst(3), lines: lines[(start + 1)..<end])
    }
  }

  package var text: String {
    pictures.map { (["== \($0.title)"] + $0.lines).joined(separator: "\n") + "\n" }.joined()
  }

  /// Compares with the frames in a file, which is written if it is not there, or if what is shown is right.
  ///
  /// - Returns: What there is to report.
  package func compare(with file: URL, name: String, accepts: Bool) -> String? {
    guard let text = try? String(contentsOf: file, encoding: .utf8), !accepts else {
      do {
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(self.text.utf8).write(to: file)
      } catch {
        return "The frames '\(name)' cannot be written to \(file.path): \(error)."
      }
      return accepts
        ? nil
        : """
        There were no frames '\(name)'. They are in \(file.path) now: look whether they are right, and run the \
        test again.
        """
    }
    let expected = FrameSheet(text: text)
    guard expected != self else { return nil }
    return difference(from: expected, name: name)
  }

  private func difference(from expected: FrameSheet, name: String) -> String {
    let count = max(pictures.count, expected.pictures.count)
    func picture(_ sheet: FrameSheet, _ index: Int) -> FramePicture? {
      index < sheet.pictures.count ? sheet.pictures[index] : nil
    }
    let different = (0..<count).filter { picture(self, $0) != picture(expected, $0) }
    let first = different[0]
    func shown(_ picture: FramePicture?) -> String {
      picture.map { (["\($0.title):"] + $0.lines).joined(separator: "\n") } ?? "no frame"
    }
    let image = FileManager.default.temporaryDirectory
      .appending(path: "\(name)-difference.svg")
    let drawing = FrameComparison(
      pairs: different.map { (picture(expected, $0), picture(self, $0)) })
    let isDrawn = (try? Data(drawing.svg.utf8).write(to: image)) != nil
    return """
      \(different.count) of the \(count) frames '\(name)' \(different.count == 1 ? "is" : "are") not as before.\
      \(isDrawn ? " A picture of the difference is in \(image.path)." : "") If what is shown now is right, run \
      this once with RONDO_ACCEPT_FRAMES=1.

      Before, at \(shown(picture(expected, first)))

      Now, at \(shown(picture(self, first)))
      """
  }
}
