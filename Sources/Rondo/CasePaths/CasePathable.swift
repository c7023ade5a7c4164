// Enums whose cases can be named by a key path.

/// An enum that has a case path for each of its cases.
///
/// The `@CasePathable` macro writes the conformance. A conformance by hand is a structure with one
/// property for each case:
///
/// ```swift
/// enum Action: CasePathable {
///   case child(Child.Action), reset
///
///   struct AllCasePaths: Sendable {
///     var child: AnyCasePath<Action, Child.Action> {
///       AnyCasePath(embed: Action.child) {
///         if case .child(let action) = $0 { action } else { nil }
///       }
///     }
///     var reset: AnyCasePath<Action, Void> {
///       AnyCasePath(embed: { .reset }) { if case .reset = $0 { () } else { nil } }
///     }
///   }
///   static var allCasePaths: AllCasePaths { AllCasePaths() }
/// }
/// ```
public protocol CasePathable {
  /// The type that has a property for each case.
  associatedtype AllCasePaths

  /// All case paths.
  static var allCasePaths: AllCasePaths { get }
}

/// The name of a case of an enum that is known to be ``CasePathable``: `\.child`, `\.child.presented`.
///
/// It is an ordinary key path into the case paths of the enum, so that naming a case costs no more
/// than naming a property. The operators of Rondo take it. A function of your own that takes names of
/// cases says `CaseKeyPath`, of `RondoCompatibility`, which asks for nothing.
public typealias CaseName<Root: CasePathable, Value> = KeyPath<
  Root.AllCasePaths, AnyCasePath<Root, Value>
>

/// The name of a case, of an enum that is known to be ``CasePathable``, whose value does not matter.
public typealias PartialCaseName<Root: CasePathable> = PartialKeyPath<Root.AllCasePaths>

extension CasePathable {
  /// The root type of the names of cases: `\Action.Cases.child`.
  public typealias Cases = AllCasePaths

  /// The associated value of a case, or `nil` when the enum is in another one.
  ///
  /// ```swift
  /// action[case: \.child]  // Child.Action?
  /// ```
  ///
  /// Writing a value changes the enum only if it is in that case, so `action[case: \.count]? += 1`
  /// does nothing when it is in another case. Writing `nil` does nothing.
  public subscript<Value>(case keyPath: CaseName<Self, Value>) -> Value? {
    get { Self.allCasePaths[keyPath: keyPath].extract(from: self) }
    set {
      guard let newValue else { return }
      _ = Self.allCasePaths[keyPath: keyPath].modify(&self) { $0 = newValue }
    }
  }

  /// The associated value of a case, of which only the enum's type is known; `nil` when the enum is
  /// in another case.
  @_disfavoredOverload
  public subscript(case keyPath: PartialCaseName<Self>) -> Any? {
    (Self.allCasePaths[keyPath: keyPath] as? any ErasedCasePath)?.extractErased(from: self)
  }

  /// The associated value of a case, as a member; for enums that are `@dynamicMemberLookup`.
  ///
  /// Writing is the same as by `subscript(case:)`: `state.destination?.edit?.name = ""` does
  /// nothing when the enum is in another case.
  public subscript<Value>(dynamicMember keyPath: CaseName<Self, Value>) -> Value? {
    get { self[case: keyPath] }
    set { self[case: keyPath] = newValue }
  }

  /// Whether the enum is in a case.
  ///
  /// ```swift
  /// action.is(\.child.tapped)
  /// ```
  public func `is`(_ keyPath: PartialCaseName<Self>) -> Bool {
    let path = Self.allCasePaths[keyPath: keyPath] as? any ErasedCasePath
    return path?.matches(self) ?? false
  }

  /// Changes the associated value of a case in place.
  ///
  /// When the enum is in another case nothing is changed, and this is reported.
  public mutating func modify<Value>(
    _ keyPath: CaseName<Self, Value>,
    yield: (inout Value) -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let path = Self.allCasePaths[keyPath: keyPath]
    guard path.modify(&self, yield) == nil else { return }
    reportIssue(
      """
      'modify(\(Self.name(of: keyPath) ?? "_:"))' was called on \(summary(of: self)), which is in \
      another case, and was left as it is. Check the case with 'is(_:)' first.
      """,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension AnyCasePath where Root: CasePathable {
  /// The case path that a case's name stands for: `AnyCasePath(\.child)`.
  public init(_ keyPath: CaseName<Root, Value>) {
    self = Root.allCasePaths[keyPath: keyPath]
  }
}

extension KeyPath {
  /// Makes the enum in this case, with the given value: `\Action.Cases.child(.tapped)`.
  public func callAsFunction<Enum: CasePathable, AssociatedValue>(_ value: AssociatedValue) -> Enum
  where Root == Enum.AllCasePaths, Value == AnyCasePath<Enum, AssociatedValue> {
    Enum.allCasePaths[keyPath: self].embed(value)
  }

  /// Makes the enum in this case, which has no associated value.
  public func callAsFunction<Enum: CasePathable>() -> Enum
  where Root == Enum.AllCasePaths, Value == AnyCasePath<Enum, Void> {
    Enum.allCasePaths[keyPath: self].embed(())
  }
}

extension KeyPath {
  /// Joins the name of a case and the name of a case of its value: `\.child` with `\.tapped` is
  /// `\.child.tapped`.
  public func appending<Enum, AssociatedValue: CasePathable, Appended>(
    path: CaseName<AssociatedValue, Appended>
  ) -> CaseName<Enum, Appended>
  where Root == Enum.AllCasePaths, Value == AnyCasePath<Enum, AssociatedValue> {
    appending(path: \AnyCasePath<Enum, AssociatedValue>.[dynamicMember: path])
  }
}

extension _AppendKeyPath {
  /// Makes the enum in this case, with the given value; `nil` for a value of another type.
  @_disfavoredOverload
  public func callAsFunction<Enum: CasePathable>(_ value: Any) -> Enum?
  where Self == PartialCaseName<Enum> {
    let path = Enum.allCasePaths[keyPath: self] as? any ErasedCasePath
    guard let root = path?.embedErased(value) else { return nil }
    return root as? Enum
  }
}

/// Tells whether an enum is in a case, so that a `switch` can use names of cases.
public func ~= <Root: CasePathable>(keyPath: PartialCaseName<Root>, root: Root) -> Bool {
  root.is(keyPath)
}

/// A pattern that is a value of the enum itself. The compiler uses it for nothing but its message on
/// a case that does not exist, which names the enum.
@available(*, unavailable, message: "match a case by its name")
public func ~= <Root: CasePathable>(pattern: Root, root: Root) -> Bool {
  preconditionFailure("This function cannot be called.")
}

/// The case paths of an enum, which can tell the case that the enum is in.
public protocol CasePathReflectable<Root> {
  /// The enum whose cases the paths lead to.
  associatedtype Root: CasePathable

  /// The name of the case that the enum is in.
  subscript(root: Root) -> PartialCaseName<Root> { get }
}

extension CasePathable where AllCasePaths: CasePathReflectable<Self> {
  /// The name of the case that the enum is in.
  public var `case`: PartialCaseName<Self> { Self.allCasePaths[self] }
}

/// An enum whose case paths can be enumerated, in the order of declaration.
public protocol CasePathIterable: CasePathable
where AllCasePaths: Sequence, AllCasePaths.Element == PartialCaseName<Self> {}
