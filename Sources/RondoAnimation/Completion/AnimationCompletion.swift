// A closure that waits for the animations of a transaction.

import Synchronization

/// A closure that runs once, when nobody holds it back any more.
///
/// `withTransaction` holds it for the extent of its body. Code that starts an animation
/// for a transaction, or keeps an action with it in a queue, takes a hold for as long. So a
/// completion whose body changes nothing runs at the end of that body, with or without anything
/// that draws.
package final class AnimationCompletion: @unchecked Sendable {
  // @unchecked: `action` is used by one caller only, the first whose release brings `holds` to zero,
  // and on the isolation that the completion was made on.
  package let criteria: AnimationCompletionCriteria
  private let holds = Atomic<Int>(0)
  private let isComplete = Atomic(false)
  private let isolation: (any Actor)?
  private var action: (() -> Void)?

  /// A completion that nobody holds yet.
  ///
  /// - Parameters:
  ///   - criteria: What the holders have to wait for.
  ///   - isolation: Where `action` may run; `nil` for wherever the last hold is released.
  package init(
    criteria: AnimationCompletionCriteria,
    isolation: (any Actor)?,
    action: @escaping () -> Void
  ) {
    self.criteria = criteria
    self.isolation = isolation
    self.action = action
  }

  /// Keeps the closure from running until ``release()``.
  package func hold() {
    holds.wrappingAdd(1, ordering: .relaxed)
  }

  /// Gives a hold back. The closure runs if it was the last one, and never again.
  ///
  /// A completion of the main actor that is released on the main thread runs at once, and so does
  /// one of no actor. Others run as soon as their actor is free.
  package func release() {
    let (before, after) = holds.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    precondition(before > 0, "A completion was released more often than it was held.")
    guard after == 0, !isComplete.exchange(true, ordering: .acquiringAndReleasing) else { return }
    guard let isolation, !(isolation === MainActor.shared && MainThread.isCurrent) else {
      return run()
    }
    Task { await run(on: isolation) }
  }

  private func run(on isolation: isolated any Actor) {
    run()
  }

  private func run() {
    let action = action.take()
    action?()
  }
}

extension AnimationCompletion: Hashable {
  package static func == (lhs: AnimationCompletion, rhs: AnimationCompletion) -> Bool {
    lhs === rhs
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension Transaction {
  /// The completions that wait for what this transaction animates. Code that animates for it holds
  /// each of them until the animation meets its criteria.
  package var animationCompletions: [AnimationCompletion] {
    self[AnimationCompletionsKey.self].list
  }

  /// Keeps every completion of this transaction from running. See ``HeldTransaction`` for a
  /// transaction that waits.
  package func holdCompletions() {
    animationCompletions.forEach { $0.hold() }
  }

  /// Gives the holds of ``holdCompletions()`` back.
  package func releaseCompletions() {
    animationCompletions.forEach { $0.release() }
  }

  /// Runs a body, and no completion of this transaction before its end.
  package func whileHoldingCompletions<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard !isEmpty else { return try body() }
    holdCompletions()
    defer { releaseCompletions() }
    return try body()
  }

  /// Adds a closure that runs once, when what this transaction animates is complete.
  ///
  /// ```swift
  /// var transaction = Transaction(animation: .easeOut)
  /// transaction.addAnimationCompletion { print("shown") }
  /// withTransaction(transaction) { store.send(.opened) }
  /// ```
  ///
  /// The closure runs on the isolation that it was added on: at the end of the first
  /// `withTransaction` or `send` with this transaction, unless something is animated in it or an
  /// action with it still waits for its turn.
  ///
  /// - Parameters:
  ///   - criteria: When an animation counts as complete.
  ///   - isolation: The isolation that the closure runs on.
  ///   - completion: What to do then.
  public mutating func addAnimationCompletion(
    criteria: AnimationCompletionCriteria = .logicallyComplete,
    isolation: isolated (any Actor)? = #isolation,
    _ completion: @escaping () -> Void
  ) {
    let added = AnimationCompletion(
      criteria: criteria,
      isolation: isolation,
      action: completion
    )
    self[AnimationCompletionsKey.self].list.append(added)
  }
}

extension AnimationCompletion: CustomStringConvertible {
  package var description: String { "\(criteria)" }
}
