// Users who tap what comes to their minds, while timers run. A seed makes the same user again.

import Foundation
import Rondo
import RondoRecording

@testable import LiveFeatures

/// Choices that a seed makes again.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_f491_4f6c_dd1d
  }

  mutating func roll(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
  mutating func flip() -> Bool { .random(using: &self) }
  mutating func pick<Element>(_ elements: some Collection<Element>) -> Element? {
    elements.randomElement(using: &self)
  }
}

extension LiveRecorder {
  /// Somebody who uses a feature.
  struct User {
    var taps: Int
    var seed: UInt64
  }

  /// A pause of a user, in milliseconds.
  private static let pause: ClosedRange<Int> = 5...60

  /// Records a feature while somebody uses it. Behind the last tap, what is still on its way gets some time.
  @MainActor
  private static func record<State, Action>(
    _ store: Store<State, Action>, _ file: URL, _ user: User, _ first: [Action],
    _ tap: @MainActor (State, inout Dice) -> Action?
  ) async throws {
    var dice = Dice(seed: user.seed)
    let recording = try store.record(to: file)
    for action in first { store.send(action) }
    for _ in 0..<user.taps {
      try await Task.sleep(for: .milliseconds(dice.roll(pause)))
      if let action = tap(store.withState { $0 }, &dice) { store.send(action) }
    }
    try await Task.sleep(for: .milliseconds(200))
    recording.end()
  }

  @MainActor
  static func desk(_ file: URL, _ user: User) async throws {
    let store = Store(initialState: Desk.State()) { Desk() }
    try await record(store, file, user, [.opened]) { state, dice in
      switch dice.roll(0...21) {
      case 0: .closed
      case 1, 2: .opened
      case 3...5: .rateTapped
      case 6...9: .buyTapped(dice.roll(1...9))
      case 10: .cancelTapped
      case 11: .noteTapped("note \(dice.roll(1...9))")
      case 12, 13: .queryChanged(String(repeating: "a", count: dice.roll(1...5)))
      case 14: .addTapped
      case 15: dice.pick(state.rows).map { .removeTapped($0.id) }
      case 16: dice.pick(state.rows).map { .rows(.element(id: $0.id, action: .startTapped)) }
      case 17: dice.pick(state.rows).map { .rows(.element(id: $0.id, action: .stopTapped)) }
      case 18 where state.sheet == nil: .sheetTapped
      case 18: .sheet(.presented(.doneTapped))
      case 19 where state.sheet != nil: .sheet(.presented(.task))
      case 20 where state.sheet != nil: .sheet(.presented(.moreTapped))
      case 21 where state.sheet != nil: .sheet(.dismiss)
      default: nil
      }
    }
  }

  @MainActor
  static func mailbox(_ file: URL, _ user: User) async throws {
    let store = Store(initialState: Mailbox.State()) { Mailbox() }
    try await record(store, file, user, [.task]) { state, dice in
      if state.alert != nil, dice.flip() {
        return switch state.alert?.buttons.first?.action.action {
        case .logoutConfirmed?:
          dice.flip() ? .alert(.presented(.logoutConfirmed)) : .alert(.dismiss)
        case let action?: dice.flip() ? .alert(.presented(action)) : .alert(.dismiss)
        case nil: .alert(.dismiss)
        }
      }
      switch dice.roll(0...9) {
      case 0, 1: return .refreshTapped
      case 2: return .loginTapped(dice.pick(["Blob", "Ada", "Bob"])!)
      case 3 where state.alert == nil: return .logoutTapped
      case 4 where state.path.count < 2: return .folderTapped("Inbox")
      case 5 where !state.path.isEmpty: return .path(.popFrom(id: state.path.ids.last!))
      default: break
      }
      guard let id = dice.pick(state.path.ids), let screen = state.path[id: id] else {
        return nil
      }
      func folder(_ action: Folder.Action) -> Mailbox.Action {
        .path(.element(id: id, action: .folder(action)))
      }
      func letter(_ action: Letter.Action) -> Mailbox.Action {
        .path(.element(id: id, action: .letter(action)))
      }
      switch screen {
      case .folder:
        return switch dice.roll(0...2) {
        case 0: folder(.task)
        case 1: folder(.renameTapped(dice.pick(["Old", "New"])!))
        default: state.path.count < 4 ? folder(.letterTapped("Hello")) : nil
        }
      case .letter:
        return switch dice.roll(0...3) {
        case 0: letter(.binding(.set(\.text, dice.pick(["Dear", "Hi"])!)))
        case 1, 2: letter(.sendTapped)
        default: letter(.closeTapped)
        }
      }
    }
  }

  @MainActor
  static func player(_ file: URL, _ user: User) async throws {
    let store = Store(initialState: Player.State()) { Player() }
    try await record(store, file, user, []) { _, dice in
      switch dice.roll(0...9) {
      case 0: .playTapped(dice.roll(1...4))
      case 1 where dice.flip(): .stopTapped
      case 2...6: .volumeChanged(dice.roll(0...9))
      default: nil
      }
    }
  }

  @MainActor
  static func courier(_ file: URL, _ user: User) async throws {
    let store = Store(initialState: Courier.State()) {
      Courier()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
    try await record(store, file, user, [.onAppear]) { state, dice in
      switch state.destination {
      case .form:
        switch dice.roll(0...5) {
        case 0, 1:
          return .destination(
            .presented(
              .form(.binding(.set(\.street, dice.pick(["Elm", "Long \"Road\"", "", "Ümlaut"])!)))))
        case 2: return .destination(.presented(.form(.binding(.set(\.isExpress, dice.flip())))))
        case 3: return .destination(.presented(.form(.saveTapped)))
        case 4: return .destination(.presented(.form(.cancelTapped)))
        default: break
        }
      case .details(let details):
        switch dice.roll(0...5) {
        case 0: return .destination(.presented(.details(.task)))
        case 1 where details.alert == nil: return .destination(.presented(.details(.dropTapped)))
        case 1:
          return .destination(
            .presented(.details(.alert(dice.flip() ? .dismiss : .presented(.confirmDropTapped)))))
        case 2: return .destination(.dismiss)
        default: break
        }
      case .sort:
        return dice.flip()
          ? .destination(.dismiss)
          : .destination(.presented(.sort(dice.flip() ? .byName : .byAge)))
      case nil: break
      }
      switch dice.roll(0...14) {
      case 0: return .dutyToggled
      case 1, 2, 3: return .routeTapped(dice.pick(["Elm Street", "Oak Lane", "5th"])!)
      case 4, 5: return .conditionsTapped
      case 6: return .tagTapped(dice.pick(["fragile", "heavy", "cold"])!)
      case 7, 8: return state.destination == nil ? .addTapped : nil
      case 9: return dice.pick(state.parcels.ids).map { .detailsTapped($0) }
      case 10: return state.destination == nil ? .sortTapped : nil
      case 11, 12:
        return dice.pick(state.parcels.ids).map { .parcels(.element(id: $0, action: .carryTapped)) }
      case 13:
        return dice.pick(state.parcels.ids).map {
          .parcels(.element(id: $0, action: .signed("Blob")))
        }
      default: return nil
      }
    }
  }

  @MainActor
  static func chat(_ file: URL, _ user: User) async throws {
    let store = Store(initialState: Chat.State()) { Chat() }
    try await record(store, file, user, [.view(.joinTapped("swift"))]) { state, dice in
      switch dice.roll(0...11) {
      case 0...2: .view(.postTapped("message \(dice.roll(1...99))"))
      case 3, 4:
        dice.pick(state.messages.filter { $0.status == .failed }).map { .view(.retryTapped($0.id)) }
      case 5: .view(.leaveTapped)
      case 6, 7: .view(.joinTapped(dice.pick(["swift", "linux"])!))
      case 8: .view(.presenceToggled(dice.flip()))
      default: nil
      }
    }
  }

  @MainActor
  static func quiz(_ file: URL, _ user: User) async throws {
    let store = Store(initialState: Quiz.State.lobby(QuizLobby.State())) { Quiz() }
    try await record(store, file, user, [.lobby(.task)]) { state, dice in
      switch state {
      case .lobby:
        switch dice.roll(0...3) {
        case 0: .lobby(.nameChanged(dice.pick(["Ada", "Blob"])!))
        case 1: .lobby(.startTapped)
        case 2: .lobby(.task)
        default: nil
        }
      case .round(let round):
        switch dice.roll(0...5) {
        case 0...3:
          round.question.flatMap { dice.pick($0.choices) }.map { .round(.answerTapped($0)) }
        case 4: .round(.skipTapped)
        default: nil
        }
      case .results: dice.flip() ? .againTapped : nil
      }
    }
  }
}
