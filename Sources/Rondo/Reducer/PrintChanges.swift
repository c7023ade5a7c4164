// Printing the actions and changes of a reducer, as a help in finding mistakes.

extension Reducer {
  /// Prints every action that this reducer gets, and what it changed in the state.
  ///
  /// ```swift
  /// Store(initialState: Feature.State()) { Feature()._printChanges() }
  /// ```
  ///
  /// - Parameter printer: Chooses the text to print; `nil` prints nothing.
  public func _printChanges(
    _ printer: _ReducerPrinter<State, Action>? = .customDump
  ) -> _PrintChangesReducer<Self> {
    _PrintChangesReducer(base: self, printer: printer)
  }
}

/// A printer of an action and of the change that it made.
public struct _ReducerPrinter<State, Action> {
  typealias Printing = (_ action: Action, _ newState: State) -> Void

  /// Looks at the state before an action. The result prints the action and the change after it. The
  /// old state must be looked at before the action: after it, both states show the new values of
  /// shared variables.
  let begin: (_ oldState: State) -> Printing
  /// Whether the printer looks at both states after the action, as only a comparison of shared
  /// values lets it.
  var comparesStates = false

  private init(begin: @escaping (_ oldState: State) -> Printing) {
    self.begin = begin
  }

  /// A printer that looks at the states before and after an action. In `diff(oldState, newState)`,
  /// each state shows its own values of what is shared.
  public init(
    printChange: @escaping (_ receivedAction: Action, _ oldState: State, _ newState: State) -> Void
  ) {
    begin = { oldState in { action, newState in printChange(action, oldState, newState) } }
    comparesStates = true
  }

  /// Prints the change.
  public func printChange(receivedAction: Action, oldState: State, newState: State) {
    begin(oldState)(receivedAction, newState)
  }

  /// Prints the action, and the lines of the state that have changed, including those of shared
  /// values.
  public static var customDump: Self { customDump { print($0) } }

  /// Does the same as `customDump`, but hands the text to a closure.
  static func customDump(_ write: @escaping (_ text: String) -> Void) -> Self {
    Self(begin: { oldState in
      let oldLines = dumpedLines(oldState)
      return { action, newState in
        let changes = changedLines(from: oldLines, to: dumpedLines(newState))
        write("received action:\n  \(summary(of: action))\n\(changes)")
      }
    })
  }

  /// Prints the action alone.
  public static var actionLabels: Self {
    Self(begin: { _ in { action, _ in print("received action: \(summary(of: action))") } })
  }
}

/// A reducer that prints the actions that another gets, and what they change.
public struct _PrintChangesReducer<Base: Reducer>: Reducer {
  let base: Base
  let printer: _ReducerPrinter<Base.State, Base.Action>?

  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    prepared()(&state, action)
  }

  public func _prepare() -> PreparedReducer<Base.State, Base.Action> {
    guard let printer else { return base._prepare() }
    let base = base._prepare()
    return { state, action in
      let printing = printer.begin(state)
      guard printer.comparesStates else {
        let effect = base(&state, action)
        printing(action, state)
        return effect
      }
      var dependencies = DependencyValues.current
      let ledger = SharedLedger(outer: dependencies.sharedLedger)
      dependencies.sharedLedger = ledger
      let effect = dependencies.whileInForce { base(&state, action) }
      let changes = ledger.takeChanges()
      let comparison = SharedComparison()
      comparison.begin(
        expected: Dictionary(uniqueKeysWithValues: changes.map { ($0.id, $0.before) }),
        actual: Dictionary(uniqueKeysWithValues: changes.map { ($0.id, $0.value) }))
      comparison.whileInForce { printing(action, state) }
      return effect
    }
  }
}

/// The lines in which two dumps differ.
private func changedLines(from old: [Substring], to new: [Substring]) -> String {
  let changes = new.difference(from: old)
  guard !changes.isEmpty else {
    let isWhole = !new.contains { $0.contains(deeperText) }
    return isWhole
      ? "  (no changes of state)" : "  (no changes in \(printedLevels) levels of state)"
  }
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
