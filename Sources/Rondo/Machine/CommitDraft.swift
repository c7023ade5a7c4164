// A commit that is not complete yet.

import RondoAnimation

/// The changes since the last commit: the state before them, their transaction and their actions.
struct CommitDraft<State, Action> {
  /// The transaction that all of its actions carry.
  var transaction = Transaction()

  // `nil` until there is an action to keep: an array of a generic type is slow to make.
  private var actions: [Action]?
  private var actionCount = 0

  /// How often shared values had changed when the draft began. States hold them by reference, so a
  /// state is equal to itself whatever has become of them.
  private var mutations: UInt = 0

  /// The state before the first action, while there is a draft. The memory is used again.
  // Owned by the machine: filled in `begin`, emptied in `finish`, released in `deallocate`.
  private var oldState: UnsafeMutablePointer<State>?

  /// The state before the only action of the draft; `nil` when there are more.
  var stateBeforeOnlyAction: UnsafePointer<State>? {
    actionCount == 1 ? UnsafePointer(oldState!) : nil
  }

  mutating func begin(_ state: UnsafePointer<State>, _ transaction: Transaction) {
    self.transaction = transaction
    mutations = SharedMutations.count
    let pointer = oldState ?? .allocate(capacity: 1)
    pointer.initialize(to: state.pointee)
    oldState = pointer
  }

  /// Counts an action, and keeps it if there are subscribers.
  mutating func add(_ action: Action?) {
    actionCount += 1
    guard let action else { return }
    if actions == nil { actions = [action] } else { actions!.append(action) }
  }

  /// Whether the state is what it was before the draft.
  func isEqual(to state: UnsafePointer<State>, _ areEqual: StateComparison<State>) -> Bool {
    areEqual(oldState!, state) && SharedMutations.count == mutations
  }

  /// Ends the draft. Returns its commit if there are subscribers to show it to.
  mutating func finish(
    newState: UnsafePointer<State>, hasChanges: Bool
  ) -> Commit<State, Action>? {
    actionCount = 0
    guard let actions = actions.take() else {
      oldState!.deinitialize(count: 1)
      return nil
    }
    return Commit(
      oldState: oldState!.move(), newState: newState.pointee, actions: actions,
      transaction: transaction.releasingCompletions, hasChanges: hasChanges)
  }

  /// Releases the memory. There may be no draft.
  func deallocate() {
    oldState?.deallocate()
  }
}
