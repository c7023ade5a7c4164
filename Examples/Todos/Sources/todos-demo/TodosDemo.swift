// A session with the list, on virtual time: what a view would be told, when, and how it is to show it.
//
//     swift run todos-demo [recording.jsonl]

import Foundation
import Rondo
import RondoRecording
import TodosFeature

@main
struct TodosDemo {
  @MainActor
  static func main() async throws {
    let clock = TestClock()
    let store = Store(initialState: Todos.State()) {
      Todos()
    } withDependencies: {
      $0.continuousClock = clock
      $0.uuid = .incrementing
    }

    // With a file as its argument the session is recorded, for 'rondo view' and 'rondo test'.
    let recording = try CommandLine.arguments.dropFirst().first.map { path in
      try store.record(
        to: URL(filePath: path), clock: clock, date: Date(timeIntervalSince1970: 1_790_000_000))
    }
    defer { recording?.end() }

    let view = observe { transaction in
      let lines = store.visibleTodos.map { "\($0.isCompleted ? "☑" : "☐") \($0.title)" }
      let milliseconds = Int(clock.timeline.elapsed / .milliseconds(1))
      print("\(milliseconds) ms, \(transaction): \(lines.joined(separator: "  "))")
    }
    defer { view.cancel() }

    for title in ["Soap", "Milk", "Bread"] {
      store.send(.binding(.set(\.draft, title)))
      store.send(.addButtonTapped, animation: .default)
    }

    let rows = Array(store.scope(\.visibleTodos, action: \.todos))
    rows[0].binding(\.isCompleted).wrappedValue = true
    await clock.advance(by: .milliseconds(600))
    rows[1].binding(\.isCompleted).wrappedValue = true
    await clock.advance(by: .seconds(1))

    store.binding(\.filter).animation().wrappedValue = .active
  }
}
