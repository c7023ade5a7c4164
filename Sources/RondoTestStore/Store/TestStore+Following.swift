// Access for the tests of the runtime to a test store: the same as to any other host.

import Rondo

extension TestStore {
  /// Called with every action right after it was reduced.
  package var didRecord: ((RecordedAction<State, Action>) -> Void)? {
    get { log.didRecord }
    set { log.didRecord = newValue }
  }

  /// Called with every action, and the state after it, where its owner takes the steps of the store.
  package var didHandle: ((_ action: Action, _ state: UnsafePointer<State>) -> Void)? {
    get { log.didHandle }
    set { log.didHandle = newValue }
  }

  /// Calls a closure before every action is reduced.
  package func willHandle(_ body: @escaping () -> Void) {
    var observer = MachineObserver<State, Action>()
    observer.willReduce = { _, _, _ in body() }
    machine.observeForGood(observer)
  }

  /// The state after the last action, asserted or not.
  package var currentState: State { machine.state }

  /// Runs a synchronous piece of code as code of the store, and then everything that it has woken.
  package func perform<Result>(_ body: () -> Result) -> Result {
    pump(after: body)
  }

  /// Checks that the machine does not contradict itself, and stops with a message if it does.
  package func checkInvariants() { machine.checkInvariants() }

  /// Runs effects, and waits for those that have left, until a condition holds or nothing can come
  /// any more.
  ///
  /// - Returns: Whether the condition holds.
  package nonisolated(nonsending) func wait(until isSatisfied: () -> Bool) async -> Bool {
    await pump(timeout: nil, until: isSatisfied) == nil
  }
}
