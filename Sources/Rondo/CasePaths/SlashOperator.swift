// Case paths as features from before key paths to cases spell them.

prefix operator /

/// The case path of a case that has associated values: `/Action.child` is `CasePath(Action.child)`.
public prefix func / <Root, Value>(
  embed: @escaping @Sendable (Value) -> Root
) -> AnyCasePath<Root, Value> {
  AnyCasePath(embed)
}
