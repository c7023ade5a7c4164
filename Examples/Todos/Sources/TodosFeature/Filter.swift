// Which rows are shown.

/// Which to-dos the list shows.
public enum Filter: CaseIterable, Equatable, Sendable {
  case all, active, completed

  /// Whether a to-do is among those.
  public func includes(_ todo: Todo.State) -> Bool {
    switch self {
    case .all: true
    case .active: !todo.isCompleted
    case .completed: todo.isCompleted
    }
  }
}
