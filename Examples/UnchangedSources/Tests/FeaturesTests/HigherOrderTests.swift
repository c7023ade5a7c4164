import ComposableArchitecture
import Foundation
import Testing

@testable import Features

@MainActor
struct HigherOrderTests {
  @Test
  func favorites() async {
    struct FavoriteError: Equatable, LocalizedError {
      var errorDescription: String? { "Favoriting failed." }
    }
    var episodes: IdentifiedArrayOf<Episode.State> = [
      Episode.State(id: UUID(0), isFavorite: false, title: "Functions")
    ]
    episodes.append(Episode.State(id: UUID(1), isFavorite: false, title: "Side Effects"))
    let store = TestStore(initialState: Episodes.State(episodes: episodes)) {
      Episodes(favorite: { id, isFavorite in
        guard id == UUID(0) else { throw FavoriteError() }
        return isFavorite
      })
    }
    await store.send(\.episodes[id: UUID(0)].favorite.buttonTapped) {
      $0.episodes[id: UUID(0)]?.isFavorite = true
    }
    await store.receive(\.episodes[id: UUID(0)].favorite.response.success)
    await store.send(\.episodes[id: UUID(1)].favorite.buttonTapped) {
      $0.episodes[id: UUID(1)]?.isFavorite = true
    }
    await store.receive(\.episodes[id: UUID(1)].favorite.response.failure) {
      $0.episodes[id: UUID(1)]?.alert = AlertState { TextState("Favoriting failed.") }
    }
    await store.send(\.episodes[id: UUID(1)].favorite.alert.dismiss) {
      $0.episodes[id: UUID(1)]?.alert = nil
      $0.episodes[id: UUID(1)]?.isFavorite = false
    }
  }

  @Test
  func recursion() async {
    let store = TestStore(
      initialState: Nested.State(
        id: UUID(-1), rows: [Nested.State(id: UUID(8), rows: [Nested.State(id: UUID(1))])])
    ) {
      Nested()
    } withDependencies: {
      $0.uuid = .incrementing
    }
    await store.send(\.addRowButtonTapped) {
      $0.rows.append(Nested.State(id: UUID(0)))
    }
    await store.send(\.rows[id: UUID(8)].rows[id: UUID(1)].nameTextFieldChanged, "Blob") {
      $0.rows[id: UUID(8)]?.rows[id: UUID(1)]?.name = "Blob"
    }
    await store.send(\.rows[id: UUID(8)].onDelete, [0]) {
      $0.rows[id: UUID(8)]?.rows = []
    }
  }

  @Test
  func onChange() async {
    let store = TestStore(initialState: Settings.State()) {
      Settings()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
    }
    await store.send(\.binding.isHapticFeedbackEnabled, false) {
      $0.isHapticFeedbackEnabled = false
      $0.cache = ["changes": 2]
    }
    await store.receive(.saved) { $0.saves = 1 }
    await store.send(.binding(.set(\.userSettings.size, 500))) {
      $0.userSettings.size = 100
    }
    await store.receive(\.saved) { $0.saves = 2 }
    await store.send(\.binding.digest, .weekly) {
      $0.digest = .weekly
      $0.isOn = true
    }
    await store.send(.reset) { $0 = Settings.State() }
    await store.skipReceivedActions(strict: false)
  }

  @Test
  func logging() async {
    let log = LockIsolated<[String]>([])
    let store = TestStore(initialState: Settings.State()) {
      Settings()
        .analytics { action in log.withValue { $0.append("\(action)") } }
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
    }
    store.exhaustivity = .off
    await store.send(.saved)
    #expect(log.value == ["saved"])
  }
}
