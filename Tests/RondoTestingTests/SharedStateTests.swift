// C12: a test asserts changes of shared state as it does any others.

import Foundation
import Rondo
import RondoTesting
import Testing

struct SharedStateTests {
  struct Feature: Reducer {
    struct State: Equatable {
      @Shared(.inMemory("count")) var count = 0
      var name = ""
    }
    enum Action: Equatable {
      case increment
      case incrementTwice
      case incrementInEffect
      case incrementSilently
      case incrementElsewhere
      case rename
      case done
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .increment:
        state.$count.withLock { $0 += 1 }
      case .incrementTwice:
        state.$count.withLock { $0 += 1 }
        return .send(.increment)
      case .incrementInEffect:
        return .run { [count = state.$count] send in
          count.withLock { $0 += 1 }
          await send(.done)
        }
      case .incrementSilently:
        return .run { [count = state.$count] _ in count.withLock { $0 += 1 } }
      case .incrementElsewhere:
        @Shared(.inMemory("elsewhere")) var elsewhere = 0
        $elsewhere.withLock { $0 += 1 }
      case .rename:
        state.name = "Blob"
      case .done:
        break
      }
      return .none
    }
  }

  private func makeStore() -> TestStoreOf<Feature> {
    TestStore(initialState: Feature.State()) { Feature() }
  }

  @Test("C12: an asserted change passes")
  func asserted() async {
    let store = makeStore()
    await store.send(.increment) { $0.$count.withLock { $0 = 1 } }
    await store.send(.increment) { $0.count = 2 }
    await store.send(.rename) { $0.name = "Blob" }
  }

  @Test("C12: a change that is not asserted fails")
  func unasserted() async {
    let store = makeStore()
    let issues = await captureIssues { await store.send(.increment) }
    #expect(
      issues.map(\.message) == [
        """
        .increment changed the state, which was not asserted.

          SharedStateTests.Feature.State(
        −   count: 0,
        +   count: 1,
            … (1 unchanged)
          )

        (expected: −, actual: +)

        Assert the change in a closure behind 'send'.

        Shared values have changed ($count): assert that by '$0.$count.withLock { $0 = … }'.
        """
      ])
  }

  @Test("C12: a change that is asserted wrongly fails")
  func wrong() async {
    let store = makeStore()
    let issues = await captureIssues {
      await store.send(.increment) { $0.$count.withLock { $0 = 5 } }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("−   count: 5,") == true)
    #expect(issues.first?.message.contains("+   count: 1,") == true)
  }

  @Test("C12: what effects are ready to do is done before an assertion without an action")
  func readyEffects() async {
    let (numbers, number) = AsyncStream.makeStream(of: Int.self)
    let store = TestStore(initialState: Feature.State()) {
      Reduce<Feature.State, Void> { state, _ in
        .run { [count = state.$count] _ in
          for await number in numbers { count.withLock { $0 = number } }
        }
      }
    }
    let task = await store.send(())
    number.yield(7)
    store.assert { $0.count = 7 }
    await task.cancel()
  }

  @Test("C12: an assertion of what has not changed fails")
  func nothing() async {
    let store = makeStore()
    let issues = await captureIssues {
      await store.send(.rename) {
        $0.name = "Blob"
        $0.$count.withLock { $0 = 1 }
      }
    }
    #expect(issues.count == 1)
  }

  // K13
  @Test func whatIsAssertedToBeWhatItIsPasses() async {
    let store = makeStore()
    await store.send(.rename) {
      $0.name = "Blob"
      $0.$count.withLock { $0 = 0 }
    }
    // Also where nothing else changes.
    await store.send(.done) { $0.$count.withLock { $0 = 0 } }
    await store.send(.done) { $0.count = 0 }
    @Shared(.inMemory("elsewhere")) var elsewhere = 5
    await store.send(.done) { [$elsewhere] _ in $elsewhere.withLock { $0 = 5 } }
    store.assert { $0.$count.withLock { $0 = 0 } }
  }

  // K13
  @Test func whatIsAssertedToBeAnotherValueFails() async {
    @Shared(.inMemory("elsewhere")) var elsewhere = 5
    let store = makeStore()
    let inState = await captureIssues {
      await store.send(.done) { $0.$count.withLock { $0 = 1 } }
    }
    #expect(inState.count == 1)
    let outside = await captureIssues {
      await store.send(.done) { [$elsewhere] _ in $elsewhere.withLock { $0 = 6 } }
    }
    #expect(
      outside.map { $0.message.contains("changed shared state in another way than was asserted.") }
        == [true])
  }

  // K13
  @Test func whatIsAssertedOfAnotherValueWithoutAnActionFails() async {
    @Shared(.inMemory("count")) var count = 0
    let store = makeStore()
    await store.send(.incrementElsewhere) { _ in
      @Shared(.inMemory("elsewhere")) var elsewhere = 0
      $elsewhere.withLock { $0 = 1 }
    }
    let issues = await captureIssues {
      await store.send(.incrementSilently)
      store.assert { _ in
        @Shared(.inMemory("elsewhere")) var elsewhere = 0
        $elsewhere.withLock { $0 = 99 }
      }
      store.assert { [$count] _ in $count.withLock { $0 = 1 } }
    }
    #expect(
      issues.map { $0.message.contains("changed shared state in another way than was asserted.") }
        == [true])
  }

  // K13: the elements of two collections that share their memory are not compared.
  @Test(arguments: SharedInside.Place.allCases)
  func aChangeInsideOfAStateHasToBeAsserted(place: SharedInside.Place) async {
    let store = TestStore(initialState: SharedInside.State()) { SharedInside() }
    let issues = await captureIssues { await store.send(place) }
    #expect(issues.count == 1)
    await store.send(place) { state in state.at(place).withLock { $0 = 2 } }
    let wrong = await captureIssues {
      await store.send(place) { state in state.at(place).withLock { $0 = 99 } }
    }
    #expect(wrong.count == 1)
    let withoutAction = captureIssues {
      store.assert { state in state.at(place).withLock { $0 = 99 } }
    }
    #expect(withoutAction.count == 1)
    store.assert { state in state.at(place).withLock { $0 = 3 } }
  }

  @Test("C12: an assertion changes nothing")
  func assertionIsNoChange() async {
    @Shared(.inMemory("count")) var count = 0
    let store = makeStore()
    _ = await captureIssues { await store.send(.increment) { $0.$count.withLock { $0 = 99 } } }
    #expect(count == 1)
  }

  @Test("C12: each of two actions has its own change, however far the value has gone")
  func eachItsOwn() async {
    let store = makeStore()
    await store.send(.incrementTwice) { $0.$count.withLock { $0 = 1 } }
    await store.receive(.increment) { $0.$count.withLock { $0 = 2 } }
  }

  @Test("C12: a change by an effect belongs to the action that the effect sends next")
  func effects() async {
    let store = makeStore()
    await store.send(.incrementInEffect)
    await store.receive(.done) { $0.$count.withLock { $0 = 1 } }
  }

  @Test("C12: a change by an effect that sends nothing is asserted by itself")
  func silentEffects() async {
    let store = makeStore()
    await store.send(.incrementSilently)
    store.assert { $0.$count.withLock { $0 = 1 } }
    await store.finish()
  }

  @Test("C12: a change by an effect that nobody asserts fails at the end")
  func silentEffectsUnasserted() async {
    let store = makeStore()
    await store.send(.incrementSilently)
    let issues = await captureIssues { await store.finish() }
    #expect(
      issues.map(\.message) == [
        """
        An effect changed shared state, which was not asserted.

        Shared<Int>(.inMemory("count")):
        − 0
        + 1

        (expected: −, actual: +)

        Assert it by 'store.assert { $0.$value.withLock { $0 = … } }' after the effect has ended.
        """
      ])
  }

  @Test("C12: a change by an effect that nobody asserts fails when the store goes")
  func silentEffectsAtTheEnd() async {
    let issues = await captureIssues {
      let store = makeStore()
      await store.send(.incrementSilently)
    }
    #expect(issues.map { $0.message.hasPrefix("An effect changed shared state") } == [true])
  }

  @Test("C12: a change by an effect may go unmentioned")
  func silentEffectsUnmentioned() async {
    let store = makeStore()
    store.exhaustivity.remove(.state)
    await store.send(.incrementSilently)
    await store.send(.incrementSilently)
    await store.finish()
  }

  @Test("C12: a change by an effect that sends nothing is not that of the action sent next")
  func silentEffectsBeforeAnAction() async {
    let store = makeStore()
    await store.send(.incrementSilently)
    let issues = await captureIssues { await store.send(.rename) { $0.name = "Blob" } }
    #expect(
      issues.map(\.message) == [
        """
        An effect changed shared state, which was not asserted when .rename was sent.

        Shared<Int>(.inMemory("count")):
        − 0
        + 1

        (expected: −, actual: +)

        Assert it by 'store.assert { $0.$value.withLock { $0 = … } }' after the effect has ended.
        """
      ])
    await store.send(.increment) { $0.$count.withLock { $0 = 2 } }
  }

  @Test("C12: a change of what the state does not hold may be asserted, and is compared then")
  func elsewhere() async {
    @Shared(.inMemory("elsewhere")) var elsewhere = 0
    let store = makeStore()
    await store.send(.incrementElsewhere) { [$elsewhere] _ in $elsewhere.withLock { $0 = 1 } }
    await store.send(.incrementElsewhere)
    let issues = await captureIssues {
      await store.send(.incrementElsewhere) { [$elsewhere] _ in $elsewhere.withLock { $0 = 9 } }
    }
    #expect(
      issues.first?.message.hasPrefix(
        ".incrementElsewhere changed shared state in another way than was asserted.") == true)
    #expect(issues.count == 1)
  }

  /// A page about one element of a shared list, which deletes and renames it in the list.
  struct Page: Reducer {
    struct Item: Identifiable, Equatable, Sendable {
      let id: Int
      var name = ""
    }
    struct State: Equatable {
      @Shared var item: Item
    }
    enum Action { case delete, rename }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      @Shared(.inMemory("items")) var items: IdentifiedArrayOf<Item> = []
      switch action {
      case .delete: _ = $items.withLock { [id = state.item.id] in $0.remove(id: id) }
      case .rename: $items.withLock { [id = state.item.id] in $0[id: id]?.name = "Blob" }
      }
      return .none
    }
  }

  @Test("C12: of a list the state asserts the element that it holds, and no more")
  func element() async throws {
    @Shared(.inMemory("items")) var items: IdentifiedArrayOf<Page.Item> = [Page.Item(id: 1)]
    let item = try #require(Shared($items[id: 1]))
    let store = TestStore(initialState: Page.State(item: item)) { Page() }
    let issues = await captureIssues { await store.send(.rename) }
    #expect(issues.count == 1)
    await store.send(.delete)
    #expect(items.isEmpty)
  }

  @Test("C12: what is not asserted on purpose is not compared")
  func nonExhaustive() async {
    let store = makeStore()
    store.exhaustivity = .off
    await store.send(.increment)
    await store.send(.incrementTwice)
    await store.send(.increment) { $0.$count.withLock { $0 = 4 } }
    let issues = await captureIssues {
      await store.send(.increment) { $0.$count.withLock { $0 = 1 } }
    }
    #expect(issues.count == 1)
  }

  @Test("C12: what is skipped is taken as asserted")
  func skipping() async {
    let store = makeStore()
    await store.send(.incrementTwice) { $0.$count.withLock { $0 = 1 } }
    await store.skipReceivedActions()
    await store.send(.increment) { $0.$count.withLock { $0 = 3 } }
  }

  @Test("C12: what the test changes itself needs no assertion")
  func byTheTest() async {
    @Shared(.inMemory("count")) var count = 0
    let store = makeStore()
    $count.withLock { $0 = 10 }
    await store.send(.increment) { $0.$count.withLock { $0 = 11 } }
  }

  @Test("C12: a difference in a large state shows the shared value that differs")
  func difference() async {
    struct Large: Reducer {
      struct State: Equatable {
        var rows = Array(repeating: "row", count: 50)
        @Shared(value: [1: "one"]) var names
      }
      func reduce(into state: inout State, action: Int) -> Effect<Int> {
        state.$names.withLock { $0[action] = "\(action)" }
        return .none
      }
    }
    let store = TestStore(initialState: Large.State()) { Large() }
    let issues = await captureIssues { await store.send(2) }
    let message = issues.first?.message ?? ""
    #expect(message.contains("+   names: [1: \"one\", 2: \"2\"]"))
    #expect(message.split(separator: "\n").count < 16)
  }
}

/// A feature whose shared values are inside of collections, of an optional, and of a presented child.
struct SharedInside: Reducer {
  enum Place: Hashable, CaseIterable { case array, dictionary, list, optional, presented }

  struct Row: Equatable, Identifiable {
    let id = 0
    @Shared var count: Int
  }

  struct State: Equatable {
    var array = [Row(count: Shared(value: 0))]
    var dictionary = ["a": Row(count: Shared(value: 0))]
    var list: IdentifiedArrayOf<Row> = [Row(count: Shared(value: 0))]
    var optional: Row? = Row(count: Shared(value: 0))
    @PresentationState var presented: Row?

    init() {
      presented = Row(count: Shared(value: 0))
    }

    func at(_ place: Place) -> Shared<Int> {
      switch place {
      case .array: array[0].$count
      case .dictionary: dictionary["a"]!.$count
      case .list: list[0].$count
      case .optional: optional!.$count
      case .presented: presented!.$count
      }
    }
  }

  func reduce(into state: inout State, action: Place) -> Effect<Place> {
    state.at(action).withLock { $0 += 1 }
    return .none
  }
}
