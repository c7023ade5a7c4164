// `withTransaction` for the most common slot.

/// Runs a synchronous body whose changes are to be shown with an animation.
///
/// It is `withTransaction(Transaction(animation: animation), body)`.
///
/// - Parameters:
///   - animation: The animation; `nil` shows the changes at once, whatever is around.
///   - body: The changes.
/// - Returns: What the body returns.
/// - Throws: What the body throws.
@discardableResult
public func withAnimation<Result>(
  _ animation: Animation? = .default,
  _ body: () throws -> Result
) rethrows -> Result {
  try withTransaction(Transaction(animation: animation), body)
}

/// Runs a synchronous body whose changes are to be shown with an animation, and something else once
/// they have been.
///
/// ```swift
/// withAnimation(.easeOut(duration: 0.2)) {
///   store.send(.closed)
/// } completion: {
///   store.send(.vanished)
/// }
/// ```
///
/// The completion runs exactly once, on the isolation of the caller: at the end of the body if
/// nothing is animated in it. Completions of calls around this one wait for this one's animations
/// too.
///
/// - Parameters:
///   - animation: The animation; `nil` shows the changes at once, whatever is around.
///   - completionCriteria: When an animation counts as complete.
///   - isolation: Where `completion` runs. Leave it out.
///   - body: The changes.
///   - completion: What to do once all animations of the body are complete.
@discardableResult
public func withAnimation<Result>(
  _ animation: Animation? = .default,
  completionCriteria: AnimationCompletionCriteria = .logicallyComplete,
  isolation: isolated (any Actor)? = #isolation,
  _ body: () throws -> Result,
  completion: @escaping () -> Void
) rethrows -> Result {
  var transaction = Transaction.current
  transaction.animation = animation
  transaction.addAnimationCompletion(
    criteria: completionCriteria,
    isolation: isolation,
    completion
  )
  return try withTransaction(transaction, body)
}
