// Cells of a terminal: drawing, rounding, mixing, colours and differences.

import RondoSeededRandomness
import Foundation
import FoundationXML
import RondoStage
import Synchronization
import Testing

@Suite struct CanvasTests {
  /// Counts the points that it is asked about.
  private struct Counted: Shape {
    static let count = Atomic(0)

    func contains(_ point: UnitPoint) -> Bool {
      Self.count.add(1, ordering: .relaxed)
      return true
    }
  }

  private func canvas(_ node: Node, width: Int = 8, height: Int = 2) -> Canvas {
    let stage = Stage()
    stage.commit(node, at: .zero)
    return Canvas(stage.frame(at: .zero), width: width, height: height)
  }

  @Test func drawsTextAndShapesBackToFront() {
    let canvas = canvas(
      Node.group {
        Node.fill("#").frame(x: 1, y: 0, width: 6, height: 2)
        Node.text("Hi").offset(x: 3, y: 1)
      }
    )
    #expect(canvas.text == " ######\n ##Hi##")
  }

  @Test func clipsAtItsEdges() {
    #expect(canvas(Node.text("abcdefghij").offset(x: -3, y: 0), height: 1).text == "defghij")
    #expect(canvas(Node.fill("#").frame(x: -5, y: -5, width: 100, height: 6)).text == "########\n")
    #expect(canvas(Node.text("abc").frame(width: 2, height: 1), height: 1).text == "ab")
  }

  @Test func aWideCharacterThatIsHalfOutsideDoesNotTrap() {
    for x in [-1.0, -2, -3] {
      let canvas = canvas(Node.text("日本").offset(x: x, y: 0), height: 1)
      #expect(canvas.text.contains("本") == (x > -3))
    }
    #expect(!canvas(Node.text("日本").offset(x: -1, y: 0), width: 1, height: 1).text.contains("日"))
  }

  @Test func roundsHalvesAwayFromZero() {
    #expect(canvas(Node.text("A").offset(x: 0.5, y: 0), height: 1).text == " A")
    #expect(canvas(Node.text("A").offset(x: 0.49, y: 0), height: 1).text == "A")
    #expect(canvas(Node.text("AB").offset(x: -0.5, y: 0), height: 1).text == "B")
    #expect(Rect(x: -0.0, y: 0, width: 1, height: 1).description == "(0, 0, 1, 1)")
  }

  @Test func fadesByMixingAndRoundsOnce() {
    let canvas = canvas(
      Node.text("A").foreground(Color(0xFF8000)).opacity(0.5).background(Color(0x000040)),
      height: 1
    )
    let cell = canvas[column: 0, row: 0]
    // Half of FF is 127.5, which rounds up; the background is mixed with black first.
    #expect(cell.background == RGB(red: 0, green: 0, blue: 32))
    #expect(cell.foreground == RGB(red: 128, green: 64, blue: 16))
  }

  @Test(arguments: [
    "\t", "\0", "\u{7}", "\u{1b}", "\u{7f}", "\u{84}", "\u{9b}", "\u{61c}", "\u{200b}", "\u{200f}",
    "\u{202e}", "\u{2066}", "\u{2069}", "\u{feff}", "\u{ffff}",
  ])
  func aCharacterThatATerminalObeysIsDrawnAsASpace(_ character: Character) {
    #expect(canvas(Node.text("a\(character)b"), height: 1).text == "a b")
    #expect(canvas(Node.text("a\(character)b").scale(x: -1, y: 1), height: 1).text == "b a")
    #expect(canvas(Node.fill(character).frame(width: 3, height: 1), height: 1).text == "")
  }

  @Test func aTextWritesNoSequencesToTheTerminal() {
    let canvas = canvas(Node.text("\u{1B}]0;x\u{7}"), height: 1)
    #expect(canvas.ansi(from: nil, ability: .none) == "\u{1B}[1;1H ]0;x   ")
  }

  @Test(arguments: ["👩‍👩‍👧", "क्‍ष", "e\u{301}"])
  func aCharacterOfSeveralScalarsIsDrawnAsItIs(_ text: String) {
    #expect(canvas(Node.text(text), height: 1).text == text)
  }

  @Test(arguments: ["\u{301}", "\u{FE0F}", "\u{20DD}", "\u{301}\u{302}"])
  func aMarkWithoutACharacterIsASpace(_ mark: String) {
    #expect(canvas(Node.group { Node.text(mark).offset(x: 1) }, height: 1).text == "")
  }

  @Test func behindACharacterOfSeveralScalarsThePlaceIsNamed() {
    let canvas = canvas(Node.text("aน้ำb"), height: 1)
    #expect(canvas.ansi(from: nil, ability: .none).contains("aน้ำ\u{1B}[1;4Hb"))
  }

  @Test func aNodeWithoutEndCostsWhatIsSeenOfIt() {
    let node = Node.fill("#").frame(width: .infinity, height: .infinity)
    #expect(canvas(node, height: 2).text.split(separator: "\n").count == 2)
    _ = canvas(Node.shape(Counted()).frame(width: .infinity, height: .infinity), height: 2)
    #expect(Counted.count.load(ordering: .relaxed) == 16)
  }

  @Test func whatIsInvisibleIsNotDrawn() {
    #expect(canvas(Node.text("A").opacity(0), height: 1).text == "")
    #expect(canvas(Node.text("A").scale(0), height: 1).text == "")
  }

  @Test func wideCharactersTakeTwoCells() {
    let canvas = canvas(Node.text("a👻b"), height: 1)
    #expect(canvas.text == "a👻b")
    #expect(canvas[column: 2, row: 0].glyph == nil)
    #expect(canvas[column: 3, row: 0].glyph == "b")
  }

  @Test(arguments: [
    ("ब", 1), ("कि", 2), ("क्ष", 2), ("क्षा", 2), ("நா", 2), ("กำ", 2), ("ที่", 1), ("e\u{301}", 1),
    ("각", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("\u{A960}", 2), ("\u{FE10}", 2),
    ("\u{17000}", 2), ("\u{1B000}", 2), ("\u{1F200}", 2), ("→", 1),
  ])
  func aCharacterTakesTheCellsOfItsLetters(_ character: String, _ cells: Int) {
    let canvas = canvas(Node.text(character + "|"), height: 1)
    #expect(canvas[column: cells, row: 0].glyph == "|", "\(canvas.text)")
  }

  // MARK: - Differences

  @Test func differencesAreMinimal() {
    let old = canvas(Node.text("hello"), height: 1)
    let new = canvas(Node.text("hallo!"), height: 1)
    #expect(new.changes(from: old).map(\.column) == [1, 5])
    #expect(new.changes(from: new).isEmpty)
    #expect(new.ansi(from: new, ability: .full) == "")
    #expect(new.ansi(from: old, ability: .none) == "\u{1B}[1;2Ha\u{1B}[1;6H!")
  }

  @Test func applyingTheDifferencesGivesTheNewCanvas() {
    forEachSeed(50) { random in
      func make(_ random: inout Randomness) -> Canvas {
        let word = String((0..<6).map { _ in "ab ".randomElement(using: &random)! })
        let x = random.double(in: -3...6)
        return canvas(Node.text(word).offset(x: x, y: random.bool() ? 0 : 1))
      }
      let (old, new) = (make(&random), make(&random))
      var cells = old.cells
      for run in new.changes(from: old) {
        for (index, cell) in run.cells.enumerated() {
          #expect(cells[run.row * 8 + run.column + index] != cell, "\(random)")
          cells[run.row * 8 + run.column + index] = cell
        }
      }
      #expect(cells == new.cells, "\(random)")
    }
  }

  @Test func aCanvasOfAnotherSizeIsDrawnAnew() {
    let old = canvas(Node.text("A"), width: 3, height: 1)
    let new = canvas(Node.text("A"), width: 4, height: 1)
    #expect(new.changes(from: old).map(\.cells.count) == [4])
  }

  // MARK: - Colours

  @Test(arguments: [
    (ColorAbility.full, "\u{1B}[1;1H\u{1B}[38;2;255;136;0mA\u{1B}[0m"),
    (.twoHundredFiftySix, "\u{1B}[1;1H\u{1B}[38;5;208mA\u{1B}[0m"),
    (.sixteen, "\u{1B}[1;1H\u{1B}[33mA\u{1B}[0m"),
    (.none, "\u{1B}[1;1HA"),
  ])
  func fallsBackToWhatTheTerminalCan(_ ability: ColorAbility, _ expected: String) {
    let old = canvas(Node.empty, height: 1)
    let new = canvas(Node.text("A").foreground(Color(0xFF8800)), height: 1)
    #expect(new.ansi(from: old, ability: ability) == expected)
  }

  // S5
  @Test(arguments: [(0x9090A8, 0x3A3A55, "97;100"), (0x3A3A55, 0x9090A8, "30;100")])
  func withSixteenColoursTextIsSeenOnWhatIsBehindIt(text: UInt32, ground: UInt32, expected: String)
  {
    let old = canvas(Node.empty, width: 2, height: 1)
    let node = Node.group {
      Node.fill(" ").frame(width: 2, height: 1).foreground(.white)
      Node.text("A").foreground(Color(text)).frame(width: 1, height: 1).background(Color(ground))
    }
    let new = canvas(node, width: 2, height: 1)
    #expect(new.ansi(from: old, ability: .sixteen).contains("[\(expected)mA"))
  }

  @Test func withoutColoursAChangeOfColourIsNone() {
    let old = canvas(Node.text("A").foreground(.red), height: 1)
    let new = canvas(Node.text("A").foreground(.blue).background(.white), height: 1)
    #expect(new.ansi(from: old, ability: .none) == "")
  }

  @Test func greysUseTheGreyRamp() {
    let old = canvas(Node.empty, height: 1)
    let new = canvas(Node.text("A").foreground(Color(0x767676)), height: 1)
    #expect(new.ansi(from: old, ability: .twoHundredFiftySix).contains("38;5;243m"))
  }

  @Test(arguments: [
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColorAbility.full),
    (["TERM": "xterm-256color"], .twoHundredFiftySix),
    (["TERM": "xterm"], .sixteen),
    (["TERM": "dumb"], .none),
    ([:], .none),
    (["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
    (["TERM": "xterm-256color", "NO_COLOR": ""], .twoHundredFiftySix),
  ])
  func theEnvironmentSaysWhatTheTerminalCan(
    _ environment: [String: String],
    _ ability: ColorAbility
  ) {
    #expect(ColorAbility(environment: environment) == ability)
  }
}

/// One cell shows one of several glyphs; what is turned is drawn where it comes to be.
@Suite struct CanvasLayerTests {
  private func canvas(_ node: Node, width: Int = 8, height: Int = 2) -> Canvas {
    let stage = Stage()
    stage.commit(node, at: .zero)
    return Canvas(stage.frame(at: .zero), width: width, height: height)
  }

  private func overlaid(_ opacity: Double) -> Canvas.Cell {
    canvas(
      Node.group {
        Node.text("A").foreground(Color(0x000000))
        Node.text("B").foreground(Color(0xFFFFFF)).opacity(opacity)
      })[column: 0, row: 0]
  }

  @Test(arguments: [(0.001, Character("A")), (0.4, "A"), (0.5, "B"), (0.9, "B")])
  func belowHalfItsOpacityAGlyphShowsTheOneBeneath(_ opacity: Double, _ glyph: Character) {
    #expect(overlaid(opacity).glyph == glyph)
  }

  @Test func theColoursOfGlyphsOverOneAnotherMix() {
    #expect(overlaid(0.25).foreground == RGB(red: 64, green: 64, blue: 64))
    #expect(overlaid(0.75).foreground == RGB(red: 191, green: 191, blue: 191))
  }

  @Test func aFaintGlyphOverNothingIsShown() {
    #expect(canvas(Node.text("A").opacity(0.1), height: 1).text == "A")
  }

  @Test(arguments: [
    (90.0, "  A\n  B\n  C"), (180.0, "\nCBA"), (-90.0, "  C\n  B\n  A"), (360, "\nABC"),
  ])
  func aTextTurnsCellByCell(_ degrees: Double, _ picture: String) {
    let canvas = canvas(Node.text("ABC").rotation(degrees: degrees).offset(x: 1, y: 1), height: 3)
    let expected = picture.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty || $0.hasPrefix("  ") ? String($0) : " " + $0 }
    let lines = canvas.text.split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    #expect(lines.prefix(expected.count).elementsEqual(expected), "\(canvas.text)")
  }

  @Test func aShapeTurns() {
    let bar = Node.fill("#").frame(x: 1, y: 2, width: 5, height: 1)
    #expect(canvas(bar, height: 5).text == "\n\n #####\n\n")
    #expect(
      canvas(bar.rotation(degrees: 90), height: 5).text == "   #\n   #\n   #\n   #\n   #")
  }

  @Test func childrenTurnWithTheNodeAroundThem() {
    let node = Node.group { Node.text("A") }.frame(x: 0, y: 0, width: 3, height: 3)
    #expect(canvas(node.rotation(degrees: 90), height: 3).text == "  A\n\n")
    #expect(canvas(node.rotation(degrees: 180), height: 3).text == "\n\n  A")
    #expect(canvas(node.rotation(degrees: 270), height: 3).text == "\n\nA")
  }

  @Test func aMirroredTextIsReadBackwards() {
    #expect(canvas(Node.text("ABC").scale(x: -1, y: 1), height: 1).text == "CBA")
  }

  @Test func aClippedNodeIsShownInsideOfItsShape() {
    let node = Node.text("abcdefgh").frame(width: 8, height: 1).offset(x: -2, y: 0)
    #expect(canvas(Node.group { node }.frame(width: 4, height: 1).clipped()).text == "cdef\n")
  }

  @Test func shapesAreDrawn() {
    func drawn(_ view: some View) -> String {
      canvas(view.frame(width: 5, height: 5), width: 5, height: 5).text
    }
    #expect(drawn(Circle()) == " ███\n█████\n█████\n█████\n ███")
    #expect(drawn(Rectangle().strokeBorder()) == "█████\n█   █\n█   █\n█   █\n█████")
    #expect(drawn(RoundedRectangle(cornerRadius: 2)) == " ███\n█████\n█████\n█████\n ███")
    #expect(drawn(Triangle()) == "  █\n  █\n ███\n ███\n█████")
  }

  @Test func aTextFadesIntoAnotherOneWithoutOverprinting() {
    let stage = Stage()
    func tree(_ text: String) -> Node { Node.text(text).contentTransition(.opacity).id("a") }
    func shown(_ instant: Duration) -> String {
      Canvas(stage.frame(at: instant), width: 12, height: 1).text
    }
    stage.commit(tree("signing in…"), at: .zero)
    stage.commit(tree("Blob"), transaction: Transaction(animation: .linear(duration: 1)), at: .zero)
    #expect(shown(.milliseconds(250)) == "signing in…")
    #expect(stage.opacity("a", at: .milliseconds(250)) == 0.5)
    #expect(shown(.milliseconds(750)) == "Blob")
    #expect(stage.opacity("a", at: .milliseconds(750)) == 0.5)
    #expect(shown(.seconds(1)) == "Blob" && stage.opacity("a", at: .seconds(1)) == 1)
    stage.commit(tree("nobody"), at: .seconds(2))
    #expect(shown(.seconds(2)) == "nobody")
  }
}

/// A wide character takes two cells, and keeps its row as long as the canvas is wide.
@Suite struct WideCharacterTests {
  private func canvas(width: Int = 6, _ nodes: [Node]) -> Canvas {
    let stage = Stage()
    stage.commit(Node.group { nodes }, at: .zero)
    return Canvas(stage.frame(at: .zero), width: width, height: 1)
  }

  private func text(_ text: String, _ x: Double, _ opacity: Double = 1) -> Node {
    Node.text(text).offset(x: x).opacity(opacity)
  }

  /// The cells as text, with `-` for the second cell of a wide character.
  private func cells(_ canvas: Canvas) -> String {
    String(canvas.cells.map { $0.glyph ?? "-" })
  }

  @Test(arguments: [(0.0, "x b本-"), (1, " xb本-"), (2, "日-x本-"), (3, "日-bx "), (4, "日-b x")])
  func aNarrowCharacterOverHalfOfAWideOneBlanksTheOtherHalf(_ x: Double, _ expected: String) {
    #expect(cells(canvas(width: 5, [text("日b本", 0), text("x", x)])) == expected)
  }

  @Test(arguments: [(0.0, "語-b本-"), (1, " 語-本-"), (2, "日-語- "), (3, "日-b語-")])
  func aWideCharacterCoversTwoCells(_ x: Double, _ expected: String) {
    #expect(cells(canvas(width: 5, [text("日b本", 0), text("語", x)])) == expected)
  }

  @Test func aBackgroundOverHalfOfAWideCharacterBlanksTheOtherHalf() {
    let cover = Node.group {}.frame(x: 1, width: 1, height: 1).background(.blue)
    #expect(cells(canvas([text("日b", 0), cover])) == "  b   ")
  }

  @Test(arguments: [(0.4, "abc   "), (0.5, "a日-   "), (1, "a日-   ")])
  func belowHalfItsOpacityAWideCharacterShowsTheOnesBeneath(_ opacity: Double, _ expected: String) {
    #expect(cells(canvas([text("abc", 0), text("日", 1, opacity)])) == expected)
  }

  @Test func aFaintWideCharacterThatCoversOneNarrowOneIsNotShown() {
    #expect(cells(canvas([text("a", 0), text("日", 0, 0.1)])) == "a     ")
    #expect(cells(canvas([text("a", 1), text("日", 0, 0.1)])) == " a    ")
    #expect(cells(canvas([text("日", 0, 0.1)])) == "日-    ")
  }

  @Test func aFaintCharacterOverAWideOneLeavesItWhole() {
    #expect(cells(canvas([text("日", 0), text("x", 1, 0.3)])) == "日-    ")
  }

  @Test func halfAWideCharacterAtAnEdgeIsBlank() {
    #expect(cells(canvas(width: 3, [text("日本", 0)])) == "日- ")
    #expect(cells(canvas(width: 3, [text("日本", -1)])) == " 本-")
    let clipped = Node.group { Node.text("日本") }.frame(width: 3, height: 1).clipped()
    #expect(cells(canvas([text("abcdef", 0), clipped])) == "日- def")
  }

  @Test func everyRowIsAsLongAsTheCanvasWhateverIsDrawn() {
    forEachSeed(300) { random in
      let nodes = (0..<6).map { _ in
        let word = String((0..<3).map { _ in "a日本 b".randomElement(using: &random)! })
        let node = text(word, random.double(in: -3...7).rounded(), random.double(in: 0...1))
        return random.bool() ? node : node.background(.red)
      }
      let cells = canvas(nodes).cells
      for (column, cell) in cells.enumerated() {
        let isWide = cell.glyph == "日" || cell.glyph == "本"
        let isContinued = column + 1 < cells.count && cells[column + 1].glyph == nil
        #expect(isWide == isContinued, "\(random)")
      }
      #expect(cells[0].glyph != nil, "\(random)")
    }
  }

  @Test func aSpaceDoesNotTintTheCharacterThatShowsThroughIt() {
    let under = Node.text("XX").foreground(Color(0x00FF00))
    let over = Node.text("A ").foreground(Color(0xFF0000)).opacity(0.25)
    let canvas = canvas([under, over])
    #expect(canvas[column: 0, row: 0].foreground == RGB(red: 64, green: 191, blue: 0))
    // It goes towards the background, as if covered by a space, and takes no red.
    #expect(canvas[column: 1, row: 0].glyph == "X")
    #expect(canvas[column: 1, row: 0].foreground == RGB(red: 0, green: 191, blue: 0))
  }

  @Test func aSpaceTakesNoColourFromTheCharacterThatItCovers() {
    let under = Node.text("XX").foreground(Color(0x00FF00))
    let over = Node.text("A ").foreground(Color(0xFF0000)).opacity(0.5)
    let cell = canvas([under, over])[column: 1, row: 0]
    #expect(cell.glyph == " " && cell.foreground?.green == 0)
  }
}

/// A run as a picture that moves.
@Suite struct CanvasRecordingTests {
  @Test func aPictureIsXMLWhateverTheTexts() {
    var recording = CanvasRecording(width: 8, height: 1)
    let stage = Stage()
    stage.commit(Node.text("\u{1B}]\u{7}\"<\u{FFFF}&"), at: .zero)
    recording.add(Canvas(stage.frame(at: .zero), width: 8, height: 1), at: .zero)
    let text = recording.animatedSVG()
    #expect(XMLParser(data: Data(text.utf8)).parse())
    #expect(text.contains(">] &quot;&lt; &amp;</text>"))
  }

  @Test(arguments: [(9, "frame-001-0.000s.txt"), (1_000, "frame-0001-0.000s.txt")])
  func theNamesOfFramesAreInTheOrderOfTheirTimes(_ count: Int, _ first: String) {
    var recording = CanvasRecording(width: 1, height: 1)
    for index in 0..<count {
      let stage = Stage()
      stage.commit(Node.text(index.isMultiple(of: 2) ? "A" : "B"), at: .zero)
      recording.add(
        Canvas(stage.frame(at: .zero), width: 1, height: 1), at: .milliseconds(index))
    }
    let names = recording.textFiles.map(\.name)
    #expect(names.count == count && names.first == first)
    #expect(names == names.sorted())
  }

  @Test func aMomentBeforeTheBeginningIsNone() {
    var recording = CanvasRecording(width: 1, height: 1)
    let stage = Stage()
    stage.commit(Node.text("A"), at: .zero)
    recording.add(
      Canvas(stage.frame(at: .zero), width: 1, height: 1), at: .milliseconds(-500))
    #expect(recording.textFiles.map(\.name) == ["frame-001-0.000s.txt"])
    #expect(recording.animatedSVG(pause: .milliseconds(-500)).hasPrefix("<svg "))
  }

  @Test func aPictureOfNoDurationHasOnlyNumbers() {
    var recording = CanvasRecording(width: 1, height: 1)
    let stage = Stage()
    stage.commit(Node.text("A"), at: .zero)
    recording.add(Canvas(stage.frame(at: .zero), width: 1, height: 1), at: .zero)
    #expect(!recording.animatedSVG(pause: .zero).contains("nan"))
  }
}

private struct Triangle: Shape {
  func path(in rect: CGRect) -> Path {
    Path { path in
      path.addLines([
        CGPoint(x: rect.midX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.maxY),
        CGPoint(x: rect.minX, y: rect.maxY),
      ])
      path.closeSubpath()
    }
  }
}
