// Effects that run on the isolation of their store.

extension Effect {
  /// Runs the closures of this effect on the isolation of the store, between its turns. Without this
  /// they run on the concurrent pool.
  ///
  /// Waking a thread costs 5 to 20 µs, and a closure that only awaits and sends needs none. On the
  /// store's isolation the closure begins before `send` returns. It runs up to its first suspension,
  /// and `send` also handles the actions that it sends until that point. After a suspension the
  /// closure goes on in a later turn of the store, and where it is cancelled, at the end of the turn
  /// that cancels it.
  ///
  /// ```swift
  /// .run { send in
  ///   for await message in connection.messages { await send(.received(message)) }
  /// }
  /// .cooperative()
  /// ```
  ///
  /// The store waits for the closure: while it computes, or blocks its thread, nothing else happens in
  /// the store, and on the main actor nothing else in the program. This holds for the asynchronous
  /// functions that the closure calls, its child tasks, and methods of actors as well: they run on the
  /// store's isolation too, unless the actor has an executor of its own. So it is for closures that
  /// wait and send. Leave work that computes or blocks to the concurrent pool.
  ///
  /// A closure that the store starts while another store, or an observing closure, is at work begins a
  /// turn later. To run all effects of a store in this way, give it `effects: .cooperative`. In a test
  /// store, and in an effect without a store, it changes nothing.
  public func cooperative() -> Self {
    modified { CooperativeNode($0) }
  }
}

private final class CooperativeNode: ModifierNode {
  override var label: String { "cooperative" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    interpreter.hasCooperativeEffects = true
    return CooperativeFrame(under: parent)
  }
}
