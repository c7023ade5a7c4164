// A frame as cells of a terminal.

import Foundation
import RondoAnimation

/// A colour as a terminal takes it.
public struct RGB: Hashable, Sendable {
  /// 0…255.
  public var red: UInt8

  /// 0…255.
  public var green: UInt8

  /// 0…255.
  public var blue: UInt8

  /// A colour by its components.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// A frame as cells of a terminal.
///
/// Positions are rounded to cells, halves away from zero. What is not opaque is mixed with what is
/// behind it in plain sRGB, and rounded once, when all has been drawn. A cell shows one glyph: of two
/// that are over one another the upper one from half its opacity on, else the lower one, in a mix of
/// their colours. What is turned is drawn cell by cell, where the middle of each cell comes to be;
/// the glyphs themselves stay upright. A character that a terminal would obey, such as an escape or one
/// that turns the direction of text, is drawn as a space.
///
/// ```swift
/// let canvas = Canvas(stage.frame(at: now), width: 80, height: 24)
/// print(canvas.ansi(from: shown, ability: .full), terminator: "")
/// ```
public struct Canvas: Hashable, Sendable {
  /// One cell of a terminal.
  public struct Cell: Hashable, Sendable {
    /// The glyph in the cell; `nil` in the second cell of a wide character.
    public var glyph: Character?

    /// The colour of the glyph; `nil` for the terminal's own.
    public var foreground: RGB?

    /// The colour behind the glyph; `nil` for the terminal's own.
    public var background: RGB?

    /// A cell with nothing in it.
    public static let blank = Cell(glyph: " ", foreground: nil, background: nil)

    // Not derived: the comparison of optionals is generic, and slow where it is not optimized.
    public static func == (lhs: Cell, rhs: Cell) -> Bool {
      RGB.areSame(lhs.foreground, rhs.foreground) && RGB.areSame(lhs.background, rhs.background)
        && lhs.glyph == rhs.glyph
    }
  }

  /// The number of columns.
  public let width: Int

  /// The number of rows.
  public let height: Int

  /// The cells, row by row.
  public private(set) var cells: [Cell]

  /// A canvas with nothing on it.
  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: .blank, count: self.width * self.height)
  }

  /// A canvas with a frame on it.
  ///
  /// - Parameters:
  ///   - frame: What to draw, back to front.
  ///   - width: The number of columns.
  ///   - height: The number of rows.
  ///   - foreground: What to take the terminal's own colour of glyphs for where it is mixed.
  ///   - background: What to take the terminal's own background for where it is mixed.
  public init(
    _ frame: StageFrame,
    width: Int,
    height: Int,
    foreground: Color = .white,
    background: Color = .black
  ) {
    self.init(width: width, height: height)
    var painter = Painter(
      width: self.width,
      height: self.height,
      foreground: foreground,
      background: background
    )
    for node in frame.nodes { painter.draw(node, clips: frame.clips) }
    cells = painter.cells
  }

  /// The cell at a place on the canvas.
  public subscript(column column: Int, row row: Int) -> Cell {
    cells[row * width + column]
  }

  /// The canvas in the terminal's own colours.
  var uncolored: Canvas {
    var canvas = self
    canvas.cells = cells.map { Cell(glyph: $0.glyph, foreground: nil, background: nil) }
    return canvas
  }

  /// The glyphs as lines of text, without the spaces at their ends.
  public var text: String {
    (0..<height).map { row in
      var line = String(cells[row * width..<(row + 1) * width].compactMap(\.glyph))
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}

/// A canvas while it is painted, with colours that have not been rounded.
private struct Painter {
  let width: Int
  let height: Int
  let foreground: Color
  let background: Color
  private var paints: [Paint]
  /// The colours that are painted with, after the terminal's own.
  private var colors: [Color?] = []
  /// Whether any glyph of two cells has been painted.
  private var hasWideGlyphs = false
  /// The shapes around the node that is drawn.
  private var clip: Clipping?
  /// The colours of the node that is drawn.
  private var ink = Ink(Appearance())
  private var (foregroundOfInk, backgroundOfInk) = (0, 0)
  /// The colours that the node's background was laid over last, and those that came of it. Most cells have the
  /// colours of the one before.
  private var lastMix = (before: Paint(), after: Paint())

  /// The colours and opacities that a node paints its cells with, computed once for each node.
  private struct Ink {
    let foreground: Color?
    let background: Color?
    /// The opacity of glyphs.
    let opacity: Double
    /// The opacity of what is behind glyphs.
    let backgroundOpacity: Double

    init(_ appearance: Appearance) {
      func seen(_ color: Color?) -> Double {
        color.map { appearance.opacity * min(max($0.alpha, 0), 1) } ?? appearance.opacity
      }
      foreground = appearance.foreground
      background = appearance.background
      opacity = seen(foreground)
      backgroundOpacity = seen(background)
    }
  }

  /// A glyph, and the places of its colours in the list of those that are painted with.
  private struct Paint {
    var glyph: Character? = " "
    var foreground = 0
    var background = 0
  }

  /// Adds a colour to the list.
  private mutating func place(of color: Color?) -> Int {
    guard let color else { return 0 }
    colors.append(color)
    return colors.count - 1
  }

  /// Lays a glyph over what is there, or only what is behind glyphs if there is none.
  private mutating func lay(_ glyph: Character?, over paint: inout Paint) {
    if let glyph {
      let opacity = ink.opacity
      guard opacity < 1 else {
        paint.glyph = glyph
        paint.foreground = foregroundOfInk
        return
      }
      let behind = colors[paint.background] ?? background
      let isBlank = paint.glyph == " "
      let isShown = isBlank || opacity >= 0.5
      let before = isBlank ? behind : colors[paint.foreground] ?? foreground
      let own = ink.foreground ?? foreground
      if glyph != " " {
        paint.foreground = place(of: own.mixed(over: before, opacity: opacity))
      } else if isShown {
        paint.foreground = place(of: own.mixed(over: behind, opacity: opacity))
      } else {
        // A space has no ink. The glyph that shows through it goes towards the background.
        paint.foreground = place(of: behind.mixed(over: before, opacity: opacity))
      }
      if isShown { paint.glyph = glyph }
    } else if let color = ink.background {
      let opacity = ink.backgroundOpacity
      guard opacity < 1 else { return paint = Paint(background: backgroundOfInk) }
      if paint.background == lastMix.before.background,
        paint.foreground == lastMix.before.foreground
      {
        (paint.background, paint.foreground) = (lastMix.after.background, lastMix.after.foreground)
        return
      }
      lastMix.before = paint
      let behind = colors[paint.background] ?? background
      let before = colors[paint.foreground] ?? foreground
      paint.background = place(of: color.mixed(over: behind, opacity: opacity))
      paint.foreground = place(of: color.mixed(over: before, opacity: opacity))
      lastMix.after = paint
    }
  }

  init(width: Int, height: Int, foreground: Color, background: Color) {
    self.width = width
    self.height = height
    self.foreground = foreground
    self.background = background
    paints = Array(repeating: Paint(), count: width * height)
    colors.reserveCapacity(width * height)
    colors.append(nil)
  }

  var cells: [Canvas.Cell] {
    // Most cells have the colours of the cell to their left.
    var (foreground, background) = (0, 0)
    var cell = Canvas.Cell.blank
    var cells = Array(repeating: cell, count: paints.count)
    // Arrays are generic, and slow where they are not optimized. Pointers are not.
    paints.withUnsafeBufferPointer { paints in
      cells.withUnsafeMutableBufferPointer { cells in
        guard let from = paints.baseAddress, let to = cells.baseAddress else { return }
        var index = 0
        while index < paints.count {
          cell.glyph = from[index].glyph
          if from[index].foreground != foreground {
            foreground = from[index].foreground
            cell.foreground = colors[foreground].map(RGB.init)
          }
          if from[index].background != background {
            background = from[index].background
            cell.background = colors[background].map(RGB.init)
          }
          to[index] = cell
          index += 1
        }
      }
    }
    return cells
  }

  mutating func draw(_ node: ResolvedNode, clips: [StageFrame.Clip]) {
    guard node.opacity > 0 else { return }
    clip = node.clip < 0 ? nil : Clipping(node.clip, clips)
    ink = Ink(node.appearance)
    (foregroundOfInk, backgroundOfInk) = (place(of: ink.foreground), place(of: ink.background))
    lastMix.before.background = -1
    guard node.appearance.isUpright, node.appearance.scale.x >= 0, node.appearance.scale.y >= 0
    else { return drawTransformed(node) }
    let area = Area(node.frame)
    if ink.background != nil {
      if ink.backgroundOpacity >= 1, clip == nil, !hasWideGlyphs {
        fill(area, with: Paint(background: backgroundOfInk))
      } else {
        area.forEach(width: width, height: height) { paint(nil, column: $0, row: $1) }
      }
    }
    switch node.content {
    case .group: break
    case .text(let text): draw(text, in: area, node.appearance)
    case .shape(let shape): draw(shape, in: area)
    }
  }

  /// Paints over all that is there, a row at a time.
  private mutating func fill(_ area: Area, with paint: Paint) {
    let (left, right) = (max(area.x, 0), min(area.x + area.width, width))
    let (top, bottom) = (max(area.y, 0), min(area.y + area.height, height))
    guard left < right, top < bottom else { return }
    paints.withUnsafeMutableBufferPointer { paints in
      guard let first = paints.baseAddress else { return }
      var row = top
      while row < bottom {
        (first + (row * width + left)).update(repeating: paint, count: right - left)
        row += 1
      }
    }
  }

  private mutating func draw(_ text: String, in area: Area, _ appearance: Appearance) {
    // A text that is shown smaller than it is loses as much at both ends.
    let length = appearance.scale.x < 1 ? Int(TextMeasure.size(of: text).width) : 0
    let start = -max(0, length - area.width) / 2
    var (column, row) = (start, 0)
    for character in text {
      guard !character.isNewline else {
        (column, row) = (start, row + 1)
        continue
      }
      guard row < area.height else { return }
      let glyph = TextMeasure.drawn(character)
      let cells = TextMeasure.cells(of: glyph)
      if column >= 0, column + cells <= area.width {
        let (column, row) = (area.x + column, area.y + row)
        if cells == 1 {
          paint(glyph, column: column, row: row)
        } else {
          paintWide(glyph, column: column, row: row)
        }
      }
      column += cells
    }
  }

  private mutating func draw(_ shape: any Shape, in area: Area) {
    let glyph = TextMeasure.drawn(shape.glyph)
    area.forEach(width: width, height: height) { column, row in
      let point = UnitPoint(
        x: (Double(column - area.x) + 0.5) / Double(area.width),
        y: (Double(row - area.y) + 0.5) / Double(area.height)
      )
      if shape.draws(point, size: area.size) { paint(glyph, column: column, row: row) }
    }
  }

  /// Paints a glyph, or only what is behind glyphs if there is none.
  private mutating func paint(_ glyph: Character?, column: Int, row: Int) {
    guard column >= 0, column < width, row >= 0, row < height else { return }
    if let clip, !clip.shows(column: column, row: row) { return }
    guard !hasWideGlyphs, let glyph, ink.opacity >= 1 else {
      return mix(glyph, column: column, row: row)
    }
    paints[row * width + column].glyph = glyph
    paints[row * width + column].foreground = foregroundOfInk
  }

  /// Paints over what may be seen through it, or be half of a glyph of two cells.
  private mutating func mix(_ glyph: Character?, column: Int, row: Int) {
    var cell = paints[row * width + column]
    lay(glyph, over: &cell)
    replace(column: column, row: row, with: cell)
  }

  /// Paints a glyph of two cells.
  private mutating func paintWide(_ glyph: Character, column: Int, row: Int) {
    let halves = [column, column + 1].filter { shows(column: $0, row: row) }
    guard halves.count == 2 else {
      for column in halves { paint(" ", column: column, row: row) }
      return
    }
    let inked = halves.filter { paints[row * width + $0].glyph != " " }
    guard ink.opacity >= 0.5 || inked.isEmpty else {
      // It is not shown, and mixes its colour into those that are.
      for column in inked { paint(glyph, column: column, row: row) }
      return
    }
    hasWideGlyphs = true
    paint(glyph, column: column, row: row)
    var second = paints[row * width + column]
    second.glyph = nil
    replace(column: column + 1, row: row, with: second)
  }

  /// Whether a cell is on the canvas, and inside of the shapes around the node.
  private func shows(column: Int, row: Int) -> Bool {
    guard (0..<width).contains(column), (0..<height).contains(row) else { return false }
    return clip?.shows(column: column, row: row) ?? true
  }

  /// Replaces a cell. If it was half of a wide glyph and is so no more, the other half is blank.
  private mutating func replace(column: Int, row: Int, with cell: Paint) {
    let index = row * width + column
    let before = paints[index].glyph
    let wasFirst = column + 1 < width && before != nil && paints[index + 1].glyph == nil
    paints[index] = cell
    guard cell.glyph != before else { return }
    if wasFirst { paints[index + 1].glyph = " " }
    if before == nil { paints[index - 1].glyph = " " }
  }
}

// MARK: - What is turned

extension Painter {
  /// Draws a node that is turned, slanted or mirrored.
  private mutating func drawTransformed(_ node: ResolvedNode) {
    let appearance = node.appearance
    let transform = appearance.transform
    let size = appearance.size
    if appearance.background != nil {
      fill(transform, size) { _ in true }.forEach {
        paint(nil, column: $0.column, row: $0.row)
      }
    }
    switch node.content {
    case .group: break
    case .shape(let shape):
      let glyph = TextMeasure.drawn(shape.glyph)
      let shown = Size(
        width: size.width * abs(appearance.scale.x), height: size.height * abs(appearance.scale.y))
      fill(transform, size) { shape.draws($0, size: shown) }.forEach {
        paint(glyph, column: $0.column, row: $0.row)
      }
    case .text(let text): drawTransformed(text, appearance, transform)
    }
  }

  /// The cells of which the middle is inside of a rectangle that has been transformed, and in a part
  /// of its unit square.
  private func fill(
    _ transform: CGAffineTransform,
    _ size: Size,
    where isInside: (UnitPoint) -> Bool
  ) -> [(column: Int, row: Int)] {
    let inverse = transform.inverted()
    let determinant = transform.a * transform.d - transform.b * transform.c
    guard size.width > 0, size.height > 0, abs(determinant) > 1e-9 else { return [] }
    let corners = [(0, 0), (size.width, 0), (0, size.height), (size.width, size.height)]
      .map { transform.apply(Point(x: $0.0, y: $0.1)) }
    func cells(_ values: [Double], limit: Int) -> Range<Int> {
      let low = values.min() ?? 0
      let high = values.max() ?? 0
      guard low.isFinite, high.isFinite else { return 0..<0 }
      let start = Int(max(0, min(low.rounded(.down), Double(limit))))
      return start..<max(start, Int(max(0, min(high.rounded(.up), Double(limit)))))
    }
    var result: [(column: Int, row: Int)] = []
    for row in cells(corners.map(\.y), limit: height) {
      for column in cells(corners.map(\.x), limit: width) {
        let point = inverse.apply(Point(x: Double(column) + 0.5, y: Double(row) + 0.5))
        let unit = UnitPoint(x: point.x / size.width, y: point.y / size.height)
        guard (0..<1).contains(unit.x), (0..<1).contains(unit.y), isInside(unit) else { continue }
        result.append((column, row))
      }
    }
    return result
  }

  private mutating func drawTransformed(
    _ text: String,
    _ appearance: Appearance,
    _ transform: CGAffineTransform
  ) {
    // Seen edge-on there is nothing to read.
    guard abs(appearance.scale.x) >= 0.5, abs(appearance.scale.y) >= 0.5 else { return }
    var (column, row) = (0, 0)
    for character in text {
      guard !character.isNewline else {
        (column, row) = (0, row + 1)
        continue
      }
      let glyph = TextMeasure.drawn(character)
      let cells = TextMeasure.cells(of: glyph)
      let middle = Point(x: Double(column) + Double(cells) / 2, y: Double(row) + 0.5)
      column += cells
      guard middle.x < appearance.size.width, middle.y < appearance.size.height else { continue }
      let place = transform.apply(middle)
      guard place.x.isFinite, place.y.isFinite, abs(place.x) < 1e6, abs(place.y) < 1e6 else {
        continue
      }
      // A middle that is on an edge by rounding errors belongs to the cell that it comes from.
      let x = Int((place.x - Double(cells) / 2 + 1e-6).rounded())
      let y = Int((place.y - 0.5 + 1e-6).rounded())
      if cells == 1 {
        paint(glyph, column: x, row: y)
      } else {
        paintWide(glyph, column: x, row: y)
      }
    }
  }
}

/// The shapes around a node, as a test of cells.
private struct Clipping {
  private let clips: [(shape: any Shape, inverse: CGAffineTransform, size: Size)]

  init(_ index: Int, _ all: [StageFrame.Clip]) {
    var clips: [(any Shape, CGAffineTransform, Size)] = []
    var index = index
    while index >= 0 {
      let clip = all[index]
      clips.append(
        (clip.shape, clip.appearance.transform.inverted(), clip.appearance.size))
      index = clip.outer
    }
    self.clips = clips
  }

  func shows(column: Int, row: Int) -> Bool {
    clips.allSatisfy { shape, inverse, size in
      guard size.width > 0, size.height > 0 else { return false }
      let point = inverse.apply(Point(x: Double(column) + 0.5, y: Double(row) + 0.5))
      let unit = UnitPoint(x: point.x / size.width, y: point.y / size.height)
      return (0..<1).contains(unit.x) && (0..<1).contains(unit.y)
        && shape.draws(unit, size: size)
    }
  }
}

/// A rectangle of whole cells.
private struct Area {
  let x: Int
  let y: Int
  let width: Int
  let height: Int

  init(_ frame: Rect) {
    func cell(_ number: Double) -> Int {
      Int(min(max(number.isNaN ? 0 : number, -1e6), 1e6).rounded())
    }
    x = cell(frame.x)
    y = cell(frame.y)
    width = max(0, cell(frame.width))
    height = max(0, cell(frame.height))
  }

  var size: Size { Size(width: Double(width), height: Double(height)) }

  /// The cells that are on a canvas of an extent.
  func forEach(width: Int, height: Int, _ body: (_ column: Int, _ row: Int) -> Void) {
    // Ranges are generic, and slow where they are not optimized.
    let (bottom, right) = (min(y + self.height, height), min(x + self.width, width))
    var row = max(y, 0)
    while row < bottom {
      var column = max(x, 0)
      while column < right {
        body(column, row)
        column += 1
      }
      row += 1
    }
  }
}

extension RGB {
  init(_ color: Color) {
    (red, green, blue) = color.bytes
  }

  fileprivate static func areSame(_ first: RGB?, _ second: RGB?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return first.red == second.red && first.green == second.green && first.blue == second.blue
  }
}
