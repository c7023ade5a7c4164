// Names of cases whose enum need not be known to have case paths, as libraries over reducers use them.

import Rondo
import RondoScheduling

/// A case of an enum, or a value inside of several cases, of which the enum is not part of the type.
///
/// It is what a ``CaseKeyPath`` leads through: `\.destination.edit` leads from `Case<Action>` to
/// `Case<Edit.Action>`. Code that names cases never makes one.
@dynamicMemberLookup
public struct Case<Value> {
  let path: AnyCasePath<Any, Value>

  private init(path: AnyCasePath<Any, Value>) {
    self.path = path
  }

  /// The enum itself, where every name of a case begins.
  public init() {
    path = AnyCasePath(embed: { $0 }, extract: { $0 as? Value })
  }

  /// A case that is made of its two functions.
  public init<Root>(
    embed: @escaping @Sendable (Value) -> Root, extract: @escaping @Sendable (Root) -> Value?
  ) {
    path = AnyCasePath(embed: { embed($0) }, extract: { ($0 as? Root).flatMap(extract) })
  }

  /// The case that a name stands for.
  public init<Root>(_ keyPath: CaseKeyPath<Root, Value>) {
    self = Case<Root>()[keyPath: keyPath]
  }

  /// A case of the value, by its name.
  public subscript<Appended>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Appended>>
  ) -> Case<Appended> where Value: CasePathable {
    Case<Appended>(path: path.appending(path: Value.allCasePaths[keyPath: keyPath]))
  }

  /// A case of the value, where its name stands for an optional:
  /// `let path: CaseKeyPath<Action, Int?> = \.count`. Nothing can be made of `nil` then.
  @_disfavoredOverload
  public subscript<Appended>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Appended>>
  ) -> Case<Appended?> where Value: CasePathable {
    Case<Appended?>(path: self[dynamicMember: keyPath].path.optional)
  }
}

extension AnyCasePath where Root == Any {
  /// The same case, of which the value may be left out.
  fileprivate var optional: AnyCasePath<Any, Value?> {
    AnyCasePath<Any, Value?>(
      embed: { $0.map(self.embed) ?? (nil as Any?) as Any },
      extract: { self.extract(from: $0).map(Optional.some) })
  }
}

/// The name of a case: `\.child`, `\.child.presented`.
///
/// Nothing need be known of the enum, so that a library can take names of cases of any reducer's actions:
///
/// ```swift
/// extension Reducer {
///   func tracked<Event>(_ event: CaseKeyPath<Action, Event>) -> some ReducerOf<Self> { … }
/// }
/// ```
///
/// The operators of Rondo take one, as they take a `CaseName`, which is what `\.child` is for them.
public typealias CaseKeyPath<Root, Value> = KeyPath<Case<Root>, Case<Value>>

/// The name of a case whose value does not matter.
public typealias PartialCaseKeyPath<Root> = PartialKeyPath<Case<Root>>

extension AnyCasePath {
  /// The case path that a case's name stands for.
  public init(_ keyPath: CaseKeyPath<Root, Value>) {
    let path = Case(keyPath).path
    self.init(embed: { root(path.embed($0)) }, extract: { path.extract(from: $0) })
  }
}

/// The enum that a name of a case has made.
private func root<Root>(_ made: Any) -> Root {
  if let root = made as? Root { return root }
  // Only of a name that stands for an optional, where no other value could be returned.
  fatalError("\(Root.self) cannot be made of 'nil': its case has a value that is not optional.")
}

/// The type at the beginning, or at the end, of a key path that names a case. Only ``Case`` is one.
public protocol _CaseType {
  associatedtype _CaseValue
}

extension Case: _CaseType {
  public typealias _CaseValue = Value
}

// A name of a case that is held as a value, in libraries over reducers, which know nothing of the actions.
extension KeyPath: _CasePathArgument where Root: _CaseType, Value: _CaseType {
  public var _casePath: AnyCasePath<Root._CaseValue, Value._CaseValue> {
    // A 'Case' is the only type there is: the key path is of this type.
    AnyCasePath(self as! CaseKeyPath<Root._CaseValue, Value._CaseValue>)
  }
}

/// Operations on a case whose value is not known.
private protocol ErasedCase {
  func erasedValue(from root: Any) -> Any?
  func erasedRoot(of value: Any) -> Any?
}

extension Case: ErasedCase {
  fileprivate func erasedValue(from root: Any) -> Any? { path.extract(from: root) }
  fileprivate func erasedRoot(of value: Any) -> Any? { (value as? Value).map(path.embed) }
}

extension Case {
  /// Whether an enum is in a case of this name.
  package static func isIn(_ keyPath: PartialCaseKeyPath<Value>, _ root: Value) -> Bool {
    (Case()[keyPath: keyPath] as? any ErasedCase)?.erasedValue(from: root) != nil
  }

  /// A case as it is written: `\.path[id: #0].closed`; `nil` where it has no name.
  package static func name(of keyPath: PartialCaseKeyPath<Value>) -> String? {
    let name = CasePathNames.heard { _ = Case()[keyPath: keyPath] }
    return name.isEmpty ? nil : "\\\(name)"
  }
}

extension KeyPath {
  /// Makes the enum in this case, with the given value.
  public func callAsFunction<Enum, AssociatedValue>(_ value: AssociatedValue) -> Enum
  where Root == Case<Enum>, Value == Case<AssociatedValue> {
    AnyCasePath(self).embed(value)
  }

  /// Makes the enum in this case, which has no associated value.
  public func callAsFunction<Enum>() -> Enum where Root == Case<Enum>, Value == Case<Void> {
    AnyCasePath(self).embed(())
  }
}

extension _AppendKeyPath {
  /// Makes the enum in this case, with the given value; `nil` for a value of another type.
  @_disfavoredOverload
  public func callAsFunction<Enum>(_ value: Any) -> Enum? where Self == PartialCaseKeyPath<Enum> {
    let path = Case<Enum>()[keyPath: self] as? any ErasedCase
    guard let root = path?.erasedRoot(of: value) else { return nil }
    return root as? Enum
  }
}

extension CasePathable {
  /// The associated value of a case, or `nil` when the enum is in another one.
  @_disfavoredOverload
  public subscript<Value>(case keyPath: CaseKeyPath<Self, Value>) -> Value? {
    get { Case(keyPath).path.extract(from: self) }
    set {
      guard let newValue else { return }
      _ = AnyCasePath(keyPath).modify(&self) { $0 = newValue }
    }
  }

  /// The associated value of a case, of which only the enum's type is known.
  @_disfavoredOverload
  public subscript(case keyPath: PartialCaseKeyPath<Self>) -> Any? {
    (Case<Self>()[keyPath: keyPath] as? any ErasedCase)?.erasedValue(from: self)
  }

  /// Whether the enum is in a case.
  @_disfavoredOverload
  public func `is`(_ keyPath: PartialCaseKeyPath<Self>) -> Bool {
    Case.isIn(keyPath, self)
  }

  /// Changes the associated value of a case in place. When the enum is in another case nothing is changed, and
  /// this is reported.
  @_disfavoredOverload
  public mutating func modify<Value>(
    _ keyPath: CaseKeyPath<Self, Value>,
    yield: (inout Value) -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    guard AnyCasePath(keyPath).modify(&self, yield) == nil else { return }
    reportIssue(
      """
      'modify(\(Case.name(of: keyPath) ?? "_:"))' was called on \(summary(of: self)), which is in \
      another case, and was left as it is. Check the case with 'is(_:)' first.
      """,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// Tells whether an enum is in a case, so that a `switch` can use names of cases.
@_disfavoredOverload
public func ~= <Root: CasePathable>(keyPath: PartialCaseKeyPath<Root>, root: Root) -> Bool {
  root.is(keyPath)
}
