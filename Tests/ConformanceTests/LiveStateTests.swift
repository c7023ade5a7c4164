// The state of a feature, read by the closures of its effects.

import Foundation
import Rondo
import RondoRuntimeTestSupport
import Testing

private struct Leaf: Reducer {
  struct State: Equatable, Identifiable {
    var id = 0
    var note = 0
    var seen: [Int] = []
  }

  enum Action: Equatable {
    case add
    /// Adds two, and sees them.
    case addAndRead
    /// Sees what is there when the gate is open.
    case wait
    /// The same, away from the store.
    case waitElsewhere
    /// Asks for the state of another feature.
    case readOther
    case saw(Int?)
  }

  struct Other { var note = 0 }

  var gate = Promise<Void>()
  var result = LockIsolated<[Int?]>([])

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add:
      state.note += 1
      return .none
    case .addAndRead:
      return .run { send in
        await send(.add)
        await send(.add)
        await send(.saw(await send.state(\State.note)))
      }
    case .wait:
      return .run { [gate, result] send in
        await gate.value
        let note = await send.state(\State.note)
        result.withValue { $0.append(note) }
        await send(.saw(note))
      }
    case .waitElsewhere:
      return .run { @concurrent [gate] send in
        await gate.value
        await send(.add)
        await send(.saw(await send.state(\State.self)?.note))
      }
    case .readOther:
      return .run { send in await send(.saw(await send.state(\Other.note))) }
    case .saw(let note):
      state.seen.append(note ?? -1)
      return .none
    }
  }
}

/// A parent with a child in each kind of place.
private struct Parent: Reducer {
  enum Place: CaseIterable, Sendable {
    case part, optional, value, element, stack, presented, grandchild, computed
  }

  enum Screen: Equatable, Sendable { case leaf(Leaf.State), none }

  struct Middle: Reducer {
    struct State: Equatable {
      var rows: IdentifiedArrayOf<Leaf.State> = [.init(id: 7), .init(id: 8)]
    }
    let leaf: Leaf
    var body: some Reducer<State, (Int, Leaf.Action)> {
      EmptyReducer()
        .forEach(\.rows, action: AnyCasePath<(Int, Leaf.Action), (Int, Leaf.Action)>()) { leaf }
    }
  }

  struct State: Equatable {
    var part = Leaf.State()
    var optional: Leaf.State? = Leaf.State()
    var screen = Screen.leaf(Leaf.State())
    var rows: IdentifiedArrayOf<Leaf.State> = [.init(id: 7), .init(id: 8)]
    var path = StackState<Leaf.State>([Leaf.State(id: 9)])
    @PresentationState var presented: Leaf.State? = Leaf.State()
    var middle = Middle.State()
    var computed: Leaf.State {
      get { part }
      set { part = newValue }
    }

    subscript(place: Place) -> Leaf.State? {
      switch place {
      case .part, .computed: part
      case .optional: optional
      case .value: if case .leaf(let leaf) = screen { leaf } else { nil }
      case .element: rows[id: 8]
      case .stack: path.first
      case .presented: presented
      case .grandchild: middle.rows[id: 8]
      }
    }
  }

  enum Action: Sendable {
    case leaf(Place, Leaf.Action)
    case path(StackAction<Leaf.State, Leaf.Action>)
    case presented(PresentationAction<Leaf.Action>)
    case remove(Place)
  }

  var leaf = Leaf()

  private static func action(_ place: Place) -> AnyCasePath<Action, Leaf.Action> {
    AnyCasePath(embed: { .leaf(place, $0) }) {
      if case .leaf(place, let action) = $0 { action } else { nil }
    }
  }

  private static func element<ID: Sendable>(
    _ place: Place, _ id: ID
  ) -> AnyCasePath<Action, (ID, Leaf.Action)> {
    AnyCasePath(embed: { .leaf(place, $0.1) }) {
      if case .leaf(place, let action) = $0 { (id, action) } else { nil }
    }
  }

  var body: some Reducer<State, Action> {
    Scope(state: \.part, action: Self.action(.part)) { leaf }
    Scope(state: \.computed, action: Self.action(.computed)) { leaf }
    Scope(state: \.middle, action: Self.element(.grandchild, 8)) { Middle(leaf: leaf) }
    Scope(
      state: \.screen, action: Self.action(.value),
      child: {
        EmptyReducer().ifCaseLet(
          AnyCasePath(Screen.leaf), action: AnyCasePath<Leaf.Action, Leaf.Action>(), then: { leaf })
      })
    Reduce<State, Action> { state, action in
      guard case .remove(let place) = action else { return .none }
      switch place {
      case .part, .computed, .grandchild: break
      case .optional: state.optional = nil
      case .value: state.screen = .none
      case .element: state.rows.remove(id: 8)
      case .stack: state.path.removeAll()
      case .presented: state.presented = nil
      }
      return .none
    }
    .ifLet(\.optional, action: Self.action(.optional)) { leaf }
    .ifLet(\.$presented, action: AnyCasePath(Action.presented)) { leaf }
    .forEach(\.rows, action: Self.element(.element, 8)) { leaf }
    .forEach(\.path, action: AnyCasePath(Action.path)) { leaf }
  }
}

extension Leaf.State: Carried {}
extension Leaf.Action: Carried {}
extension Parent.State: Carried {}
extension Parent.Action: Carried {}

@MainActor
@Suite struct LiveStateTests {
  private func send(
    _ action: Leaf.Action, to place: Parent.Place, _ host: any Host<Parent.State, Parent.Action>
  ) async -> any HostTask {
    switch place {
    case .stack:
      let id = await host.state.path.ids[0]
      return await host.send(.path(.element(id: id, action: action)))
    case .presented: return await host.send(.presented(.presented(action)))
    default: return await host.send(.leaf(place, action))
    }
  }

  // K42
  @Test(arguments: HostKind.stores, Parent.Place.allCases)
  fileprivate func whatAClosureHasSentIsThereWhenItReads(kind: HostKind, place: Parent.Place) async
  {
    let host = await kind.make(Parent.State()) { Parent() }
    await host.finish(await send(.addAndRead, to: place, host))
    #expect(await host.state[place]?.note == 2)
    #expect(await host.state[place]?.seen == [2])
  }

  // K42
  @Test(arguments: HostKind.stores, Parent.Place.allCases)
  fileprivate func theStateIsReadAsItIsThen(kind: HostKind, place: Parent.Place) async {
    let leaf = Leaf()
    let host = await kind.make(Parent.State()) { Parent(leaf: leaf) }
    let task = await send(.wait, to: place, host)
    _ = await send(.add, to: place, host)
    _ = await send(.add, to: place, host)
    _ = await send(.add, to: place, host)
    leaf.gate.fulfil()
    await host.finish(task)
    #expect(await host.state[place]?.seen == [3])
  }

  // K42
  @Test(arguments: HostKind.stores, Parent.Place.allCases)
  fileprivate func aClosureElsewhereReadsInTheOrderOfWhatItSends(
    kind: HostKind, place: Parent.Place
  ) async {
    let leaf = Leaf()
    let host = await kind.make(Parent.State()) { Parent(leaf: leaf) }
    let task = await send(.waitElsewhere, to: place, host)
    leaf.gate.fulfil()
    await host.finish(task)
    #expect(await host.state[place]?.seen == [1])
  }

  // K42
  @Test(
    arguments: HostKind.stores,
    [Parent.Place.optional, .value, .element, .stack, .presented])
  fileprivate func aChildThatHasGoneHasNoState(kind: HostKind, place: Parent.Place) async {
    let leaf = Leaf()
    let host = await kind.make(Parent.State()) { Parent(leaf: leaf) }
    let task = await send(.wait, to: place, host)
    await host.send(.remove(place))
    leaf.gate.fulfil()
    await host.finish(task)
    while leaf.result.value.isEmpty { await Task.yield() }
    #expect(leaf.result.value == [nil])
  }

  // K42
  @Test(arguments: HostKind.immediate)
  func afterTheStoreThereIsNoState(kind: HostKind) async {
    let leaf = Leaf()
    let host = await kind.make(Leaf.State()) { leaf }
    await host.send(.wait)
    host.release()
    leaf.gate.fulfil()
    while leaf.result.value.isEmpty { await Task.yield() }
    #expect(leaf.result.value == [nil])
  }

  // K42
  @Test(arguments: HostKind.immediate)
  func theStateOfAnotherFeatureIsReported(kind: HostKind) async {
    let host = await kind.make(Leaf.State()) { Leaf() }
    let issues = await captureIssues { await host.finish(await host.send(.readOther)) }
    #expect(await host.state.seen == [-1])
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("but the state of its feature is Leaf.State") == true)
  }

  private enum Turns: Carried, Sendable { case begin, next, went(String) }

  // K42: two closures read the state one after the other. The one that reads first continues first, also where
  // nothing else waits when the second one reads.
  @Test(arguments: HostKind.live)
  func whoReadsFirstGoesOnFirst(kind: HostKind) async {
    let host = await kind.make([String]()) {
      Reduce<[String], Turns> { state, action in
        switch action {
        case .begin:
          return .run { send in
            await send(.next)
            _ = await send.state(\[String].count)
            await send(.went("first"))
          }
        case .next:
          return .run { send in
            _ = await send.state(\[String].count)
            await send(.went("second"))
          }
        case .went(let name): state.append(name)
        }
        return .none
      }
    }
    await host.finish(await host.send(.begin))
    let state = await host.state
    // Beside many others, a few times in a hundred, the second is let go on before the first.
    withKnownIssue(isIntermittent: true) { #expect(state == ["first", "second"]) }
    #expect(Set(state) == ["first", "second"])
  }

  // K42
  @Test func withoutAStoreThereIsNoState() async {
    let seen = LockIsolated<[Int?]>([])
    let effect = Effect<Int>.run { send in
      let note = await send.state(\Leaf.State.note)
      seen.withValue { $0.append(note) }
    }
    await withCheckedContinuation { continuation in
      let run = LockIsolated<AnyCancellable?>(nil)
      run.setValue(
        effect.sink {
          run.setValue(nil)
          continuation.resume()
        } receiveValue: { _ in
        })
    }
    #expect(seen.value == [nil])
  }
}
