// Text that fits into some cells.

import RondoStage

extension StringProtocol {
  /// The number of cells that a line takes.
  var cells: Int { reduce(0) { $0 + TextMeasure.cells(of: $1) } }

  /// The beginning that fits into some cells, with `…` at its end if there is more.
  func fitted(to width: Int) -> String {
    var result = ""
    var used = 0
    // The place of the mark, if it has to be made.
    var cut = result.endIndex
    for character in self {
      let cells = TextMeasure.cells(of: character)
      guard used + cells <= width else {
        return width > 0 ? result[..<cut] + "…" : ""
      }
      used += cells
      result.append(character)
      if used < width { cut = result.endIndex }
    }
    return result
  }

  /// The lines that the text takes where no line is wider than some cells.
  ///
  /// A line ends at a space where there is one, and else in the middle of a word. Spaces at the end
  /// of a line that goes on are left out.
  func wrapped(to width: Int) -> [String] {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { Self.wrapped($0, to: Swift.max(1, width)) }
  }

  private static func wrapped(_ line: SubSequence, to width: Int) -> [String] {
    var lines: [String] = []
    var start = line.startIndex
    var index = start
    var used = 0
    /// Behind the last space of the line so far.
    var space: String.Index?
    while index < line.endIndex {
      let character = line[index]
      let cells = Swift.min(TextMeasure.cells(of: character), width)
      if used + cells > width {
        if character == " " {
          // It ends the line, and is not seen.
          lines.append(String(line[start..<index]))
          start = line.index(after: index)
          (index, used, space) = (start, 0, nil)
          continue
        }
        let end = space ?? index
        lines.append(line[start..<end].trimmedAtTheEnd)
        (start, index, used, space) = (end, end, 0, nil)
        continue
      }
      used += cells
      index = line.index(after: index)
      if character == " " { space = index }
    }
    lines.append(String(line[start...]))
    return lines
  }

  private var trimmedAtTheEnd: String {
    var text = String(self)
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension View {
  /// The node in an area, and nothing of it outside.
  func fitted(in size: TerminalSize) -> Node {
    Node.group { node }
      .frame(width: Double(size.width), height: Double(size.height))
      .clipped()
  }
}

extension Node {
  /// A bar at the right that says which part of something is seen; nothing if all of it is.
  static func scrollbar(top: Int, shown: Int, of count: Int) -> Node {
    guard count > shown, shown > 0 else { return .empty }
    let length = max(1, shown * shown / count)
    let place = (shown - length) * top / max(1, count - shown)
    return .group {
      Node.fill("│").frame(width: 1, height: Double(shown)).foreground(.gray)
      Node.fill("┃").frame(width: 1, height: Double(length)).offset(y: Double(place))
    }
  }
}
