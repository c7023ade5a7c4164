import ComposableArchitecture
import Foundation
import Testing

@testable import Features

extension SyncUp {
  static let mock = SyncUp(
    id: UUID(100), title: "Design", attendees: [SyncUp.Attendee(id: UUID(101), name: "Blob")])
}

@MainActor
struct SharingTests {
  @Test
  func stats() async {
    let store = TestStore(initialState: StatsTab.State()) {
      StatsTab()
    }
    await store.send(.incrementButtonTapped) {
      $0.$stats.withLock { $0.increment() }
    }
    await store.send(.isPrimeButtonTapped) {
      $0.alert = AlertState { TextState("Not prime") }
    }
    await store.send(\.alert.dismiss) {
      $0.alert = nil
    }
    await store.send(.resetStatsButtonTapped) {
      $0.$stats.withLock { $0 = Stats() }
    }
  }

  @Test
  func list() async {
    @Shared(.syncUps) var syncUps = [.mock]
    let store = TestStore(initialState: SyncUpsList.State()) {
      SyncUpsList()
    } withDependencies: {
      $0.uuid = .incrementing
    }
    #expect(store.state.syncUps == [.mock])

    await store.send(.addButtonTapped) {
      _ = $0.$syncUps.withLock { $0.append(SyncUp(id: UUID(0), title: "New")) }
    }
    await store.send(.onDelete([1])) {
      $0.$syncUps.withLock { $0 = [.mock] }
    }
    let sharedSyncUp = try! #require(Shared($syncUps[id: SyncUp.mock.id]))
    await store.send(.syncUpTapped(id: SyncUp.mock.id)) {
      $0.detail = SyncUpDetail.State(syncUp: sharedSyncUp)
      $0.$openCount.withLock { $0 = 1 }
    }
    await store.send(\.detail.renameButtonTapped, "Engineering") {
      $0.detail?.$syncUp.withLock { $0.title = "Engineering" }
    }
    #expect(syncUps[id: SyncUp.mock.id]?.title == "Engineering")
    await store.send(\.detail.addAttendee) {
      $0.$syncUps.withLock {
        _ = $0[id: SyncUp.mock.id]?.attendees.append(SyncUp.Attendee(id: UUID(1)))
      }
    }
    await store.send(\.detail.deleteButtonTapped) {
      $0.$syncUps.withLock { $0 = [] }
    }
    await store.receive(\.detail.dismiss) {
      $0.detail = nil
    }
    #expect(syncUps.isEmpty)
  }

  @Test
  func changesByEffects() async {
    @Shared(.syncUps) var syncUps = [.mock]
    let store = TestStore(initialState: SyncUpsList.State()) {
      SyncUpsList()
    }
    await store.send(.importTapped)
    await store.receive(\.imported) {
      $0.$syncUps.withLock { $0[id: SyncUp.mock.id]?.title = "Design!" }
      $0.$isOnboarded.withLock { $0 = true }
    }
  }

  @Test
  func detail() async {
    @Shared(.syncUps) var syncUps = [.mock]
    let store = TestStore(
      initialState: SyncUpDetail.State(syncUp: Shared(value: .mock))
    ) {
      SyncUpDetail()
    } withDependencies: {
      $0.uuid = .incrementing
    }
    await store.send(\.binding.isEditing, true) { $0.isEditing = true }
    await store.send(.renameButtonTapped("X")) {
      $0.$syncUp.title.withLock { $0 = "X" }
    }
    await store.send(.deleteButtonTapped) { _ in
      $syncUps.withLock { $0 = [] }
    }
    await store.finish()
    #expect(store.isDismissed)
  }
}
