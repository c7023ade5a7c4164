import ComposableArchitecture
import Foundation
import Testing

@testable import Features

@MainActor
struct TodosTests {
  let clock = TestClock()

  @Test
  func addTodo() async {
    let store = TestStore(initialState: Todos.State()) {
      Todos()
    } withDependencies: {
      $0.uuid = .incrementing
    }

    await store.send(.addTodoButtonTapped) {
      $0.todos.insert(
        Todo.State(description: "", id: UUID(0), isComplete: false),
        at: 0
      )
    }
    await store.send(.addTodoButtonTapped) {
      $0.todos = [
        Todo.State(description: "", id: UUID(1), isComplete: false),
        Todo.State(description: "", id: UUID(0), isComplete: false),
      ]
    }
  }

  @Test
  func completeDebounces() async {
    let state = Todos.State(
      todos: [
        Todo.State(description: "", id: UUID(0), isComplete: false),
        Todo.State(description: "", id: UUID(1), isComplete: false),
      ]
    )
    let store = TestStore(initialState: state) {
      Todos()
    } withDependencies: {
      $0.continuousClock = self.clock
    }

    await store.send(\.todos[id: UUID(0)].binding.isComplete, true) {
      $0.todos[id: UUID(0)]?.isComplete = true
    }
    await self.clock.advance(by: .milliseconds(500))
    await store.send(.todos(.element(id: UUID(0), action: .binding(.set(\.isComplete, false))))) {
      $0.todos[id: UUID(0)]?.isComplete = false
    }
    await store.send(\.todos[id: UUID(0)].binding.isComplete, true) {
      $0.todos[id: UUID(0)]?.isComplete = true
    }
    await self.clock.advance(by: .seconds(1))
    await store.receive(\.sortCompletedTodos) {
      $0.todos = [$0.todos[1], $0.todos[0]]
    }
  }

  @Test
  func filterAndMove() async {
    let state = Todos.State(
      todos: [
        Todo.State(description: "a", id: UUID(0), isComplete: false),
        Todo.State(description: "b", id: UUID(1), isComplete: true),
        Todo.State(description: "c", id: UUID(2), isComplete: true),
      ]
    )
    let store = TestStore(initialState: state) {
      Todos()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
    }

    await store.send(\.binding.filter, .completed) {
      $0.filter = .completed
    }
    await store.send(.move([1], 0)) {
      $0.todos = [$0.todos[0], $0.todos[2], $0.todos[1]]
    }
    await store.receive(\.sortCompletedTodos)
    await store.send(.clearCompletedButtonTapped) {
      $0.todos = [$0.todos[0]]
    }
    await store.send(.set(\.isEditing, true)) {
      $0.isEditing = true
    }
  }
}

extension Todos.Action {
  static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Todos.State, Value> & Sendable, _ value: Value
  ) -> Self {
    .binding(.set(keyPath, value))
  }
}
