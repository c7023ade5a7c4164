// Case paths as features from before key paths to cases spell them.

prefix operator /

/// The case path of a case that has associated values: `/Action.child` is `CasePath(Action.child)`.
public prefix func / <Root, Value>(
  embed: @escaping (Value) -> Root
) -> AnyCasePath<Root, Value> {
  // Unchecked: the name of a case captures nothing, but is not known not to where Swift 5 is spoken.
  nonisolated(unsafe) let embed = embed
  return AnyCasePath { embed($0) }
}
