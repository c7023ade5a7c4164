// A to-do list. It shows bindings, rows by `forEach`, a filter, and an effect that waits until the
// user has stopped ticking: a second after the last tick, what is completed sinks to the end.

import Foundation
import Rondo

/// A list of to-dos that sorts itself when the user is done ticking.
@Reducer
public struct Todos: Sendable {
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The title of the to-do that is about to be added.
    public var draft: String
    public var filter: Filter
    public var todos: IdentifiedArrayOf<Todo.State>

    public init(
      draft: String = "", filter: Filter = .all, todos: IdentifiedArrayOf<Todo.State> = []
    ) {
      self.draft = draft
      self.filter = filter
      self.todos = todos
    }

    /// The rows. The offsets that a list hands to `delete` and `move` count these.
    public var visibleTodos: IdentifiedArrayOf<Todo.State> {
      todos.filter(filter.includes)
    }
  }

  public enum Action: BindableAction, Equatable, Sendable {
    case addButtonTapped
    case binding(BindingAction<State>)
    case clearCompletedButtonTapped
    case delete(IndexSet)
    case move(IndexSet, Int)
    case sortCompletedTodos
    case todos(IdentifiedActionOf<Todo>)
  }

  private enum CancelID { case sorting }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.uuid) private var uuid

  public init() {}

  public var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .addButtonTapped:
        let title = state.draft.trimmingCharacters(in: .whitespaces)
        guard !title.isEmpty else { return .none }
        state.todos.insert(Todo.State(id: uuid(), title: title), at: 0)
        state.draft = ""
        return .none

      case .binding:
        return .none

      case .clearCompletedButtonTapped:
        state.todos.removeAll(where: \.isCompleted)
        return .cancel(id: CancelID.sorting)

      case .delete(let offsets):
        let ids = state.visibleTodos.ids
        for offset in offsets {
          state.todos.remove(id: ids[offset])
        }
        return .none

      case .move(let offsets, let destination):
        state.move(fromVisibleOffsets: offsets, toVisibleOffset: destination)
        return .none

      case .sortCompletedTodos:
        state.todos.sort { !$0.isCompleted && $1.isCompleted }
        return .none

      case .todos(.element(id: _, action: .binding(\.isCompleted))):
        return .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(.sortCompletedTodos, animation: .default)
        }
        .cancellable(id: CancelID.sorting, cancelInFlight: true)

      case .todos:
        return .none
      }
    }
    .forEach(\.todos, action: \.todos) {
      Todo()
    }
  }
}

extension Todos.State {
  /// Moves rows to before another one, or behind the last. What the filter hides stays where it is.
  fileprivate mutating func move(
    fromVisibleOffsets source: IndexSet, toVisibleOffset destination: Int
  ) {
    let indices = todos.indices.filter { filter.includes(todos[$0]) }
    guard let last = indices.last else { return }
    todos.move(
      fromOffsets: source.map { indices[$0] },
      toOffset: destination < indices.count ? indices[destination] : last + 1
    )
  }
}
