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

  package init() {}
}

/// Hands on to observers what a machine does.
final class Recorder<State, Action> {
  /// The observers, in the order in which they came. A list of objects, because arrays of a generic type are
  /// slow. It does not change, since observers may come and go while they are called.
  private final class Observers {
    let id: UInt64
    let first: MachineObserver<State, Action>
    let others: Observers?

    init(_ id: UInt64, _ first: MachineObserver<State, Action>, _ others: Observers?) {
      (self.id, self.first, self.others) = (id, first, others)
    }

    func removing(_ id: UInt64) -> Observers? {
      self.id == id ? others : Observers(self.id, first, others?.removing(id))
    }

    func appending(_ new: Observers) -> Observers {
      Observers(id, first, others?.appending(new) ?? new)
    }
  }

  private var observers: Observers?
  private var lastID: UInt64 = 0

  /// Whether somebody wants the states before and after an action.
  private var keepsStates = false

  /// Whether somebody wants to know of an action before it is reduced.
  private var tellsBefore = false

  /// Gives the numbers, while somebody wants to know of effects.
  private(set) var journal: EffectJournal?

  var isEmpty: Bool { observers == nil }

  /// Adds an observer. Returns the id to remove it by.
  func add(
    _ observer: MachineObserver<State, Action>, _ interpreter: Interpreter
  ) -> UInt64 {
    lastID += 1
    let new = Observers(lastID, observer, nil)
    observers = observers?.appending(new) ?? new
    keepsStates = keepsStates || observer.didReduce != nil
    tellsBefore = tellsBefore || observer.willReduce != nil
    interpreter.isObserved = true
    if observer.clock != nil { showClocks(interpreter) }
    guard let didHappen = observer.didHappen else { return lastID }
    let journal =
      journal
      ?? EffectJournal { [weak self] event in
        self?.forEach { $0.didHappen?(event) }
      }
    self.journal = journal
    interpreter.journal = journal
    interpreter.mailbox.isRecorded = true
    journal.announce(interpreter, to: didHappen)
    return lastID
  }

  func remove(_ id: UInt64, _ interpreter: Interpreter) {
    observers = observers?.removing(id)
    keepsStates = false
    var isAnyTold = false
    forEach { observer in
      if observer.didReduce != nil { keepsStates = true }
      if observer.didHappen != nil { isAnyTold = true }
    }
    interpreter.isObserved = !isEmpty
    showClocks(interpreter)
    guard !isAnyTold else { return }
    journal = nil
    interpreter.journal = nil
    interpreter.mailbox.isRecorded = false
  }

  private func forEach(_ body: (MachineObserver<State, Action>) -> Void) {
    var next = observers
    while let observers = next {
      body(observers.first)
      next = observers.others
    }
  }

  private func showClocks(_ interpreter: Interpreter) {
    var clocks: [ObserverClock] = []
    forEach { if let clock = $0.clock { clocks.append(clock) } }
    interpreter.mailbox.observerClocks = clocks
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
    let observers = observers
    let number = journal?.willHandle(origin?.number) ?? 0
    if tellsBefore { forEach { $0.willReduce?(action, number, origin?.effect) } }
    let effect =
      keepsStates
      ? runKeepingStates(action, number, transaction, root, origin, state, observers, reduce)
      : run(reduce)
    var next = observers
    while let observers = next {
      observers.first.didHandle?(action, state)
      next = observers.others
    }
    return effect
  }

  // A function of its own: it uses types that cost generic code a look-up, even where it is not called.
  @inline(never)
  private func runKeepingStates(
    _ action: Action, _ number: Int, _ transaction: Transaction, _ root: RootFrame?,
    _ origin: ActionOrigin?, _ state: UnsafePointer<State>, _ observers: Observers?,
    _ reduce: () -> Effect<Action>
  ) -> Effect<Action> {
    let oldState = state.pointee
    let effect = run(reduce)
    let record = RecordedAction(
      action: action, number: number, transaction: transaction, oldState: oldState,
      newState: state.pointee, root: root, emitter: origin?.isEmitted == true ? origin : nil)
    var next = observers
    while let observers = next {
      observers.first.didReduce?(record)
      next = observers.others
    }
    return effect
  }

  private func run(_ reduce: () -> Effect<Action>) -> Effect<Action> {
    guard let journal else { return reduce() }
    return journal.whileReducing(reduce)
  }

  /// Tells that effects are about to be started under a frame.
  func willStart(under parent: ActionFrame) {
    journal?.willStart(under: parent)
    var next = observers
    while let observers = next {
      observers.first.willStart?(parent)
      next = observers.others
    }
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

/// The origin of an action in the queue: the effect that has sent it, as messages name it, and the
/// numbers that recordings give it.
package final class ActionOrigin {
  /// The name of the effect for messages, such as `run "quotes"` or `delay`.
  package let label: String?

  /// The place in the source where the effect was made.
  package let position: SourcePosition?

  /// The action that returned the effect.
  package let action: Any?

  /// Whether a running effect has sent the action. Otherwise it was answered at once, or was sent by
  /// the user.
  let isEmitted: Bool

  /// The number of the action; `nil` where nobody records.
  let number: Int?

  /// The number of the effect.
  let effect: Int?

  /// - Parameters:
  ///   - frame: The frame of the effect. One that has ended is not the sender itself: an effect that
  ///     its end has started emits then.
  ///   - answer: The numbers.
  init?(_ frame: Frame?, _ answer: EffectJournal.Answer?) {
    let frame = frame?.isAttached == true ? frame : nil
    guard frame != nil || answer != nil else { return nil }
    label = frame?.label
    position = frame?.position
    action = frame?.origin.action
    isEmitted = frame != nil
    number = answer?.action
    effect = answer?.effect
  }
}
