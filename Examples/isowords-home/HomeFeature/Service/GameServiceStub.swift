// A game service that runs inside the program.

import Dispatch
import Foundation
import Rondo
import Synchronization

/// A stand-in for the real service: one player, a few matches, and opponents who make a turn every
/// now and then.
public final class GameServiceStub: Sendable {
  /// The player's answer when they are asked to sign in.
  public enum Consent: Sendable {
    /// The player signs in.
    case granted
    /// The player does not want to.
    case denied
  }

  private struct State {
    var authentication: Result<LocalPlayer, GameServiceError> = .failure(.notAuthenticated)
    var matches: [TurnBasedMatch]
    var begun = 0
  }

  private let player: LocalPlayer
  private let consent: Consent
  private let turnInterval: Duration
  private let worker: Worker
  private let now: @Sendable () -> Date
  private let state: Mutex<State>

  /// A service with one player.
  ///
  /// - Parameters:
  ///   - player: Who signs in.
  ///   - consent: Whether they want to.
  ///   - matches: The matches there are; `nil` for a few that have been going on for some days.
  ///   - turnInterval: How long it takes until the next opponent has made a turn.
  ///   - queue: What the service works on.
  ///   - conditions: How slow the service is, and whether it fails.
  ///   - now: The date.
  public init(
    player: LocalPlayer = LocalPlayer(displayName: "Blob", id: "player-1"),
    consent: Consent = .granted,
    matches: [TurnBasedMatch]? = nil,
    turnInterval: Duration = .seconds(5),
    queue: AnySchedulerOf<DispatchQueue>,
    conditions: Conditions,
    now: @escaping @Sendable () -> Date
  ) {
    self.player = player
    self.consent = consent
    self.turnInterval = conditions.paced(turnInterval)
    self.now = now
    worker = Worker(queue: queue, conditions: conditions)
    state = Mutex(State(matches: matches ?? Self.matches(at: now())))
  }

  private static func matches(at now: Date) -> [TurnBasedMatch] {
    let hour: TimeInterval = 60 * 60
    return [
      TurnBasedMatch(
        id: "match-1", opponent: "Blob Jr.", isYourTurn: false, touchedAt: now - 30 * hour),
      TurnBasedMatch(
        id: "match-2", opponent: "Blob Sr.", isYourTurn: true, touchedAt: now - 2 * hour),
      TurnBasedMatch(
        id: "match-3", opponent: "Blob Esq.", isYourTurn: false, touchedAt: now - 5 * hour),
      TurnBasedMatch(
        id: "match-4", opponent: "Blob", status: .ended, isYourTurn: false,
        touchedAt: now - 72 * hour),
    ]
  }
}

// MARK: - What others do

extension GameServiceStub {
  /// Lets somebody begin a match, in the place of those that are over.
  public func begin(_ opponent: String) {
    let touchedAt = now()
    state.withLock { state in
      state.matches.removeAll { $0.status == .ended }
      state.begun += 1
      state.matches.append(
        TurnBasedMatch(
          id: "match-begun-\(state.begun)", opponent: opponent, isYourTurn: false,
          touchedAt: touchedAt))
    }
  }
}

// MARK: - The client

extension GameServiceStub {
  /// This service as the screen uses it.
  public var client: GameServiceClient {
    GameServiceClient(
      authenticate: { [self] in
        worker.answer("gameService.authenticate", from: .authentication) { [self] in authenticate()
        }
      },
      localPlayer: { [self] in
        .future(name: "gameService.localPlayer") { [self] callback in
          callback(state.withLock { $0.authentication })
        }
      },
      loadMatches: { [self] in
        worker.answer("gameService.loadMatches", from: .matches) { [self] in
          attempt(.matches) { state in .success(state.matches) }
        }
      },
      endMatch: { [self] id in
        worker.answer("gameService.endMatch", from: .matches) { [self] in
          change(id) { $0.status = .ended }
        }
      },
      remind: { [self] id in
        worker.answer("gameService.remind", from: .matches) { [self] in change(id) { _ in } }
      },
      turnEvents: { [self] in
        Effect.timer(id: TimerID.turns, every: .init(turnInterval), on: worker.queue)
          .compactMap { [self] _ in makeTurn() }
          .named("gameService.turnEvents")
      }
    )
  }

  private enum TimerID {
    case turns
  }
}

// MARK: - What the service does

extension GameServiceStub {
  private func authenticate() -> Result<LocalPlayer, GameServiceError> {
    let outcome = attempt(.authentication, orElse: .signInFailed) { [player, consent] _ in
      consent == .granted ? .success(player) : .failure(.denied)
    }
    state.withLock { $0.authentication = outcome }
    return outcome
  }

  /// Changes a match that is not over, and notes when.
  private func change(
    _ id: TurnBasedMatch.ID,
    _ change: (inout TurnBasedMatch) -> Void
  ) -> Result<TurnBasedMatch.ID, GameServiceError> {
    let now = now()
    return attempt(.matches) { state in
      guard let index = state.matches.firstIndex(where: { $0.id == id && $0.status == .open })
      else { return .failure(.noSuchMatch(id)) }
      change(&state.matches[index])
      state.matches[index].touchedAt = now
      return .success(id)
    }
  }

  /// Lets the opponent who has been at it for the longest time make their turn.
  private func makeTurn() -> TurnEvent? {
    let now = now()
    return state.withLock { state in
      let waiting = state.matches.indices.filter {
        state.matches[$0].status == .open && !state.matches[$0].isYourTurn
      }
      guard
        let index = waiting.min(by: { state.matches[$0].touchedAt < state.matches[$1].touchedAt })
      else { return nil }
      state.matches[index].isYourTurn = true
      state.matches[index].touchedAt = now
      return TurnEvent(matchId: state.matches[index].id)
    }
  }

  private func attempt<Answer: Sendable>(
    _ source: Source,
    orElse failure: GameServiceError = .unreachable,
    _ body: (inout sending State) -> sending Result<Answer, GameServiceError>
  ) -> Result<Answer, GameServiceError> {
    guard !worker.conditions.failing.contains(source) else { return .failure(failure) }
    return state.withLock(body)
  }
}
