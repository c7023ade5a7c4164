// The command of every key.

import RondoHomeFeature
import Rondo
import RondoTerminal

/// The command that a key gives.
enum Command: Equatable {
  /// An action; what the player does on purpose is shown with an animation, like what they are
  /// answered, and what follows the finger is not.
  case send(TerminalScreen.Action, isAnimated: Bool)
  case quit

  /// Shows what was to be seen earlier, for a positive duration, or later.
  case scrub(by: Duration)

  static func tap(_ action: HomeAction) -> Command { .send(.home(action), isAnimated: true) }
}

/// A line of the help: some keys, and what they do.
struct KeyBinding: Sendable {
  /// The keys as the help shows them.
  var shown: String
  var keys: Set<Key>
  var summary: String

  /// The summary where there is little room.
  var word: String

  /// Whether the keys do something while the help hides the screen.
  var worksUnderHelp: Bool

  /// The command of the keys on a screen; `nil` where there is nothing that they could do.
  var command: @Sendable (TerminalScreen.State) -> Command?

  init(
    _ shown: String,
    _ keys: Set<Key>,
    _ summary: String,
    word: String? = nil,
    worksUnderHelp: Bool = false,
    _ command: @escaping @Sendable (TerminalScreen.State) -> Command?
  ) {
    self.shown = shown
    self.keys = keys
    self.summary = summary
    self.word = word ?? summary
    self.worksUnderHelp = worksUnderHelp
    self.command = command
  }

  init(
    _ key: Character,
    _ summary: String,
    word: String? = nil,
    worksUnderHelp: Bool = false,
    _ command: @escaping @Sendable () -> Command
  ) {
    self.init(
      "\(key)", [.character(key)], summary, word: word, worksUnderHelp: worksUnderHelp
    ) { _ in command() }
  }
}

extension TerminalScreen.State {
  /// The command of a key; `nil` if there is none.
  func command(for key: Key) -> Command? {
    // A question is answered first. The end of the input is an end in any case.
    if let match = matchToQuit, key != .endOfInput {
      return key == .character("x")
        ? .tap(.deleteMatch(match.id)) : .send(.quitAsked(nil), isAnimated: false)
    }
    if round != nil, !isHelpShown, let command = roundCommand(for: key) { return command }
    let binding = KeyBinding.all.first { $0.keys.contains(key) }
    guard !isHelpShown else {
      return binding.flatMap { $0.worksUnderHelp ? $0.command(self) : nil }
    }
    if case .character(let digit) = key, let number = digit.wholeNumberValue, number > 0 {
      return number <= cards.count ? cards[number - 1].command : nil
    }
    return binding?.command(self)
  }

  /// The command of a key during a round, in which words are typed.
  private func roundCommand(for key: Key) -> Command? {
    switch key {
    case .character(let letter) where letter.isLetter && letter.isASCII:
      .send(.letterTyped(letter), isAnimated: false)
    case .character: .send(.wordSubmitted, isAnimated: false)
    case .enter:
      round?.isOver == true
        ? .send(.roundToggled, isAnimated: true) : .send(.wordSubmitted, isAnimated: true)
    case .backspace: .send(.letterErased, isAnimated: false)
    case .escape: .send(.roundToggled, isAnimated: true)
    default: nil
    }
  }

  /// The match that is shown, or else the one whose card is selected.
  fileprivate var matchAtHand: TurnBasedMatch? {
    let id: TurnBasedMatch.ID
    switch (home.destination, selectedCard?.id) {
    case (.match(let shown), _): id = shown
    case (nil, .match(let selected)): id = selected
    default: return nil
    }
    return home.activeMatches.first { $0.id == id }
  }
}

extension Card {
  /// The command that opens the card.
  fileprivate var command: Command {
    switch id {
    case .dailyChallenge: .tap(.startDailyChallenge(.unlimited))
    case .solo: .tap(.soloTapped)
    case .match(let id): .tap(.matchTapped(id))
    }
  }
}

extension KeyBinding {
  static let all: [KeyBinding] = [
    KeyBinding("↑ k", [.up, .character("k")], "select the card above", word: "up") { _ in
      .send(.selectionMoved(by: -1), isAnimated: false)
    },
    KeyBinding("↓ j", [.down, .character("j")], "select the card below", word: "down") { _ in
      .send(.selectionMoved(by: 1), isAnimated: false)
    },
    KeyBinding("Return 1–9", [.enter], "open a card, or play", word: "open") { state in
      if state.shownGame != nil { return .send(.roundToggled, isAnimated: true) }
      guard state.home.destination == nil else { return nil }
      return state.selectedCard?.command
    },
    KeyBinding("d", "daily challenges", word: "daily") { .tap(.dailyChallengeTapped) },
    KeyBinding("t", "start the timed challenge", word: "timed") {
      .tap(.startDailyChallenge(.timed))
    },
    KeyBinding("u", "start the unlimited challenge", word: "untimed") {
      .tap(.startDailyChallenge(.unlimited))
    },
    KeyBinding("s", "solo") { .tap(.soloTapped) },
    KeyBinding("l", "leaderboard", word: "ranking") { .tap(.leaderboardTapped) },
    KeyBinding(",", "settings") { .tap(.settingsTapped) },
    KeyBinding("x", [.character("x")], "quit a match; asks first", word: "end game") { state in
      state.matchAtHand.map { .send(.quitAsked($0.id), isAnimated: false) }
    },
    KeyBinding("p", [.character("p")], "poke an opponent", word: "poke") { state in
      guard let match = state.matchAtHand, match.offersPoke(at: state.date) else { return nil }
      return .tap(.pokeTapped(match.id))
    },
    KeyBinding("r", "refresh, or try again", word: "refresh") {
      .send(.home(.refresh), isAnimated: false)
    },
    KeyBinding("z", "go away, or come back", word: "leave") {
      .send(.awayToggled, isAnimated: false)
    },
    KeyBinding("m", "slow motion of what moves", word: "slow") {
      .send(.slowMotionToggled, isAnimated: false)
    },
    KeyBinding("←", [.left], "back in the last ten seconds", word: "earlier") { _ in
      .scrub(by: .milliseconds(100))
    },
    KeyBinding("→", [.right], "forth again", word: "later") { _ in
      .scrub(by: .milliseconds(-100))
    },
    KeyBinding("Esc b", [.escape, .backspace, .character("b")], "back", worksUnderHelp: true) {
      state in
      if state.isHelpShown { return .send(.helpToggled, isAnimated: true) }
      return state.home.destination == nil ? nil : .tap(.destination(.dismiss))
    },
    KeyBinding("?", "this help", word: "help", worksUnderHelp: true) {
      .send(.helpToggled, isAnimated: true)
    },
    KeyBinding(
      "q Ctrl-D, Ctrl-C", [.character("q"), .endOfInput], "quit", word: "quit", worksUnderHelp: true
    ) { _ in .quit },
  ]
}
