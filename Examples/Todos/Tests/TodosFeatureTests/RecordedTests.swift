// Written by 'rondo test' from todos.jsonl.

import Foundation
import RondoTesting
import Testing

@testable import TodosFeature

@MainActor
@Test func todos() async {
  let store = TestStore(initialState: Todos.State(draft: "", filter: .all, todos: [])) {
    Todos()
  } withDependencies: {
    $0.uuid = .incrementing
  }

  await store.send(.binding(.set(\.draft, "Soap"))) { $0.draft = "Soap" }
  await store.send(.addButtonTapped, animation: .default) {
    $0.draft = ""
    $0.todos = [Todo.State(id: UUID(0), title: "Soap", isCompleted: false)]
  }
  await store.send(.binding(.set(\.draft, "Milk"))) { $0.draft = "Milk" }
  await store.send(.addButtonTapped, animation: .default) {
    $0.draft = ""
    $0.todos = [
      Todo.State(id: UUID(1), title: "Milk", isCompleted: false),
      Todo.State(id: UUID(0), title: "Soap", isCompleted: false),
    ]
  }
  await store.send(.binding(.set(\.draft, "Bread"))) { $0.draft = "Bread" }
  await store.send(.addButtonTapped, animation: .default) {
    $0.draft = ""
    $0.todos = [
      Todo.State(id: UUID(2), title: "Bread", isCompleted: false),
      Todo.State(id: UUID(1), title: "Milk", isCompleted: false),
      Todo.State(id: UUID(0), title: "Soap", isCompleted: false),
    ]
  }
  await store.send(.todos(.element(id: UUID(2), action: .binding(.set(\.isCompleted, true))))) {
    $0.todos[0].isCompleted = true
  }
  await store.advance(by: .milliseconds(600))
  await store.send(.todos(.element(id: UUID(1), action: .binding(.set(\.isCompleted, true))))) {
    $0.todos[1].isCompleted = true
  }
  await store.advance(by: .seconds(1))
  await store.receive(.sortCompletedTodos, animation: .default) {
    $0.todos = [
      Todo.State(id: UUID(0), title: "Soap", isCompleted: false),
      Todo.State(id: UUID(2), title: "Bread", isCompleted: true),
      Todo.State(id: UUID(1), title: "Milk", isCompleted: true),
    ]
  }
  await store.send(.binding(.set(\.filter, .active)), animation: .default) { $0.filter = .active }
  await store.finish()
}
