// A store on a terminal: its state is shown, and keys send its actions.

import Rondo
import RondoStage

extension Terminal {
  /// Shows the state of a store, and sends the actions of keys, until a key ends the program.
  ///
  /// ```swift
  /// let store = Store(initialState: Tasks.State()) { Tasks() }
  /// try await Terminal().run(store) { state, size in
  ///   state.screen(in: size)
  /// } keys: { state in
  ///   state.keys
  /// }
  /// ```
  ///
  /// The extent is the first event that the keys are asked about, as a
  /// `TerminalEvent/resized(_:)`, so that a feature can know it from the beginning. Ctrl-D ends
  /// the program, and so does everything that ends `run(_:)`. Before a signal ends it, shared values that
  /// wait to be written are written. The changes of an action are shown
  /// with its animation.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - view: Makes the screen of a state.
  ///   - keys: Makes the key map of a state.
  /// - Throws: A `TerminalFailure` if there is no terminal, it cannot be used, or it runs
  ///   already.
  public func run<State, Action, Screen: View>(
    _ store: Store<State, Action>,
    view: @escaping (State, TerminalSize) -> Screen,
    keys: @escaping (State) -> KeyMap<Action>
  ) async throws {
    try checkThatItCanRun()
    func handle(_ event: TerminalEvent) {
      switch keys(store.state).command(for: event) {
      case .send(let action, let animation?): store.send(action, animation: animation)
      case .send(let action, nil): store.send(action)
      case .quit: quit()
      case nil: if event == .key(.endOfInput) { quit() }
      }
      // The signal ends the program on the spot: a change right before it is kept.
      if case .ending = event { writeSharedValues() }
      // A view may depend on the extent, and not only on the state.
      if case .resized(let size) = event { show(view(store.state, size)) }
    }
    handle(.resized(size))
    let subscription = store.subscribe { [weak self] commit in
      guard let self else { return }
      show(view(commit.newState, size), transaction: commit.transaction)
    }
    defer { subscription.cancel() }
    try await run(handle)
  }
}
