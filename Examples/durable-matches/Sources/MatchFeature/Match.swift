// A match of noughts and crosses, as a feature.

import Foundation
import Rondo
import RondoDurable

/// A match: two players join, take turns, and win, draw, resign, or forfeit when their time is up.
public struct Match: Reducer {
  public struct State: Codable, Equatable, Sendable {
    /// The seconds for each move; zero before the match is created.
    public var secondsPerMove = 0.0
    public var players: [String] = []
    /// Nine cells, row by row: `.`, `X` for the first player, `O` for the second.
    public var board = "........."
    public var moves = 0
    public var result: Result?
    /// The number of announcements of the result that have come back.
    public var announcements = 0
    /// The requests that were handled, in order.
    public var requests: [String] = []
    /// The requests that the rules do not allow.
    public var refused: [String] = []

    public init() {}

    /// The index of the player whose move it is.
    public var turn: Int { moves % 2 }
  }

  public enum Result: Codable, Equatable, Sendable {
    case won(by: String)
    case drawn
    case resigned(by: String)
    case forfeited(by: String)
  }

  public enum Action: Codable, Equatable, Sendable {
    case request(Request, id: String)
    case clockRanOut(move: Int)
    case announced
  }

  public enum Request: Codable, Equatable, Sendable {
    /// Begins a match. The seconds are more than 0, and at most ``Match/longestMove``.
    case create(secondsPerMove: Double)
    case join(player: String)
    /// Puts the player's sign into a cell, 0 to 8.
    case move(player: String, cell: Int)
    case resign(player: String)
  }

  /// The largest number of seconds for each move: a year.
  public static let longestMove = 31_536_000.0

  private let trap: String?

  /// - Parameter trap: A player whose request to join ends the process, as a mistake of a reducer does.
  public init(trap: String? = nil) {
    self.trap = trap
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .request(let request, let id):
      state.requests.append(id)
      guard let effect = handle(request, &state) else {
        state.refused.append(id)
        return .none
      }
      return effect
    case .clockRanOut(let move):
      guard state.result == nil, move == state.moves else { return .none }
      return end(&state, .forfeited(by: state.players[state.turn]))
    case .announced:
      state.announcements += 1
      return .none
    }
  }

  /// Handles a request; `nil` for one that the rules do not allow.
  private func handle(_ request: Request, _ state: inout State) -> Effect<Action>? {
    switch request {
    case .create(let seconds):
      guard state.secondsPerMove == 0, seconds > 0, seconds <= Match.longestMove else { return nil }
      state.secondsPerMove = seconds
      return Effect.none
    case .join(let player):
      precondition(
        player != trap, "The player \(player) ends the process, as the test has asked for.")
      guard state.secondsPerMove > 0, state.players.count < 2, !state.players.contains(player)
      else {
        return nil
      }
      state.players.append(player)
      return state.players.count == 2 ? clock(state) : Effect.none
    case .move(let player, let cell):
      guard state.result == nil, state.players.count == 2, state.players[state.turn] == player,
        (0..<9).contains(cell)
      else { return nil }
      var cells = Array(state.board)
      guard cells[cell] == "." else { return nil }
      cells[cell] = state.turn == 0 ? "X" : "O"
      state.board = String(cells)
      state.moves += 1
      if Match.hasLine(cells) { return end(&state, .won(by: player)) }
      if state.moves == 9 { return end(&state, .drawn) }
      return clock(state)
    case .resign(let player):
      guard state.result == nil, state.players.contains(player) else { return nil }
      return end(&state, .resigned(by: player))
    }
  }

  private func clock(_ state: State) -> Effect<Action> {
    .durableTimer("clock", state.moves, id: "clock", after: .seconds(state.secondsPerMove))
  }

  private func end(_ state: inout State, _ result: Result) -> Effect<Action> {
    state.result = result
    return .merge(.cancelDurable(id: "clock"), .durable("announce", result))
  }

  /// Whether one sign has three in a line.
  public static func hasLine(_ cells: [Character]) -> Bool {
    let lines = [
      [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
    ]
    return lines.contains { line in
      cells[line[0]] != "." && line.allSatisfy { cells[$0] == cells[line[0]] }
    }
  }
}

extension DurableFeature where State == Match.State, Action == Match.Action {
  /// The match with its clock and its announcements.
  ///
  /// - Parameters:
  ///   - trap: A player whose request to join ends the process: for the script `poison`.
  ///   - version: The version that the feature says it has, and
  ///   - revision: its revision: for the script `upgrade`.
  ///   - announce: Tells the world of a result. It may be called again with the same key.
  public static func match(
    trap: String? = nil, version: Int = 1, revision: Int = 0,
    announce: @escaping @Sendable (_ result: Match.Result, _ key: String) async throws -> Void
  ) -> Self {
    DurableFeature(
      "match", version: version, revision: revision, initialState: { _ in Match.State() }
    ) {
      Match(trap: trap)
    } work: {
      DurableEffect("announce") { (result: Match.Result, key) in
        try await announce(result, key)
        return true
      } then: { _, _ in
        .announced
      }
      // A player does not lose the time in which there was no server.
      DurableTimer("clock", onResume: .remaining) { (move: Int) in .clockRanOut(move: move) }
    }.migrate { $0.json }
  }
}
