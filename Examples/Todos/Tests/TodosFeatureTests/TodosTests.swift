// The rules of the list. Every action, change, transaction and effect is asserted.

import Foundation
import RondoTesting
import Testing
import TodosFeature

@MainActor
@Suite(.orders(50))
struct TodosTests {
  private let bread = Todo.State(id: UUID(0), title: "Bread")
  private let milk = Todo.State(id: UUID(1), title: "Milk")
  private let soap = Todo.State(id: UUID(2), title: "Soap", isCompleted: true)
  private let wine = Todo.State(id: UUID(3), title: "Wine", isCompleted: true)

  private func makeStore(
    filter: Filter = .all, _ todos: IdentifiedArrayOf<Todo.State>
  ) -> TestStoreOf<Todos> {
    TestStore(initialState: Todos.State(filter: filter, todos: todos)) { Todos() }
  }

  // MARK: Adding and editing

  @Test func aDraftBecomesTheFirstTodo() async {
    let store = TestStore(initialState: Todos.State()) {
      Todos()
    } withDependencies: {
      $0.uuid = .incrementing
    }
    await store.send(\.binding.draft, "Bread") { $0.draft = "Bread" }
    await store.send(.addButtonTapped) {
      $0.draft = ""
      $0.todos = [Todo.State(id: UUID(0), title: "Bread")]
    }
    await store.send(\.binding.draft, " Milk ") { $0.draft = " Milk " }
    await store.send(.addButtonTapped) {
      $0.draft = ""
      $0.todos.insert(Todo.State(id: UUID(1), title: "Milk"), at: 0)
    }
  }

  @Test func aBlankDraftIsNotAdded() async {
    let store = makeStore([])
    await store.send(.addButtonTapped)
    await store.send(\.binding.draft, "  ") { $0.draft = "  " }
    await store.send(.addButtonTapped)
  }

  @Test func aTitleIsEditedInItsRow() async {
    let store = makeStore([bread, milk])
    await store.send(\.todos[id: UUID(1)].binding.title, "Oat milk") {
      $0.todos[id: UUID(1)]?.title = "Oat milk"
    }
  }

  // MARK: Completing

  @Test func aCompletedTodoSinksASecondLater() async {
    let store = makeStore([bread, milk])
    await store.send(\.todos[id: UUID(0)].binding.isCompleted, true) {
      $0.todos[id: UUID(0)]?.isCompleted = true
    }
    await store.advance(by: .seconds(1))
    await store.receive(\.sortCompletedTodos, animation: .default) {
      $0.todos = [$0.todos[1], $0.todos[0]]
    }
  }

  @Test func everyTickStartsTheSecondAnew() async {
    let store = makeStore([bread, milk])
    await store.send(\.todos[id: UUID(0)].binding.isCompleted, true) {
      $0.todos[id: UUID(0)]?.isCompleted = true
    }
    await store.advance(by: .milliseconds(999))
    await store.send(\.todos[id: UUID(1)].binding.isCompleted, true) {
      $0.todos[id: UUID(1)]?.isCompleted = true
    }
    await store.advance(by: .milliseconds(999))
    await store.send(\.todos[id: UUID(1)].binding.isCompleted, false) {
      $0.todos[id: UUID(1)]?.isCompleted = false
    }
    await store.advance(by: .seconds(1))
    await store.receive(\.sortCompletedTodos, animation: .default) {
      $0.todos = [$0.todos[1], $0.todos[0]]
    }
  }

  @Test func sortingKeepsTheOrderOfEqualTodos() async {
    let store = makeStore([wine, bread, soap, milk])
    await store.send(.sortCompletedTodos) {
      $0.todos = [self.bread, self.milk, self.wine, self.soap]
    }
  }

  @Test func clearingRemovesWhatIsCompletedAndLeavesNothingToSort() async {
    let store = makeStore([bread, milk, soap])
    await store.send(\.todos[id: UUID(0)].binding.isCompleted, true) {
      $0.todos[id: UUID(0)]?.isCompleted = true
    }
    await store.send(.clearCompletedButtonTapped) { $0.todos = [self.milk] }
    await store.finish()
  }

  // MARK: Lists of some

  @Test func whatIsCompletedSinksInTheEnd() async {
    await Explorer(initialState: Todos.State()) {
      Todos()
    } withDependencies: {
      $0.uuid = .incrementing
    }
    .availableActions { state in
      let rows = state.todos.map { todo in
        Todos.Action.todos(
          .element(id: todo.id, action: .binding(.set(\.isCompleted, !todo.isCompleted))))
      }
      return rows
        + [
          .binding(.set(\.draft, "Milk")), .addButtonTapped, .clearCompletedButtonTapped,
          .delete([0]),
        ].filter { $0 != .delete([0]) || !state.visibleTodos.isEmpty }
    }
    .eventually { state in
      let open = state.todos.prefix { !$0.isCompleted }
      return state.todos.dropFirst(open.count).allSatisfy(\.isCompleted)
    }
    .explore(steps: 6, orders: 1_000)
  }

  @Test func theFilterSaysWhichTodosAreShown() async {
    let store = makeStore([bread, soap])
    #expect(store.state.visibleTodos == [bread, soap])
    await store.send(\.binding.filter, .active) { $0.filter = .active }
    #expect(store.state.visibleTodos == [bread])
    await store.send(\.binding.filter, .completed) { $0.filter = .completed }
    #expect(store.state.visibleTodos == [soap])
  }

  @Test func deletingCountsTheRowsThatAreShown() async {
    let store = makeStore(filter: .completed, [bread, soap, milk, wine])
    await store.send(.delete([1])) { $0.todos = [self.bread, self.soap, self.milk] }
  }

  @Test func movingCountsTheRowsThatAreShown() async {
    let store = makeStore(filter: .active, [soap, bread, wine, milk])
    await store.send(.move([1], 0)) { $0.todos = [self.soap, self.milk, self.bread, self.wine] }
    await store.send(.move([0], 2)) { $0.todos = [self.soap, self.bread, self.milk, self.wine] }
  }

  @Test func nothingMovesInAListThatShowsNothing() async {
    let store = makeStore(filter: .completed, [bread])
    await store.send(.move([], 0))
  }
}
