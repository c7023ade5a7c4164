// From bytes to events.

import RondoTerminal
import RondoSeededRandomness
import Testing

@Suite struct InputReaderTests {
  private func read(_ text: String) -> [TerminalEvent] {
    var reader = InputReader()
    return reader.read(text.utf8)
  }

  @Test(arguments: [
    ("q", [Key.character("q")]),
    ("\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D", [.up, .down, .right, .left]),
    ("\u{1b}OA", [.up]),
    ("\r\n", [.enter, .enter]),
    ("\u{1b}", [.escape]),
    ("\u{1b}q", [.escape, .character("q")]),
    ("\u{4}", [.endOfInput]),
    ("\u{7f}\u{8}", [.backspace, .backspace]),
    ("é😀", [.character("é"), .character("😀")]),
    ("\u{1b}[15~\u{1b}[24~\u{1b}OP", [.function(5), .function(12), .function(1)]),
    (
      "\u{1b}[[A\u{1b}[[B\u{1b}[[C\u{1b}[[D\u{1b}[[E",
      [.function(1), .function(2), .function(3), .function(4), .function(5)]
    ),
    ("\u{1b}[[\u{1b}[A", [.up]),
    (
      "\u{1b}[1;5C\u{1b}[1;5D\u{1b}[1;3C\u{1b}[1;3D",
      [.wordRight, .wordLeft, .wordRight, .wordLeft]
    ),
    ("\u{1b}[1;2C\u{1b}[1;2D\u{1b}[1;1C\u{1b}[1;99D", [.right, .left, .right, .left]),
    ("\u{1b}[1;5A\u{1b}[1;5H", [.up, .home]),
    ("\u{17}\u{15}\u{b}", [.control("w"), .control("u"), .control("k")]),
    ("\u{1}\u{1a}", [.control("a"), .control("z")]),
    ("\t\u{1b}[Z", [.tab, .backTab]),
    (
      "\u{1b}[H\u{1b}[F\u{1b}[5~\u{1b}[6~\u{1b}[2~\u{1b}[3~",
      [.home, .end, .pageUp, .pageDown, .insert, .delete]
    ),
    ("\u{1b}[99~\u{1b}[?1;2c", []),
    (
      "\u{1b}[\u{1b}[A\u{1b}O\u{1b}OB",
      [.escape, .character("["), .up, .escape, .character("O"), .down]
    ),
    (
      "\u{1b}[1\u{7f}\u{1b}[é",
      [
        .escape, .character("["), .character("1"), .backspace, .escape, .character("["),
        .character("é"),
      ]
    ),
  ])
  func bytesAreKeys(_ text: String, _ keys: [Key]) {
    #expect(read(text) == keys.map { .key($0) })
  }

  @Test func aSequenceMayComeInPieces() {
    var reader = InputReader()
    #expect(reader.read([0x1b, 0x5b]) == [])
    #expect(reader.read([0x42, 0xc3]) == [.key(.down)])
    #expect(reader.read([0xa9]) == [.key(.character("é"))])
  }

  @Test func aKeyOfTheConsoleMayComeByteByByte() {
    var reader = InputReader()
    #expect(reader.read([0x1b, 0x5b]) == [])
    #expect(reader.read([0x5b]) == [])
    #expect(reader.isWaiting)
    #expect(reader.read([0x41]) == [.key(.function(1))])
  }

  @Test func aPasteIsOneEvent() {
    #expect(
      read("a\u{1b}[200~rm -rf\n\u{1b}[A q\u{1b}[201~b") == [
        .key(.character("a")), .paste("rm -rf\n\u{1b}[A q"), .key(.character("b")),
      ])
  }

  @Test func aPasteBehindAKeyThatBeginsASequenceIsOne() {
    #expect(
      read("\u{1b}[\u{1b}[200~q\u{1b}[201~") == [
        .key(.escape), .key(.character("[")), .paste("q"),
      ])
  }

  @Test func aPasteMayComeByteByByte() {
    var reader = InputReader()
    var events = reader.read([0x1b, 0x5b])
    for byte in "200~é\u{1b}[20x\u{1b}[201~q".utf8 { events += reader.read([byte]) }
    #expect(events == [.paste("é\u{1b}[20x"), .key(.character("q"))])
  }

  @Test func aLongPasteIsGivenInParts() {
    let text = String(repeating: "x", count: 3_000_000)
    var reader = InputReader()
    var pasted = 0
    for event in reader.read(("\u{1b}[200~" + text + "\u{1b}[201~").utf8) {
      if case .paste(let part) = event { pasted += part.count }
    }
    #expect(pasted == 3_000_000)
  }

  @Test func aLongPasteIsNotCutInTheMiddleOfACharacter() {
    for character in Soak.arguments(["👨‍👩‍👧‍👦", "e\u{301}"], more: ["é", "\r\n"]) {
      let length = character.utf8.count
      let step = Soak.isOn ? 1 : max(1, length / 3)
      for shift in stride(from: Soak.isOn ? 0 : 1, through: length, by: step) {
        let text =
          String(repeating: "x", count: (1 << 20) - shift) + character
          + String(repeating: "y", count: 1 << 10)
        var reader = InputReader()
        var parts: [String] = []
        for event in reader.read(("\u{1b}[200~" + text + "\u{1b}[201~").utf8) {
          if case .paste(let part) = event { parts.append(part) }
        }
        #expect(parts.count > 1 && parts.joined() == text)
        // It is near the end, and to search the whole of it takes long.
        #expect(parts.contains { $0.suffix(2_000).contains(Character(character)) }, "\(shift)")
      }
    }
  }

  @Test func aLongPasteThatIsOneCharacterIsGivenInPartsToo() {
    let text = "e" + String(repeating: "\u{301}", count: 1 << 20)
    var reader = InputReader()
    let events = reader.read(("\u{1b}[200~" + text + "\u{1b}[201~").utf8)
    #expect(events.count > 1)
  }

  @Test(arguments: [
    ("\u{1b}[", [Key.escape, .character("[")]), ("\u{1b}O", [.escape, .character("O")]),
    ("\u{1b}[[", [.escape, .character("["), .character("[")]),
    ("\u{1b}[1;", [.escape, .character("["), .character("1"), .character(";")]),
    ("\u{1b}", []), ("q", []), ("\u{c3}", []),
  ])
  func aSequenceThatNothingEndsIsKeysOfTheirOwn(_ text: String, _ keys: [Key]) {
    var reader = InputReader()
    _ = reader.read(text.unicodeScalars.map { UInt8($0.value) })
    #expect(reader.flush() == keys.map { .key($0) })
    #expect(!reader.isWaiting)
    #expect(reader.read("q".utf8) == [.key(.character("q"))])
  }

  @Test func aPasteWaitsForItsEnd() {
    var reader = InputReader()
    #expect(reader.read("\u{1b}[200~a\u{1b}[20".utf8) == [])
    #expect(!reader.isWaiting && reader.flush() == [])
    #expect(reader.read("1~".utf8) == [.paste("a")])
  }

  @Test func theSideButtonsOfAMouseAreNoOtherButton() {
    #expect(read("\u{1b}[<128;5;3M\u{1b}[<129;5;3mq") == [.key(.character("q"))])
  }

  @Test(arguments: [
    ("\u{1b}[<0;5;3M", MouseEvent.Kind.press(button: 0)),
    ("\u{1b}[<2;5;3M", .press(button: 2)),
    ("\u{1b}[<0;5;3m", .release(button: 0)),
    ("\u{1b}[<32;5;3M", .drag(button: 0)),
    ("\u{1b}[<64;5;3M", .scrollUp),
    ("\u{1b}[<65;5;3M", .scrollDown),
  ])
  func theMouseIsReported(_ text: String, _ kind: MouseEvent.Kind) {
    #expect(read(text) == [.mouse(MouseEvent(kind: kind, column: 4, row: 2))])
  }

  @Test func noBytesGetStuckOrTrap() {
    forEachSeed(200) { random in
      var reader = InputReader()
      for _ in 0..<100 {
        let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
          random.bool()
            ? UInt8.random(in: 0...255, using: &random)
            : [0x1b, 0x5b, 0x32, 0x30, 0x7e, 0x3c, 0x3b].randomElement(using: &random)!
        }
        _ = reader.read(bytes)
      }
      _ = reader.read("\u{1b}[201~@@@@".utf8)
      #expect(reader.read("q".utf8) == [.key(.character("q"))], "\(random)")
    }
  }
}
