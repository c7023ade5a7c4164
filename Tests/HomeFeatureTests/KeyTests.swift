import RondoHomeFeature
import RondoTerminal
import Testing

@testable import RondoHomeScreen

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
    let question = Command.send(.quitAsked("theirs"), isAnimated: false)
    #expect(state.command(for: .character("x")) == question)
    state.home.destination = .settings
    #expect(state.command(for: .character("x")) == nil)
  }

  @Test func aMatchIsQuitWhenTheQuestionIsAnswered() {
    var state = TerminalScreen.State(size: .standard, date: .piDay)
    state.home.activeMatches = [.yours, .theirs]
    state.quitting = "theirs"
    #expect(state.command(for: .character("x")) == .tap(.deleteMatch("theirs")))
    for key in [Key.character("q"), .escape, .enter, .character("s")] {
      #expect(state.command(for: key) == .send(.quitAsked(nil), isAnimated: false))
    }
    #expect(state.command(for: .endOfInput) == .quit)
    // The match has gone meanwhile, and with it the question.
    state.home.activeMatches = [.yours]
    #expect(state.command(for: .character("q")) == .quit)
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
