// The observers of what a machine does: test stores and recordings.

import RondoAnimation
import RondoScheduling

/// Closures that are told of everything that a machine does, on its isolation. Each may be `nil`;
/// what nobody wants to know costs nothing.
package struct MachineObserver<State, Action> {
  /// Called before an action is reduced, with its number, and with the number of the effect that has
  /// sent it.
  package var willReduce: ((_ action: Action, _ number: Int, _ effect: Int?) -> Void)?

  /// Called when an action was reduced.
  package var didReduce: ((RecordedAction<State, Action>) -> Void)?

  /// Called when an action was reduced, by those who want to know no more than the new state.
  package var didHandle: ((_ action: Action, _ state: UnsafePointer<State>) -> Void)?

  /// Called before the effect of an action is started, with the frame that it runs under.
  package var willStart: ((ActionFrame) -> Void)?

  /// Called with every commit.
  package var didCommit: ((Commit<State, Action>) -> Void)?

  /// Called with what happens to effects.
  package var didHappen: ((MachineEvent) -> Void)?

  /// Read when something happens of which the machine is told later.
  package var clock: ObserverClock?

  /// The pace of the live clocks of the machine's dependencies, where somebody may slow them down.
  package var pace: ClockPace?

  /// Called with what a tool asks of the machine. Returns `nil` where another observer is asked.
  package var didAsk: ((_ request: any Sendable, Cell<State, Action>) -> (any Sendable)?)?

  package init() {}
}

/// Hands on to observers what a machine does.
final class Recorder<State, Action>: EffectRecorder {
  // A class: to read a tuple of generic types out of an array, the program asks the runtime for it.
  private final class Entry {
    let id: UInt64
    let observer: MachineObserver<State, Action>

    init(_ id: UInt64, _ observer: MachineObserver<State, Action>) {
      self.id = id
      self.observer = observer
    }
  }

  private var observers: [Entry] = []
  private var lastID: UInt64 = 0

  // Kept, because to ask the observers for them takes an allocation and 4,000 instructions for each action.

  /// Whether somebody wants the states before and after an action.
  private var keepsStates = false

  /// Whether somebody wants to know of an action before it is reduced.
  private var tellsBefore = false

  /// Whether somebody wants to know of an action and the state after it.
  private var tellsAfter = false

  /// Whether somebody wants to know of effects that are about to be started.
  private var tellsOfStarts = false

  /// The state that a tool puts in place of what the reducer makes of the next action from outside.
  private var replacement: State?

  var isEmpty: Bool { observers.isEmpty }

  /// Passes on what a tool asks, to the observer that it is for.
  func ask(_ request: any Sendable, _ machine: Cell<State, Action>) -> (any Sendable)? {
    for entry in observers {
      if let answer = entry.observer.didAsk?(request, machine) { return answer }
    }
    return nil
  }

  func replaceState(by state: State) { replacement = state }

  /// The state that comes in place of what the reducer makes of an action of an origin.
  func takeReplacement(for origin: ActionOrigin?) -> State? {
    guard replacement != nil, origin?.isEmitted != true, origin?.effect == nil else { return nil }
    return replacement.take()
  }

  /// Adds an observer. Returns the id to remove it by.
  func add(
    _ observer: MachineObserver<State, Action>, _ interpreter: Interpreter
  ) -> UInt64 {
    lastID += 1
    observers.append(Entry(lastID, observer))
    noteWishes()
    interpreter.recorder = self
    if observer.didHappen != nil, journal == nil {
      journal = EffectJournal { [weak self] event in
        for entry in self?.observers ?? [] { entry.observer.didHappen?(event) }
      }
    }
    showClocks(interpreter)
    if let didHappen = observer.didHappen { journal?.announce(interpreter, to: didHappen) }
    return lastID
  }

  func remove(_ id: UInt64, _ interpreter: Interpreter) {
    // Released after the change: what an observer holds may send when it is released.
    let old = observers
    defer { withExtendedLifetime(old) {} }
    observers = old.filter { $0.id != id }
    // The last tool may have held effects. Where another one is left, that one can let them go.
    func hasTool(_ entries: [Entry]) -> Bool { entries.contains { $0.observer.didAsk != nil } }
    if hasTool(old), !hasTool(observers) { interpreter.releaseHeldWork() }
    noteWishes()
    if isEmpty { interpreter.recorder = nil }
    if !observers.contains(where: { $0.observer.didHappen != nil }) { journal = nil }
    showClocks(interpreter)
  }

  private func noteWishes() {
    keepsStates = observers.contains { $0.observer.didReduce != nil }
    tellsBefore = observers.contains { $0.observer.willReduce != nil }
    tellsAfter = observers.contains { $0.observer.didHandle != nil }
    tellsOfStarts = observers.contains { $0.observer.willStart != nil }
  }

  private func showClocks(_ interpreter: Interpreter) {
    // A closure: a key path of generic types is made anew at each use.
    interpreter.mailbox.observerClocks =
      journal == nil ? nil : observers.compactMap { $0.observer.clock }
  }

  /// Runs one reduction, and tells of it.
  func record(
    _ action: Action,
    _ transaction: Transaction,
    _ root: RootFrame?,
    _ origin: ActionOrigin?,
    _ state: UnsafePointer<State>,
    _ reduce: () -> Effect<Action>
  ) -> Effect<Action> {
    // A copy: observers may come and go while they are called.
    let observers = observers
    let number = journal?.willHandle(origin?.number) ?? 0
    if tellsBefore {
      for entry in observers { entry.observer.willReduce?(action, number, origin?.effect) }
    }
    let effect =
      keepsStates
      ? runKeepingStates(action, number, transaction, root, origin, state, observers, reduce)
      : run(reduce)
    if tellsAfter {
      for entry in observers { entry.observer.didHandle?(action, state) }
    }
    return effect
  }

  // A function of its own: it uses types that cost generic code a look-up, even where it is not called.
  @inline(never)
  private func runKeepingStates(
    _ action: Action, _ number: Int, _ transaction: Transaction, _ root: RootFrame?,
    _ origin: ActionOrigin?, _ state: UnsafePointer<State>, _ observers: [Entry],
    _ reduce: () -> Effect<Action>
  ) -> Effect<Action> {
    let oldState = state.pointee
    let effect = run(reduce)
    let record = RecordedAction(
      action: action, number: number, transaction: transaction, oldState: oldState,
      newState: state.pointee, root: root, emitter: origin?.isEmitted == true ? origin : nil)
    for entry in observers { entry.observer.didReduce?(record) }
    return effect
  }

  private func run(_ reduce: () -> Effect<Action>) -> Effect<Action> {
    guard let journal else { return reduce() }
    return journal.whileReducing(reduce)
  }

  /// Tells that effects are about to be started under a frame.
  func willStart(under parent: ActionFrame) {
    journal?.willStart(under: parent)
    guard tellsOfStarts else { return }
    for entry in observers { entry.observer.willStart?(parent) }
  }
}

/// One action that a machine has handled.
package struct RecordedAction<State, Action> {
  package let action: Action

  /// The number of the action in recordings; zero while there are none.
  package let number: Int
  package let transaction: Transaction
  package let oldState: State
  package let newState: State

  /// The root of the `send` whose effects led to the action. An action that was sent while another
  /// one was handled has a root of its own. It is `nil` for the `send` in progress.
  package let root: RootFrame?

  /// The effect that answered asynchronously; `nil` for an action that was sent, and for what is
  /// answered at once.
  package let emitter: ActionOrigin?
}
