import HomeFeature
import Testing

@testable import HomeScreen

@Suite struct KeyReaderTests {
  @Test(arguments: [
    ("q", [Key.character("q")]),
    ("\u{1b}[A\u{1b}[B", [.up, .down]),
    ("\u{1b}OA", [.up]),
    ("\r\n", [.enter, .enter]),
    ("\u{1b}", [.escape]),
    ("\u{1b}q", [.escape, .character("q")]),
    ("\u{4}", [.endOfInput]),
    ("\u{7f}\u{8}", [.backspace, .backspace]),
    ("é😀", [.character("é"), .character("😀")]),
    ("\u{1b}[15~\u{1b}[1;5C", []),
    ("\u{1}", []),
  ])
  func bytesAreKeys(text: String, keys: [Key]) {
    var reader = KeyReader()
    #expect(reader.read(text.utf8) == keys)
  }

  @Test func aSequenceMayComeInPieces() {
    var reader = KeyReader()
    #expect(reader.read([0x1b, 0x5b]) == [])
    #expect(reader.read([0x42, 0xc3]) == [.down])
    #expect(reader.read([0xa9]) == [.character("é")])
  }

  /// A failure's argument is the seed that repeats it.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func noBytesGetStuck(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var reader = KeyReader()
    for _ in 0..<200 {
      let count = Int.random(in: 0...6, using: &generator)
      _ = reader.read((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
    _ = reader.read([0x40, 0x40, 0x40, 0x40])
    #expect(reader.read("q".utf8) == [.character("q")])
  }
}

@Suite struct KeyBindingTests {
  @Test func noKeyMeansTwoThings() {
    let keys = KeyBinding.all.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test func everyKeyIsInTheHelp() {
    for binding in KeyBinding.all {
      for case .character(let key) in binding.keys {
        #expect(binding.shown.contains(key), "\(key) is not shown.")
      }
    }
  }

  @Test func onAnEmptyScreenThereIsNothingToOpen() {
    let state = TerminalScreen.State(size: .standard, date: .piDay)
    for key in [Key.enter, .character("1"), .character("x"), .character("p"), .escape] {
      #expect(state.command(for: key) == nil)
    }
  }

  @Test func aNumberOpensTheCardWithThatNumber() {
    var state = TerminalScreen.State(size: .standard, date: .piDay)
    state.home.savedGames.unlimited = .preview(at: .piDay)
    state.home.activeMatches = [.yours, .theirs]
    #expect(state.command(for: .character("1")) == .tap(.soloTapped))
    #expect(state.command(for: .character("3")) == .tap(.matchTapped("theirs")))
    #expect(state.command(for: .character("4")) == nil)
  }

  @Test func onlyAMatchThatHasBeenWaitingForADayIsPoked() {
    var state = TerminalScreen.State(size: .standard, date: .piDay)
    state.home.activeMatches = [.yours, .theirs]
    #expect(state.command(for: .character("p")) == nil)
    state.selection = .match("theirs")
    #expect(state.command(for: .character("p")) == .tap(.pokeTapped("theirs")))
  }

  @Test func theMatchThatIsShownIsTheOneThatIsQuit() {
    var state = TerminalScreen.State(size: .standard, date: .piDay)
    state.home.activeMatches = [.yours, .theirs]
    state.home.destination = .match("theirs")
    #expect(state.command(for: .character("x")) == .tap(.deleteMatch("theirs")))
    state.home.destination = .settings
    #expect(state.command(for: .character("x")) == nil)
  }

  @Test func goingBackClosesTheHelpFirst() {
    var state = TerminalScreen.State(size: .standard, date: .piDay)
    state.home.destination = .settings
    state.isHelpShown = true
    #expect(state.command(for: .escape) == .send(.helpToggled, isAnimated: true))
    state.isHelpShown = false
    #expect(state.command(for: .escape) == .tap(.destination(.dismiss)))
  }

  @Test func underTheHelpKeysDoNothingButLeadBackOrOut() {
    var state = TerminalScreen.State(size: .standard, date: .piDay)
    state.home.activeMatches = [.yours, .theirs]
    state.isHelpShown = true
    for key in "kjd1tusl,xprz" { #expect(state.command(for: .character(key)) == nil, "\(key)") }
    #expect(state.command(for: .enter) == nil)
    #expect(state.command(for: .character("?")) == .send(.helpToggled, isAnimated: true))
    #expect(state.command(for: .character("q")) == .quit)
  }
}
