// The cells of a terminal: the ones that a program's escape sequences add up to.

/// The part of a terminal that the program needs: text, places, erasing, and its two screens.
public struct TerminalGrid: CustomStringConvertible {
  public let width: Int
  public let height: Int

  /// Whether the screen is the one that programs take for themselves.
  public private(set) var isAlternate = false
  public private(set) var isCursorVisible = true

  private var cells: [[Character]]
  private var row = 0
  private var column = 0
  private var pending: [UInt8] = []

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
    cells = Array(repeating: Array(repeating: " ", count: width), count: height)
  }

  /// The lines, without the spaces at their ends.
  public var lines: [String] {
    cells.map { row in
      var line = String(row)
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The lines.
  public var description: String { lines.joined(separator: "\n") }

  public func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  public mutating func receive(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    var rest = pending[...]
    while let length = step(rest) { rest = rest.dropFirst(length) }
    pending = Array(rest)
  }

  /// Takes one character or sequence; `nil` if it is not there as a whole yet.
  private mutating func step(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1b:
      let body = bytes.dropFirst(2)
      guard let end = body.firstIndex(where: { (0x40...0x7e).contains($0) }) else { return nil }
      perform(String(decoding: body[..<end], as: UTF8.self), bytes[end])
      return end - bytes.startIndex + 1
    case 0x0a: row = min(row + 1, height - 1)
    case 0x0d: column = 0
    case ..<0x20: break
    default:
      let length = first < 0x80 ? 1 : (~first).leadingZeroBitCount
      guard bytes.count >= length else { return nil }
      put(Character(String(decoding: bytes.prefix(length), as: UTF8.self)))
      return length
    }
    return 1
  }

  private mutating func put(_ character: Character) {
    guard row < height, column < width else { return }
    // A mark joins the character before it, and takes no cell.
    if column > 0, (String(cells[row][column - 1]) + String(character)).count == 1 {
      cells[row][column - 1] = Character(String(cells[row][column - 1]) + String(character))
      return
    }
    cells[row][column] = character
    column += 1
  }

  private mutating func perform(_ parameters: String, _ command: UInt8) {
    switch (parameters, command) {
    case ("?1049", UInt8(ascii: "h")): isAlternate = true
    case ("?1049", UInt8(ascii: "l")): isAlternate = false
    case ("?25", UInt8(ascii: "h")): isCursorVisible = true
    case ("?25", UInt8(ascii: "l")): isCursorVisible = false
    case ("2", UInt8(ascii: "J")): self = blank
    case (let place, UInt8(ascii: "H")):
      let numbers = place.split(separator: ";").compactMap { Int($0) }
      (row, column) = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
    default: break
    }
  }

  private var blank: TerminalGrid {
    var grid = self
    grid.cells = TerminalGrid(width: width, height: height).cells
    return grid
  }
}
