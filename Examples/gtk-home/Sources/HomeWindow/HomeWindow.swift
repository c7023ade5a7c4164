// The home screen in a window: the home screen's own logic, and what only a window has.

import Foundation
import RondoHomeFeature
import Rondo
import RondoStage

/// The home screen in a window: besides the home screen itself the extent, the words that games are
/// looked for with, and whether it is dark.
public struct HomeWindow: Reducer {
  public struct State: Equatable, Sendable {
    public var home = Home.State()
    public var size: Size
    /// The date that the screen goes by, as of the last minute.
    public var date: Date
    /// The text that games are looked for with.
    public var query = ""
    public var isDark = true

    public init(size: Size, date: Date) {
      self.size = size
      self.date = date
    }
  }

  public enum Action: BindableAction, Equatable, Sendable {
    case binding(BindingAction<State>)
    case home(HomeAction)
    case resized(Size)
    case minutePassed
    case styleToggled
  }

  private enum CancelID {
    case clock
  }

  @Dependency(\.date) var date
  @Dependency(\.mainQueue) var mainQueue
  @Dependency(\.backgroundQueue) var backgroundQueue

  public init() {}

  public var body: some Reducer<State, Action> {
    BindingReducer()
    Scope(state: \.home, action: AnyCasePath(Action.home)) { Home() }
    Reduce(core)
  }

  private func core(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .home(.onAppear):
      return nextMinute

    case .home(.onDisappear):
      return .cancel(id: CancelID.clock)

    case .binding, .home:
      return .none

    case .resized(let size):
      state.size = size
      return .none

    case .minutePassed:
      state.date = date()
      return nextMinute

    case .styleToggled:
      state.isDark.toggle()
      return .none
    }
  }

  /// Waits until another minute of the time left has gone.
  private var nextMinute: Effect<Action> {
    let seconds = date().timeIntervalSince1970
    let rest = 60 - seconds.truncatingRemainder(dividingBy: 60)
    return Effect.send(.minutePassed)
      .delay(for: .init(.seconds(rest)), scheduler: backgroundQueue)
      .receive(on: mainQueue)
      .cancellable(id: CancelID.clock, cancelInFlight: true)
  }
}

// MARK: - What is shown

extension HomeWindow.State {
  /// The games that can be gone on with, as far as their names have what is looked for.
  var games: [Game] {
    let games = home.activeGames.map { Game($0, at: date) }
    let words = query.trimmingCharacters(in: .whitespaces)
    guard !words.isEmpty else { return games }
    return games.filter { $0.title.localizedCaseInsensitiveContains(words) }
  }
}

/// A game as the window shows it.
struct Game: Identifiable {
  enum Mood {
    case saved, yourTurn, theirTurn, poke
  }

  var id: String
  var title: String
  var detail: String
  var badge: String
  var mood: Mood
  /// The action that opens it.
  var action: HomeAction

  init(_ game: Home.State.ActiveGame, at date: Date) {
    switch game {
    case .dailyChallenge(let game):
      id = "daily challenge"
      title = "Daily challenge"
      (detail, badge, mood) = (game.summary, "resume", .saved)
      action = .startDailyChallenge(.unlimited)
    case .solo(let game):
      id = "solo"
      title = "Solo"
      (detail, badge, mood) = (game.summary, "resume", .saved)
      action = .soloTapped
    case .match(let match):
      id = match.id
      title = match.opponent
      let minutes = Int(max(0, date.timeIntervalSince(match.touchedAt)) / 60)
      detail = minutes < 60 ? "touched \(minutes) min ago" : "touched \(minutes / 60) h ago"
      mood = match.isYourTurn ? .yourTurn : match.offersPoke(at: date) ? .poke : .theirTurn
      badge = match.isYourTurn ? "your turn" : match.offersPoke(at: date) ? "poke?" : "waiting"
      action = .matchTapped(match.id)
    }
  }
}

extension SavedGame {
  /// `2 words, 90 points`
  var summary: String { "\(counted(words.count, "word")), \(counted(score, "point"))" }
}

/// A number with its noun: `1 word`, `2 words`.
func counted(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
