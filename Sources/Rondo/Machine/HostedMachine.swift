// A machine for hosts outside of this module: test stores and durable stores.

import RondoAnimation
import RondoScheduling

/// A machine that tells its host of every action it handles and of what it has in flight.
///
/// It is the same machine that a ``Store`` runs on. Everything here is to be called on the host's
/// isolation.
package final class HostedMachine<State, Action> {
  private let machine: Machine<State, Action>

  /// - Parameters:
  ///   - dropsLoops: Whether the rest of a loop without end is dropped, or waits for the next turn.
  ///   - willStart: Called before the effect of an action is started, with its frame.
  ///   - didRecord: Called with every action, right after its reduction; `nil` where nobody wants all that is
  ///     known of it, which costs.
  ///   - didHandle: Called with every action and the state after it.
  package init(
    initialState: State,
    reducer: any Reducer<State, Action>,
    isolation: any HostIsolation,
    position: SourcePosition? = nil,
    dropsLoops: Bool = true,
    willStart: ((ActionFrame) -> Void)? = nil,
    didRecord: ((RecordedAction<State, Action>) -> Void)?,
    didHandle: ((_ action: Action, _ state: UnsafePointer<State>) -> Void)? = nil
  ) {
    machine = Machine(
      initialState: initialState, reducer: reducer, isolation: isolation,
      position: position, dropsLoops: dropsLoops)
    var observer = MachineObserver<State, Action>()
    observer.didReduce = didRecord
    observer.didHandle = didHandle
    observer.willStart = willStart
    machine.observeForGood(observer)
  }

  private var isClosed = false

  deinit {
    if !isClosed { machine.hostWasReleased() }
  }

  package var state: State { machine.state }

  /// The dependencies of the reducer.
  package var dependencies: DependencyValues {
    get { machine.dependencies }
    set { machine.dependencies = newValue }
  }

  /// Called when an effect dismisses the feature that the machine runs, which no parent presents.
  package var didDismiss: (() -> Void)? {
    get { machine.interpreter.didDismissRoot }
    set { machine.interpreter.didDismissRoot = newValue }
  }

  /// Adds an observer of everything that the machine does.
  ///
  /// - Returns: A closure that ends the observation.
  package func observe(_ observer: MachineObserver<State, Action>) -> @Sendable () -> Void {
    machine.observe(observer)
  }

  /// Tells the observers of something that a test has done.
  package func tell(_ event: MachineEvent) {
    machine.interpreter.journal?.tell(event)
  }

  /// Sends an action inside a transaction.
  ///
  /// - Returns: The root of what it has started; `nil` when nothing is in flight.
  package func send(_ action: Action, _ transaction: Transaction) -> RootFrame? {
    machine.send(action, transaction)
  }

  /// A handle for what a `send` has started.
  package func task(_ root: RootFrame?) -> StoreTask {
    StoreTask(root)
  }

  /// Whether nothing is in flight.
  package var isIdle: Bool { machine.interpreter.top.firstChild == nil }

  /// The effects in flight, depth first in the tree of running effects.
  package var effectsInFlight: [EffectInFlight] {
    machine.interpreter.ledger.compactMap(EffectInFlight.init)
  }

  /// The number of closures of effects that have ended so far.
  package var endedCount: Int { machine.interpreter.endedCount }

  /// Whether the closures of effects that are started are kept for ``takeStarted()``.
  package var followsEffects: Bool {
    get { machine.interpreter.started != nil }
    set { machine.interpreter.started = newValue ? [] : nil }
  }

  /// The closures that were started since the last call.
  package func takeStarted() -> [StartedEffect] {
    guard machine.interpreter.started?.isEmpty == false else { return [] }
    return exchange(&machine.interpreter.started, with: []) ?? []
  }

  /// Lets the closures of effects wait for ``begin(_:)`` when they are started, from now on. What they
  /// would do to the world outside is then not done before the host has kept what led to it.
  package func holdWork() {
    if machine.interpreter.heldWork == nil { machine.interpreter.heldWork = [] }
  }

  /// The closures that wait, and were not taken before.
  package func takeHeldWork() -> HeldWork {
    guard machine.interpreter.heldWork?.isEmpty == false else { return HeldWork(frames: []) }
    return HeldWork(frames: exchange(&machine.interpreter.heldWork, with: []) ?? [])
  }

  /// Lets closures begin, unless they have been cancelled meanwhile.
  package func begin(_ work: HeldWork) {
    guard !work.isEmpty else { return }
    let interpreter = machine.interpreter
    machine.drain {
      interpreter.step { for frame in work.frames { frame.begin(interpreter) } }
    }
  }

  /// Takes what effects ask the host for.
  package var takeRequest: ((any HostRequest) -> Void)? {
    get { machine.interpreter.takeRequest }
    set { machine.interpreter.takeRequest = newValue }
  }

  /// Starts the effect of an action again, which was handled before. The state does not change, and
  /// what the effect answers or asks for at once is dropped.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: The state before the action was handled.
  package func restart(_ action: Action, in state: State) {
    machine.restart(action, in: state)
  }

  /// Whether an operator was used whose memory no list of effects shows: `throttle`, `receive(on:)`,
  /// `scan`, `prefix`.
  package var hasMemory: Bool { machine.interpreter.hasMemory }

  /// Ends the machine, on its isolation.
  package func close() {
    isClosed = true
    machine.hostWasReleased()
  }

  /// Cancels one effect, unless it has ended.
  package func cancel(_ effect: EffectInFlight) {
    guard effect.frame.isAttached else { return }
    machine.interpreter.journal?.cause = .task
    machine.drain { machine.interpreter.step { machine.interpreter.cancel(effect.frame) } }
  }

  /// Cancels everything that is in flight.
  package func cancelAll() {
    machine.interpreter.journal?.cause = .host
    machine.drain { machine.interpreter.endAll() }
  }

  /// Stops with a message where the machine contradicts itself.
  package func checkInvariants() {
    machine.checkInvariants()
  }
}

/// Closures of effects that have been started, and wait for their host to let them begin.
package struct HeldWork {
  fileprivate let frames: [SourceFrame]

  package var isEmpty: Bool { frames.isEmpty }
}
