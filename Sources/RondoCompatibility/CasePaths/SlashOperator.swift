// Case paths as features from before key paths to cases spell them.

import Rondo

/// The same as `AnyCasePath`.
public typealias CasePath = AnyCasePath

prefix operator /

/// Joins two case paths: `/Action.child .. /Child.Action.tapped`.
infix operator .. : CasePathPrecedence

precedencegroup CasePathPrecedence {
  associativity: left
  higherThan: BitwiseShiftPrecedence
}

/// The case path of a case that has associated values: `/Action.child` is `AnyCasePath(Action.child)`.
///
/// A case's constructor captures nothing, but in modules of the Swift 5 language mode the compiler
/// does not take it for `@Sendable`.
public prefix func / <Root, Value>(embed: @escaping (Value) -> Root) -> AnyCasePath<Root, Value> {
  nonisolated(unsafe) let embed = embed
  return AnyCasePath { embed($0) }
}

/// The case path of a case without associated values: `/Action.reset`. For enums that are
/// `Equatable`, which tells them from constructors.
public prefix func / <Root: Equatable>(root: Root) -> AnyCasePath<Root, Void> {
  casePath(of: root)
}

/// The case path of a case, whatever its enum conforms to: a closure would capture the conformance.
private func casePath<Root>(of root: Root) -> AnyCasePath<Root, Void> {
  nonisolated(unsafe) let root = root
  return AnyCasePath(root)
}

/// The case path from an enum to itself: `/Action.self`.
public prefix func / <Root>(type: Root.Type) -> AnyCasePath<Root, Root> {
  AnyCasePath()
}

/// A case path, unchanged: `/.self` is the one from an enum to itself.
public prefix func / <Root, Value>(path: AnyCasePath<Root, Value>) -> AnyCasePath<Root, Value> {
  path
}

extension AnyCasePath {
  /// The case path of a case that has associated values: `AnyCasePath(Action.child)`.
  @_disfavoredOverload  // for closures behind the call
  public init(unsafe embed: @escaping (Value) -> Root) { self = /embed }
}

extension AnyCasePath where Root == Value {
  /// The case path from an enum to itself.
  public static var `self`: Self { Self() }
}

extension AnyCasePath where Root == Value? {
  /// The case path of an optional that is not `nil`: `try (/.some).modify(&state.child) { … }`.
  public static var some: Self { AnyCasePath(embed: Optional.some) { $0 } }
}

// MARK: As functions

/// A function that extracts the associated values of a case: `actions.compactMap(/Action.child)`.
@_disfavoredOverload
public prefix func / <Root, Value>(
  embed: @escaping (Value) -> Root
) -> (Root) -> Value? {
  (/embed as AnyCasePath<Root, Value>).extract(from:)
}

/// A function that tells a case without associated values: `actions.compactMap(/Action.reset).count`.
@_disfavoredOverload
public prefix func / <Root: Equatable>(root: Root) -> (Root) -> Void? {
  (/root as AnyCasePath<Root, Void>).extract(from:)
}

// MARK: Joined

/// The case path that leads through one case into a case of its value.
public func .. <Root, Value, Appended>(
  lhs: AnyCasePath<Root, Value>, rhs: AnyCasePath<Value, Appended>
) -> AnyCasePath<Root, Appended> {
  lhs.appending(path: rhs)
}

/// A function that extracts the values of a case inside of another, of two case paths.
@_disfavoredOverload
public func .. <Root, Value, Appended>(
  lhs: AnyCasePath<Root, Value>, rhs: AnyCasePath<Value, Appended>
) -> (Root) -> Appended? {
  lhs.appending(path: rhs).extract(from:)
}

/// The case path that leads through one case into another: `/Action.child .. Child.Action.tapped`.
public func .. <Root, Value, Appended>(
  lhs: AnyCasePath<Root, Value>, rhs: @escaping (Appended) -> Value
) -> AnyCasePath<Root, Appended> {
  lhs.appending(path: /rhs)
}

/// A function that extracts the values of a case inside of another:
/// `results.compactMap(/Result.success .. Optional.some)`.
@_disfavoredOverload
public func .. <Root, Value, Appended>(
  lhs: AnyCasePath<Root, Value>, rhs: @escaping (Appended) -> Value
) -> (Root) -> Appended? {
  lhs.appending(path: /rhs).extract(from:)
}

/// Asks an enum which case it is in.
public func ~= <Root, Value>(path: AnyCasePath<Root, Value>, root: Root) -> Bool {
  path.extract(from: root) != nil
}

extension PresentationState {
  /// The value of a case of what is presented: `$destination[case: /Destination.State.edit]`.
  ///
  /// Writing `nil` dismisses it. When another case is presented, or nothing, this is reported.
  public subscript<Case>(case path: AnyCasePath<State, Case>) -> Case? {
    get { wrappedValue[changing: path] }
    _modify { yield &wrappedValue[changing: path] }
  }
}

extension StackState {
  /// The value of a case of the element with an id: `path[id: 0, case: /Path.State.detail]`.
  ///
  /// Writing `nil` removes the element. When it is in another case, or not there, this is reported.
  public subscript<Case>(id id: StackElementID, case path: AnyCasePath<Element, Case>) -> Case? {
    get { self[id: id][changing: path] }
    _modify { yield &self[id: id][changing: path] }
  }
}
