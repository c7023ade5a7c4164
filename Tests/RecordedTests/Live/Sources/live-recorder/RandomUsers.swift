// Users who tap what comes to their minds, while timers run.

import Foundation
import Rondo
import RondoRecording

@testable import LiveFeatures

extension LiveRecorder {
  /// A pause of a user, in milliseconds.
  private static let pause: ClosedRange<Int> = 5...60

  /// Records a feature while somebody uses it. Behind the last tap, what is still on its way gets some time.
  @MainActor
  private static func record<State, Action>(
    _ store: Store<State, Action>, _ file: URL, taps: Int, _ first: [Action],
    _ tap: @MainActor (State) -> Action?
  ) async throws {
    let recording = try store.record(to: file)
    for action in first { store.send(action) }
    for _ in 0..<taps {
      try await Task.sleep(for: .milliseconds(Int.random(in: pause)))
      if let action = tap(store.withState { $0 }) { store.send(action) }
    }
    try await Task.sleep(for: .milliseconds(200))
    recording.end()
  }

  @MainActor
  static func desk(_ file: URL, taps: Int) async throws {
    let store = Store(initialState: Desk.State()) { Desk() }
    try await record(store, file, taps: taps, [.opened]) { state in
      switch Int.random(in: 0..<22) {
      case 0: .closed
      case 1, 2: .opened
      case 3...5: .rateTapped
      case 6...9: .buyTapped(.random(in: 1...9))
      case 10: .cancelTapped
      case 11: .noteTapped("note \(Int.random(in: 1...9))")
      case 12, 13: .queryChanged(String(repeating: "a", count: .random(in: 1...5)))
      case 14: .addTapped
      case 15: state.rows.randomElement().map { .removeTapped($0.id) }
      case 16: state.rows.randomElement().map { .rows(.element(id: $0.id, action: .startTapped)) }
      case 17: state.rows.randomElement().map { .rows(.element(id: $0.id, action: .stopTapped)) }
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
  static func mailbox(_ file: URL, taps: Int) async throws {
    let store = Store(initialState: Mailbox.State()) { Mailbox() }
    try await record(store, file, taps: taps, [.task]) { state in
      if state.alert != nil, Bool.random() {
        return switch state.alert?.buttons.first?.action.action {
        case .logoutConfirmed?:
          Bool.random() ? .alert(.presented(.logoutConfirmed)) : .alert(.dismiss)
        case let action?: Bool.random() ? .alert(.presented(action)) : .alert(.dismiss)
        case nil: .alert(.dismiss)
        }
      }
      switch Int.random(in: 0..<10) {
      case 0, 1: return .refreshTapped
      case 2: return .loginTapped(["Blob", "Ada", "Bob"].randomElement()!)
      case 3 where state.alert == nil: return .logoutTapped
      case 4 where state.path.count < 2: return .folderTapped("Inbox")
      case 5 where !state.path.isEmpty: return .path(.popFrom(id: state.path.ids.last!))
      default: break
      }
      guard let id = state.path.ids.randomElement(), let screen = state.path[id: id] else {
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
        return switch Int.random(in: 0..<3) {
        case 0: folder(.task)
        case 1: folder(.renameTapped(["Old", "New"].randomElement()!))
        default: state.path.count < 4 ? folder(.letterTapped("Hello")) : nil
        }
      case .letter:
        return switch Int.random(in: 0..<4) {
        case 0: letter(.binding(.set(\.text, ["Dear", "Hi"].randomElement()!)))
        case 1, 2: letter(.sendTapped)
        default: letter(.closeTapped)
        }
      }
    }
  }

  @MainActor
  static func player(_ file: URL, taps: Int) async throws {
    let store = Store(initialState: Player.State()) { Player() }
    try await record(store, file, taps: taps, []) { _ in
      switch Int.random(in: 0..<10) {
      case 0: .playTapped(.random(in: 1...4))
      case 1 where Bool.random(): .stopTapped
      case 2...6: .volumeChanged(.random(in: 0...9))
      default: nil
      }
    }
  }
}
