// The assertions that a test may leave out.

@testable import RondoTestStore
import Synchronization
import Testing

@Suite struct ExhaustivityTests {
  // T1
  @Test func offAssertsWhatIsMentioned() async {
    let store = makeStore()
    store.exhaustivity = .off
    await store.send(.chain(3)) { $0.count = 1 }
    await store.receive(.chain(0)) { $0.count = 4 }
    await store.send(.sleep)
    await store.send(.note("a")) { $0.log = ["a"] }
  }

  // T1
  @Test func transactionsMayGoUnmentioned() async {
    let store = makeStore()
    store.exhaustivity.remove(.transactions)
    await store.send(.animated)
    await store.receive(.increment) { $0.count = 1 }
  }

  // T1
  @Test func changesMayGoUnmentioned() async {
    let store = makeStore()
    store.exhaustivity.remove(.state)
    await store.send(.increment)
    await store.send(.increment) { $0.count = 2 }
  }

  // T1
  @Test func effectsMayStayInFlight() async {
    let store = makeStore()
    store.exhaustivity.remove(.effects)
    await store.send(.sleep)
    await store.finish()
  }

  // T1
  @Test func aTaskNeedNotEnd() async {
    let store = makeStore()
    store.exhaustivity.remove(.effects)
    let task = await store.send(.sleep)
    await task.finish()
    #expect(!task.isFinished)
  }

  // T7
  @Test func exhaustivityIsRestored() async {
    let store = makeStore()
    await store.withExhaustivity(.off) {
      await store.send(.increment)
    }
    store.withExhaustivity(.off) { store.assert { $0.count = 1 } }
    #expect(store.exhaustivity == .on)
    await store.send(.increment) { $0.count = 2 }
  }

  // T7
  @Test func receivedActionsAreSkipped() async {
    let store = makeStore()
    await store.send(.chain(3)) { $0.count = 1 }
    await store.skipReceivedActions()
    #expect(store.state.count == 4)
  }

  // T7
  @Test func effectsInFlightAreReallyCancelled() async {
    let store = makeStore()
    await store.send(.sleep)
    await store.skipInFlightEffects()
    await store.advance(by: .seconds(2))
  }

  private func notes(
    _ body: nonisolated(nonsending) (TestStoreOf<Counter>) async -> Void
  ) async -> [String] {
    let notes = Mutex<[String]>([])
    await TestSettings.with(\.print, { note in notes.withLock { $0.append(note) } }) {
      let store = makeStore()
      store.exhaustivity = .off(showSkippedAssertions: true)
      await body(store)
    }
    return notes.withLock { $0 }.map { note in
      withoutLines(String(note[note.firstRange(of: "note: ")!.upperBound...]))
    }
  }

  // T1
  @Test func skippedActionsAreNoted() async {
    let notes = await notes { store in
      await store.send(.runTwo)
      await store.receive(.note("b"))
    }
    #expect(
      notes == [
        """
        Skipped 1 action:

          • .note("a"), sent by run (RondoTestingTests/Counter.swift:#)
        """,
        """
        .note("b") changed more of the state than was asserted.

        − Counter.State(count: 0, log: ["a"])
        + Counter.State(count: 0, log: ["a", "b"])

        (expected: −, actual: +)
        """,
      ])
  }

  // T1
  @Test func whatASendAndTheEndSkipIsNoted() async {
    let notes = await notes { store in
      await store.send(.runTwo)
      await store.send(.nothing)
      await store.send(.sleep)
      await store.skipInFlightEffects()
      await store.send(.run)
    }
    #expect(
      notes.map { $0.prefix { $0 != "\n" } } == [
        "Skipped 2 actions:", "Cancelled 1 effect in flight:", "Skipped 1 action:",
      ])
  }

  // T7
  @Test func whereThereIsNothingToSkipItNeedNotBe() async {
    let store = makeStore()
    await store.skipReceivedActions(strict: false)
    await store.skipInFlightEffects(strict: false)
  }

  // T1
  @Test func withoutThemNothingIsNoted() async {
    let notes = await notes { store in
      store.exhaustivity = .off
      await store.send(.runTwo)
    }
    #expect(notes == [])
  }
}
