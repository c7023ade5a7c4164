// The characters that turn one canvas on a terminal into another.

extension Canvas {
  /// Cells beside one another that differ from what is shown.
  public struct Run: Hashable, Sendable {
    /// The first column, from 0.
    public var column: Int
    /// The row, from 0.
    public var row: Int
    /// The new cells.
    public var cells: [Cell]
  }

  /// The cells that differ from another canvas, and no others, row by row.
  ///
  /// - Parameter old: What is shown. If it has another size, or there is none, all cells differ.
  public func changes(from old: Canvas?) -> [Run] {
    guard let old, old.width == width, old.height == height else { return runs { _ in true } }
    return old.cells.withUnsafeBufferPointer { old in
      cells.withUnsafeBufferPointer { new in runs { !(old[$0] == new[$0]) } }
    }
  }

  /// The cells whose places in the array are asked for.
  private func runs(where differs: (Int) -> Bool) -> [Run] {
    var runs: [Run] = []
    for row in 0..<height {
      var column = 0
      while column < width {
        let start = column
        while column < width, differs(row * width + column) { column += 1 }
        guard column == start else {
          let line = row * width
          let changed = Array(cells[line + start..<line + column])
          runs.append(Run(column: start, row: row, cells: changed))
          continue
        }
        column += 1
      }
    }
    return runs
  }

  /// The characters that turn what a terminal shows into this canvas.
  ///
  /// It is empty if nothing differs, and leaves the terminal with its own colours.
  ///
  /// - Parameters:
  ///   - old: What is shown; `nil` for anything.
  ///   - ability: Which colours the terminal can show.
  public func ansi(from old: Canvas?, ability: ColorAbility) -> String {
    guard ability != .none else { return uncolored.ansi(from: old?.uncolored) }
    return ansi(from: old, ability)
  }

  private func ansi(from old: Canvas?, _ ability: ColorAbility = .none) -> String {
    var output: [UInt8] = []
    var style = Style()
    for run in changes(from: old) {
      output += "\u{1B}[\(run.row + 1);\(run.column + 1)H".utf8
      var isPlaced = true
      for (column, cell) in zip(run.column..., run.cells) {
        guard let glyph = cell.glyph else { continue }
        if !isPlaced { output += "\u{1B}[\(run.row + 1);\(column + 1)H".utf8 }
        // Terminals differ in the cells that a character of several scalars takes.
        isPlaced = glyph.utf8.count == 1 || glyph.unicodeScalars.count == 1
        if style.differs(from: cell) { output += style.change(to: cell, ability).utf8 }
        output += glyph.utf8
      }
    }
    if style != Style() { output += "\u{1B}[0m".utf8 }
    return String(decoding: output, as: UTF8.self)
  }

  /// The colours that the terminal writes with.
  private struct Style: Equatable {
    var foreground: RGB?
    var background: RGB?

    func differs(from cell: Cell) -> Bool {
      cell.foreground != foreground || cell.background != background
    }

    /// The sequence that sets the colours of a cell.
    mutating func change(to cell: Cell, _ ability: ColorAbility) -> String {
      var parameters: [String] = []
      // Of sixteen colours, that of the text may depend on what is behind it.
      if cell.foreground != foreground || ability == .sixteen {
        foreground = cell.foreground
        parameters += [
          ability.parameters(foreground, isBackground: false, on: cell.background)
        ].compactMap(\.self)
      }
      if cell.background != background {
        background = cell.background
        parameters += [ability.parameters(background, isBackground: true)].compactMap(\.self)
      }
      return "\u{1B}[\(parameters.joined(separator: ";"))m"
    }
  }
}
