// Printing what a reducer does, while one looks for a mistake.

extension Reducer {
  /// Prints every action that this reducer gets, and what it changed in the state.
  ///
  /// ```swift
  /// Store(initialState: Feature.State()) { Feature()._printChanges() }
  /// ```
  ///
  /// - Parameter printer: What to print; `nil` prints nothing.
  public func _printChanges(
    _ printer: _ReducerPrinter<State, Action>? = .customDump
  ) -> some Reducer<State, Action> {
    PrintChangesReducer(base: self, printer: printer)
  }
}

/// What is printed of an action and of the change that it made.
public struct _ReducerPrinter<State, Action> {
  private let printing: (_ action: Action, _ oldState: State, _ newState: State) -> Void

  public init(
    printChange: @escaping (_ receivedAction: Action, _ oldState: State, _ newState: State) -> Void
  ) {
    printing = printChange
  }

  /// Prints the change.
  public func printChange(receivedAction: Action, oldState: State, newState: State) {
    printing(receivedAction, oldState, newState)
  }

  /// The action, and the lines of the state that have changed.
  public static var customDump: Self {
    Self { action, oldState, newState in
      print(
        "received action:\n  \(summary(of: action))\n\(changedLines(from: oldState, to: newState))")
    }
  }

  /// The action alone.
  public static var actionLabels: Self {
    Self { action, _, _ in print("received action: \(summary(of: action))") }
  }
}

struct PrintChangesReducer<Base: Reducer>: Reducer {
  let base: Base
  let printer: _ReducerPrinter<Base.State, Base.Action>?

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    prepared().reduce(&state, action)
  }

  func _prepare() -> PreparedReducer<Base.State, Base.Action> {
    guard let printer else { return base._prepare() }
    let base = base._prepare().reduce
    return PreparedReducer { state, action in
      let oldState = state
      let effect = base(&state, action)
      printer.printChange(receivedAction: action, oldState: oldState, newState: state)
      return effect
    }
  }
}

/// The lines of two values' dumps in which they differ.
private func changedLines<Value>(from old: Value, to new: Value) -> String {
  let changes = dumpedLines(new).difference(from: dumpedLines(old))
  guard !changes.isEmpty else { return "  (no changes of state)" }
  return changes.map { change in
    switch change {
    case .remove(_, let line, _): "- \(line)"
    case .insert(_, let line, _): "+ \(line)"
    }
  }.joined(separator: "\n")
}

private func dumpedLines(_ value: Any) -> [Substring] {
  dumped(value).split(separator: "\n")
}
