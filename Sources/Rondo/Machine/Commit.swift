// The changes that observers of a store see: how they are put together, and who gets them.

import RondoAnimation

/// One change of a store's state: the old state, the new one, and the transaction to show it with.
///
/// Consecutive actions that are handled in one go and carry equal transactions make one commit.
public struct Commit<State, Action> {
  /// The state before the first of the actions.
  public let oldState: State

  /// The state after the last of the actions.
  public let newState: State

  /// The actions that led here, in order; never empty.
  public let actions: [Action]

  /// The transaction to show the change with; empty for an untagged change.
  public let transaction: Transaction

  /// Whether the two states differ. True where `State` is not `Equatable`.
  public let hasChanges: Bool
}

extension Commit {
  /// A commit as a store would make it, for tests of code that takes commits.
  ///
  /// ```swift
  /// screen.show(Commit(oldState: .init(), newState: .init(count: 1), actions: [.increment]))
  /// ```
  ///
  /// ``hasChanges`` says whether the states differ, where they can be compared.
  ///
  /// - Parameters:
  ///   - oldState: The state before the actions.
  ///   - newState: The state after them.
  ///   - actions: The actions that led from the one to the other, in order.
  ///   - transaction: The transaction to show the change with.
  public init(
    oldState: State,
    newState: State,
    actions: [Action],
    transaction: Transaction = Transaction()
  ) {
    let hasChanges = withUnsafePointer(to: oldState) { old in
      withUnsafePointer(to: newState) { new in !StateComparison(of: State.self)(old, new) }
    }
    self.init(
      oldState: oldState, newState: newState, actions: actions, transaction: transaction,
      hasChanges: hasChanges)
  }
}

extension Commit: Sendable where State: Sendable, Action: Sendable {}

/// The changes since the last commit: the state before them, and their actions.
///
/// What every action of an observed store calls is inlined: a call of a method of a generic type costs a
/// look-up, and so does an optional of a generic type.
struct CommitDraft<State, Action> {
  /// The actions, also while nobody has subscribed: somebody may do so in the middle of a draft, and is
  /// then shown all of it. `nil` until there is one: an array of a generic type is slow to make.
  private var actions: [Action]?

  /// The number of changes of shared values before the draft began. States hold shared values by
  /// reference, so a comparison of states does not notice such a change.
  private var mutations: UInt = 0

  /// The state before the first action, while there is a draft. The memory is used again.
  // Owned by the machine: filled in `begin`, emptied in `finish`, released in `deallocate`.
  private var oldState: UnsafeMutablePointer<State>?

  /// The state before the first action. There has to be a draft.
  var stateBefore: UnsafePointer<State>? { UnsafePointer(oldState) }

  @inline(__always)
  mutating func begin(_ state: UnsafePointer<State>) {
    mutations = SharedMutations.count
    let pointer = oldState ?? .allocate(capacity: 1)
    pointer.initialize(to: state.pointee)
    oldState = pointer
  }

  /// Adds an action.
  mutating func keep(_ action: Action) {
    if actions == nil { actions = [action] } else { actions!.append(action) }
  }

  /// Whether the state is what it was before the draft.
  @inline(__always)
  func isEqual(to state: UnsafePointer<State>, _ areEqual: StateComparison) -> Bool {
    areEqual(oldState!, state) && SharedMutations.count == mutations
  }

  /// Takes the actions.
  mutating func takeActions() -> [Action] {
    exchange(&actions, with: nil) ?? []
  }

  /// Ends the draft. Returns the state before it.
  @inline(__always)
  mutating func finish() -> State {
    // The memory is used again.
    if actions != nil { actions!.removeAll(keepingCapacity: true) }
    return oldState!.move()
  }

  /// Releases the memory. There may be no draft.
  func deallocate() {
    oldState?.deallocate()
  }
}

/// Subscribers of a machine, in the order in which they came.
struct Subscribers<State, Action> {
  private final class Subscriber {
    let id: UInt64
    /// `nil` once it was removed, perhaps by an earlier subscriber of the same commit.
    var receive: ((Commit<State, Action>) -> Void)?

    init(_ id: UInt64, _ receive: @escaping (Commit<State, Action>) -> Void) {
      self.id = id
      self.receive = receive
    }
  }

  // `nil` rather than empty until somebody subscribes: an array of a generic type is slow to make.
  private var subscribers: [Subscriber]?
  /// The number of them that were removed.
  private var goneCount = 0
  private var lastID: UInt64 = 0

  var isEmpty: Bool { goneCount == subscribers?.count ?? 0 }

  /// Adds a closure. Returns the id to remove it by.
  mutating func add(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    lastID += 1
    subscribers = subscribers ?? []
    subscribers?.append(Subscriber(lastID, receive))
    return lastID
  }

  /// Removes a closure. Returns it, so that it is released when the access has ended: what it holds
  /// may end another subscription. O(log *n*), amortized.
  mutating func remove(_ id: UInt64) -> ((Commit<State, Action>) -> Void)? {
    guard let all = subscribers else { return nil }
    let index = all.firstIndex(from: id) { $0.id }
    guard index < all.count, all[index].id == id, let receive = all[index].receive.take() else {
      return nil
    }
    goneCount += 1
    if goneCount * 2 > all.count {
      subscribers = all.filter { $0.receive != nil }
      goneCount = 0
    }
    return receive
  }

  /// Calls every subscriber that is not removed meanwhile.
  func deliver(_ commit: Commit<State, Action>) {
    for subscriber in subscribers ?? [] {
      subscriber.receive?(commit)
    }
  }
}

/// Equality where the state has one, otherwise a function that never finds two states equal.
struct StateComparison {
  private let areEqual: (_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool

  init<State>(of _: State.Type) {
    guard let equatable = State.self as? any Equatable.Type else {
      areEqual = { _, _ in false }
      return
    }
    func compare<E: Equatable>(_: E.Type) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
      // `E` is `State`, which the type system cannot know.
      { left, right in
        left.bound(to: E.self).pointee
          == right.bound(to: E.self).pointee
      }
    }
    areEqual = compare(equatable)
  }

  /// Compares the states at two places, which hold the type of the states that it was made for.
  func callAsFunction(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    areEqual(left, right)
  }
}
