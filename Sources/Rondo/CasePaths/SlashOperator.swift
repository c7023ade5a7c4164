// Case paths as features from before key paths to cases spell them.

prefix operator /

/// The case path of a case that has associated values: `/Action.child` is `CasePath(Action.child)`.
///
/// A case's constructor captures nothing, but in modules of the Swift 5 language mode the compiler
/// does not take it for `@Sendable`.
public prefix func / <Root, Value>(embed: @escaping (Value) -> Root) -> AnyCasePath<Root, Value> {
  nonisolated(unsafe) let embed = embed
  return AnyCasePath { embed($0) }
}

/// The case path of a case without associated values: `/Action.reset`. For enums that are `Equatable`,
/// which tells them from constructors.
public prefix func / <Root: Equatable>(root: Root) -> AnyCasePath<Root, Void> {
  casePath(of: root)
}

private func casePath<Root>(of root: Root) -> AnyCasePath<Root, Void> {
  nonisolated(unsafe) let root = root
  return AnyCasePath(root)
}

/// Asks an enum which case it is in.
public func ~= <Root, Value>(path: AnyCasePath<Root, Value>, root: Root) -> Bool {
  path.extract(from: root) != nil
}
