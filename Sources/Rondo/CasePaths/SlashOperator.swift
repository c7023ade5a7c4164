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

extension PresentationState {
  /// The value of a case of what is presented: `$destination[case: /Destination.State.edit]`.
  public subscript<Case>(case path: AnyCasePath<State, Case>) -> Case? {
    get { wrappedValue[changing: path] }
    _modify { yield &wrappedValue[changing: path] }
  }
}

extension StackState {
  /// The value of a case of the element with an id: `path[id: 0, case: /Path.State.detail]`.
  public subscript<Case>(id id: StackElementID, case path: AnyCasePath<Element, Case>) -> Case? {
    get { self[id: id][changing: path] }
    _modify { yield &self[id: id][changing: path] }
  }
}
