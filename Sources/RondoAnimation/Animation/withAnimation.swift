// `withTransaction` for the most common slot.

/// Runs a synchronous body whose changes are to be shown with an animation.
///
/// It is `withTransaction(Transaction(animation: animation), body)`.
///
/// - Parameter animation: The animation; `nil` shows the changes at once, whatever is around.
public func withAnimation<Result>(
  _ animation: Animation? = .default,
  _ body: () throws -> Result
) rethrows -> Result {
  try withTransaction(Transaction(animation: animation), body)
}
