// The game, and matches on real journals.

import Foundation
import MatchFeature
import Rondo
import RondoDurable
import RondoTesting
import Testing

@Suite struct MatchTests {
  private func begun(_ requests: LockIsolated<[DurableRequest]>) async -> TestStoreOf<Match> {
    let store = TestStore(initialState: Match.State()) {
      Match()
    } withDependencies: {
      $0.durableRequests = { request in requests.withValue { $0.append(request) } }
    }
    store.exhaustivity = .off
    await store.send(.request(.create(secondsPerMove: 60), id: "1"))
    await store.send(.request(.join(player: "ada"), id: "2"))
    await store.send(.request(.join(player: "bob"), id: "3"))
    return store
  }

  @Test func D8_threeInALineWin() async {
    let requests = LockIsolated<[DurableRequest]>([])
    let store = await begun(requests)
    for (index, move) in [("ada", 0), ("bob", 3), ("ada", 1), ("bob", 4), ("ada", 2)].enumerated() {
      await store.send(.request(.move(player: move.0, cell: move.1), id: "m\(index)"))
    }
    #expect(store.state.result == .won(by: "ada"))
    #expect(store.state.board == "XXXOO....")
    #expect(requests.value.suffix(2).map(\.shortText) == ["cancel clock", "announce"])
  }

  @Test func D8_theRulesAreKept() async {
    let store = await begun(LockIsolated([]))
    await store.send(.request(.move(player: "bob", cell: 0), id: "notHisMove"))
    await store.send(.request(.move(player: "ada", cell: 9), id: "noCell"))
    await store.send(.request(.join(player: "eve"), id: "full"))
    await store.send(.request(.move(player: "ada", cell: 0), id: "fine"))
    await store.send(.request(.move(player: "bob", cell: 0), id: "taken"))
    #expect(store.state.refused == ["notHisMove", "noCell", "full", "taken"])
    #expect(store.state.board == "X........")
  }

  @Test(arguments: [0, -1, 1e300, .infinity, .nan])
  func D8_aTimeThatNoClockCanKeepIsRefused(_ seconds: Double) async {
    let store = TestStore(initialState: Match.State()) {
      Match()
    } withDependencies: {
      $0.durableRequests = { _ in }
    }
    store.exhaustivity = .off
    await store.send(.request(.create(secondsPerMove: seconds), id: "1"))
    await store.send(.request(.join(player: "ada"), id: "2"))
    await store.send(.request(.join(player: "bob"), id: "3"))
    #expect(store.state.refused == ["1", "2", "3"])
  }

  @Test func D8_aClockOfAnEarlierMoveDoesNothing() async {
    let store = await begun(LockIsolated([]))
    await store.send(.request(.move(player: "ada", cell: 0), id: "4"))
    await store.send(.clockRanOut(move: 0))
    #expect(store.state.result == nil)
    await store.send(.clockRanOut(move: 1))
    #expect(store.state.result == .forfeited(by: "bob"))
  }

  @Test(arguments: Host.here.filter { $0 != .memory })
  func D1_aMatchGoesOnInAnotherProcess(_ host: Host) async throws {
    let journal = try await host.journal()
    let name = UUID().uuidString
    var options = DurableOptions()
    options.lease = .milliseconds(300)
    options.pollInterval = .milliseconds(10)
    for part in 0..<2 {
      let matches = DurableStores(
        journal: journal, feature: .match(announce: { _, _ in }), options: options)
      let serving = Task { await matches.run() }
      let match = matches[name]
      if part == 0 {
        try await match.send(.request(.create(secondsPerMove: 60), id: "1"), id: "1")
        try await match.send(.request(.join(player: "ada"), id: "2"), id: "2")
      } else {
        #expect(
          try await match.send(.request(.join(player: "ada"), id: "2"), id: "2") == .duplicate)
        try await match.send(.request(.join(player: "bob"), id: "3"), id: "3")
        #expect(try await match.state.players == ["ada", "bob"])
        #expect(try await match.state.requests == ["1", "2", "3"])
      }
      serving.cancel()
      await serving.value
    }
  }
}

extension DurableRequest {
  fileprivate var shortText: String { kind == .cancel ? "cancel \(id ?? "")" : name }
}
