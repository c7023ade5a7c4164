// Effects that run on the isolation of their store.

/// The place where a store runs the closures of effects.
public enum EffectExecution: Sendable {
  /// The concurrent pool: each closure runs on a thread of the pool, beside the store.
  case concurrent

  /// The store's own isolation: the closures take turns there, one after another, and no thread is
  /// woken for them. See ``Effect/cooperative()``.
  case cooperative
}

extension Effect {
  /// Runs the closures of this effect on the isolation of the store, between its turns. Without this
  /// they run on the concurrent pool.
  ///
  /// Waking a thread costs 5 to 20 µs, and a closure that only awaits and sends needs none. On the
  /// store's isolation the closure begins before `send` returns. It runs up to its first suspension,
  /// and `send` also handles the actions that it sends until that point. After a suspension the
  /// closure goes on in a later turn of the store.
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

/// A mark above effects whose closures run on the host's isolation.
private final class CooperativeFrame: Frame {}

extension Interpreter {
  /// The executor for the closure of an effect below a frame; `nil` is the concurrent pool.
  func taskExecutor(below frame: Frame) -> (any TaskExecutor)? {
    if let executor = mailbox.isolation.taskExecutor { return executor }
    guard
      let execution,
      execution == .cooperative || hasCooperativeEffects && frame.isCooperative
    else { return nil }
    hostExecutor.expectRun()
    mustRunTasks = true
    return hostExecutor
  }
}

extension Frame {
  fileprivate var isCooperative: Bool { lineage.contains { $0 is CooperativeFrame } }
}
