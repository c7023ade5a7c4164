// Sending and receiving actions by the names of their cases.

import Dispatch
import Foundation
import RondoTestCompatibility
import RondoTesting
import Testing

@Reducer
private struct Row {
  struct State: Equatable, Identifiable {
    let id: Int
    var name = ""
    var isDone = false
  }
  enum Action {
    case tapped, renamed(String)
    case done(Result<Bool, Failure>)
  }
  struct Failure: Error, Equatable {}

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tapped:
        return .run { send in await send(.done(.success(true)), animation: .default) }
      case .renamed(let name):
        state.name = name
        return .none
      case .done(let result):
        state.isDone = (try? result.get()) ?? false
        return .none
      }
    }
  }
}

/// Actions that are not `Equatable`, with children of every kind.
@Reducer
private struct Parent {
  @Reducer enum Path { case row(Row) }

  @ObservableState
  struct State: Equatable {
    @Presents var child: Row.State?
    var path = StackState<Path.State>()
    var rows: IdentifiedArrayOf<Row.State> = []
    var query = ""
    var count = 0
  }
  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case child(PresentationAction<Row.Action>)
    case path(StackActionOf<Path>)
    case rows(IdentifiedActionOf<Row>)
    case load, loadBoth, task
    case response(Result<Int, any Error>)
    case other
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .load:
        return .run { send in await send(.response(.success(1))) }
      case .loadBoth:
        return .merge(.run { await $0(.response(.success(2))) }, .run { await $0(.other) })
      case .task:
        return .run { _ in for await _ in AsyncStream<Never>.never {} }
      case .response(.success(let count)):
        state.count = count
        return .none
      case .binding, .child, .path, .rows, .response, .other:
        return .none
      }
    }
    .ifLet(\.$child, action: \.child) { Row() }
    .forEach(\.path, action: \.path)
    .forEach(\.rows, action: \.rows) { Row() }
  }
}

extension Parent.Path.State: Equatable {}

extension AsyncStream where Element == Never {
  fileprivate static var never: Self { Self { _ in } }
}

@Suite struct CaseKeyPathTests {
  // T6
  @Test func aCase() async {
    let store = TestStore(initialState: Parent.State(), reducer: Parent.init)
    await store.send(\.load)
    await store.receive(\.response) { $0.count = 1 }
    await store.send(\.load)
    await store.receive(\.response.success)
    await store.send(.load)
    await store.receive(\.response.success, timeout: .seconds(1))
    await store.send(.load)
    await store.receive(\.response.success, timeout: 1_000_000)
  }

  // T6
  @Test func aCaseWithWhatItCarries() async {
    let store = TestStore(initialState: Parent.State(), reducer: Parent.init)
    await store.send(\.load)
    await store.receive(\.response.success, 1) { $0.count = 1 }
    await store.send(\.load)
    await store.receive(\.response.success, 1, timeout: .seconds(1))
    await store.send(\.load)
    await store.receive(\.response.success, 1, timeout: 1_000_000)
  }

  // T6
  @Test func anyOrder() async {
    let store = TestStore(initialState: Parent.State(), reducer: Parent.init)
    await store.send(\.loadBoth)
    await store.receive(inAnyOrder: \.other, \.response.success) { $0.count = 2 }
    await store.send(\.loadBoth)
    await store.receive(inAnyOrder: .case(\.other), .case(\.response.success, 2))
  }

  // T6
  @Test func aPresentedChild() async {
    let store = TestStore(initialState: Parent.State(child: Row.State(id: 1))) { Parent() }
    await store.send(\.child.renamed, "a") { $0.child?.name = "a" }
    await store.send(\.child.presented.renamed, "b") { $0.child?.name = "b" }
    await store.send(\.child.tapped)
    await store.receive(\.child.done, animation: .default) { $0.child?.isDone = true }
    await store.send(\.child.presented.tapped)
    await store.receive(\.child.presented.done.success, true, animation: .default)
    await store.send(\.child.dismiss) { $0.child = nil }
  }

  // T6
  @Test func anElementOfAStack() async {
    let store = TestStore(initialState: Parent.State()) { Parent() }
    await store.send(.path(.push(id: 0, state: .row(Row.State(id: 7))))) {
      $0.path.append(.row(Row.State(id: 7)))
    }
    await store.send(\.path[id: 0].row.renamed, "a") { $0.path[id: 0, case: \.row]?.name = "a" }
    await store.send(\.path[id: 0].row.tapped)
    await store.receive(\.path[id: 0].row.done.success, true, animation: .default) {
      $0.path[id: 0, case: \.row]?.isDone = true
    }
    await store.send(\.path.popFrom, 0) { $0.path = StackState() }
  }

  // T6
  @Test func anElementOfAList() async {
    let store = TestStore(initialState: Parent.State(rows: [Row.State(id: 3)])) { Parent() }
    await store.send(\.rows[id: 3].renamed, "a") { $0.rows[id: 3]?.name = "a" }
    await store.send(\.rows[id: 3].tapped)
    await store.receive(\.rows[id: 3].done.success, animation: .default) {
      $0.rows[id: 3]?.isDone = true
    }
  }

  // T6
  @Test func aBinding() async {
    let store = TestStore(initialState: Parent.State()) { Parent() }
    await store.send(\.binding.query, "b") { $0.query = "b" }
    await store.send(.binding(.set(\.query, "bl"))) { $0.query = "bl" }
    await store.send(.set(\.query, "blo")) { $0.query = "blo" }
  }

  // T6
  @Test func anActionOfAnotherCase() async {
    let text = await message {
      let store = TestStore(initialState: Parent.State()) { Parent() }
      store.exhaustivity.remove(.state)
      await store.send(\.load)
      await store.receive(\.path[id: 0].row.done)
    }
    #expect(
      text == """
        Received .response(.success(1)), sent by run (RondoTestingTests/CaseKeyPathTests.swift:#), but expected an action of the case \\.path[id: 0].row.done.

        Expect the action that was received, or correct the feature.
        """)
  }

  // T6, T12
  @Test func aKeyPathThatIsNotTheNameOfACase() async {
    let text = await message {
      let store = TestStore(initialState: Parent.State()) { Parent() }
      store.exhaustivity.remove(.state)
      await store.send(\.load)
      await store.receive(\.self)
    }
    #expect(
      text == """
        Received .response(.success(1)), sent by run (RondoTestingTests/CaseKeyPathTests.swift:#), but expected an action of the case that is given.

        No action is received by this key path, which is not the name of a case. Name one, or use a condition.
        """)
  }

  // T6
  @Test func anActionThatCarriesSomethingElse() async {
    let text = await message {
      let store = TestStore(initialState: Parent.State()) { Parent() }
      store.exhaustivity.remove(.state)
      await store.send(\.load)
      await store.receive(\.response.success, 2)
    }
    #expect(
      text == """
        Received .response(.success(1)), sent by run (RondoTestingTests/CaseKeyPathTests.swift:#), but expected .response(.success(2)).

        − .response(.success(2))
        + .response(.success(1))

        (expected: −, actual: +)

        Expect the action that was received, or correct the feature.
        """)
  }

  // T6
  @Test func aCaseIsCalledAsItIsWritten() async {
    func name(_ keyPath: PartialCaseName<Parent.Action>) async -> String {
      let text = await message {
        let store = TestStore(initialState: Parent.State()) { Parent() }
        await store.receive(keyPath)
      }
      return text.split(separator: ",").first.map { $0.dropFirst("Expected to receive ".count) }
        .map(String.init) ?? ""
    }
    #expect(await name(\.response.success) == "an action of the case \\.response.success")
    #expect(await name(\.child) == "an action of the case \\.child")
    #expect(await name(\.child.done) == "an action of the case \\.child.done")
    #expect(await name(\.child.presented.done) == "an action of the case \\.child.presented.done")
    #expect(await name(\.rows[id: 3].done) == "an action of the case \\.rows[id: 3].done")
    #expect(await name(\.other) == ".other")
    #expect(await name(\.path.popFrom) == "an action of the case \\.path.popFrom")
  }

  // T7
  @Test func aTaskIsCancelled() async {
    let store = TestStore(initialState: Parent.State()) { Parent() }
    let task = await store.send(.task)
    await task.cancel()
    await store.finish(timeout: .seconds(1))
    await store.finish(timeout: 1_000_000)
    await task.finish(timeout: 1_000_000)
  }
}
