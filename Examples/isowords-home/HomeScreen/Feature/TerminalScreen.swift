// The home screen on a terminal: the home screen's own logic, and what only a terminal has.

import Foundation
import RondoHomeFeature
import Rondo

/// The home screen on a terminal: besides the home screen itself its size, which card is selected,
/// and whether the help is shown.
public struct TerminalScreen: Reducer {
  public struct State: Codable, Equatable, Sendable {
    public var home = Home.State()
    public var size: ScreenSize

    /// The date that the screen goes by, as of the last minute.
    public var date: Date

    /// The card that Return opens; `nil` for the first one.
    public var selection: Card.ID?
    public var isHelpShown = false

    /// Whether the terminal shows colours. Without them, parts differ by their characters.
    public var hasColors = true

    /// The short round that is played.
    public var round: Round?

    /// Whether what moves does so at a tenth of its speed. Waits take their time as ever.
    public var isSlow = false

    /// Whether the screen has gone away for a while.
    public var isAway = false

    /// The match of which it is asked whether it is to be quit.
    public var quitting: TurnBasedMatch.ID?

    public init(size: ScreenSize, date: Date) {
      self.size = size
      self.date = date
    }
  }

  public enum Action: Codable, Equatable, Sendable {
    case home(HomeAction)
    case resized(ScreenSize)
    /// Another minute of the time left has gone, and this is the date.
    case minutePassed(Date)

    /// Up for a negative number of cards, down for a positive one.
    case selectionMoved(by: Int)
    case helpToggled
    case slowMotionToggled
    /// It is asked whether a match is to be quit, or not any more.
    case quitAsked(TurnBasedMatch.ID?)

    /// A round with the game that is shown begins, or ends if one is played.
    case roundToggled
    case letterTyped(Character)
    case letterErased
    case wordSubmitted
    case secondPassed

    /// The screen goes away if it is there, and comes back if it is not.
    case awayToggled
  }

  package enum CancelID {
    case clock, round
  }

  @Dependency(\.date) var date
  @Dependency(\.mainQueue) var mainQueue
  @Dependency(\.backgroundQueue) var backgroundQueue

  public init() {}

  public var body: some Reducer<State, Action> {
    Scope(state: \.home, action: AnyCasePath(Action.home)) { Home() }
    Reduce(core)
  }

  private func core(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .home(.onAppear):
      return nextMinute

    case .home(.onDisappear):
      return .cancel(id: CancelID.clock)

    case .home(.deleteMatch):
      state.quitting = nil
      return .none

    case .home:
      guard state.round != nil, state.shownGame == nil else { return .none }
      state.round = nil
      return .cancel(id: CancelID.round)

    case .resized(let size):
      state.size = size
      return .none

    case .minutePassed(let date):
      state.date = date
      return nextMinute

    case .selectionMoved(let distance):
      state.moveSelection(by: distance)
      return .none

    case .helpToggled:
      state.isHelpShown.toggle()
      return .none

    case .slowMotionToggled:
      state.isSlow.toggle()
      return .none

    case .quitAsked(let id):
      state.quitting = id
      return .none

    case .roundToggled:
      guard state.round == nil, let game = state.shownGame else {
        state.round = nil
        return .cancel(id: CancelID.round)
      }
      let round = Round(game)
      state.round = round
      return round.secondsLeft == nil ? .none : nextSecond

    case .letterTyped(let letter):
      state.round?.type(letter)
      return .none

    case .letterErased:
      state.round?.erase()
      return .none

    case .wordSubmitted:
      state.round?.submit()
      return .none

    case .secondPassed:
      state.round?.passSecond()
      guard let seconds = state.round?.secondsLeft, seconds > 0 else { return .none }
      return nextSecond

    case .awayToggled:
      state.isAway.toggle()
      return .send(.home(state.isAway ? .onDisappear : .onAppear))
    }
  }

  /// Waits until another second of a timed round has gone.
  private var nextSecond: Effect<Action> {
    Effect.send(.secondPassed)
      .delay(for: .seconds(1), scheduler: backgroundQueue)
      .receive(on: mainQueue)
      .cancellable(id: CancelID.round, cancelInFlight: true)
  }

  /// Waits until another minute of the time left has gone.
  private var nextMinute: Effect<Action> {
    let date = date
    let seconds = date().timeIntervalSince1970
    let rest = 60 - seconds.truncatingRemainder(dividingBy: 60)
    return Effect<Void>.send(())
      .delay(for: .init(.seconds(rest)), scheduler: backgroundQueue)
      .receive(on: mainQueue)
      .map { .minutePassed(date()) }
      .cancellable(id: CancelID.clock, cancelInFlight: true)
  }
}

// MARK: - The selection

extension TerminalScreen.State {
  /// The index of the selected card; `nil` if there are no cards.
  var selectedIndex: Int? {
    let cards = cards
    guard !cards.isEmpty else { return nil }
    return cards.firstIndex { $0.id == selection } ?? 0
  }

  /// The match of which it is asked whether it is to be quit, as long as it is there.
  var matchToQuit: TurnBasedMatch? {
    quitting.flatMap { id in home.activeMatches.first { $0.id == id } }
  }

  var selectedCard: Card? { selectedIndex.map { cards[$0] } }

  fileprivate mutating func moveSelection(by distance: Int) {
    guard let selectedIndex else { return }
    let cards = cards
    // A recording may hold any distance.
    let row = min(max(distance, -cards.count), cards.count) + selectedIndex
    selection = cards[min(max(row, 0), cards.count - 1)].id
  }
}

/// The extent of a terminal, in cells.
public struct ScreenSize: Codable, Equatable, Sendable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public static let standard = ScreenSize(width: 80, height: 24)
}
