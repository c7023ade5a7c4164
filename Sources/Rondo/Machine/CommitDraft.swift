// A commit that is not complete yet.

import RondoAnimation

/// The changes since the last commit: the state before them, their transaction and their actions.
struct CommitDraft<State, Action> {
  /// The transaction that all of its actions carry.
  var transaction = Transaction()

  // `nil` until there is an action to keep: an array of a generic type is slow to make.
  private var actions: [Action]?
  private var actionCount = 0

  /// The number of changes of shared values before the draft began. States hold shared values by
  /// reference, so a comparison of states does not notice such a change.
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

  /// Ends the draft. Returns the state before it, and its actions if they were kept.
  mutating func finish() -> (oldState: State, actions: [Action]?) {
    actionCount = 0
    return (oldState!.move(), actions.take())
  }

  /// Releases the memory. There may be no draft.
  func deallocate() {
    oldState?.deallocate()
  }
}
