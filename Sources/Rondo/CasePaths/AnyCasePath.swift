// A way into one case of an enum and out of it, as a value.

/// A way into one case of an enum and out of it again. It is to a case what a key path is to a
/// property.
///
/// ```swift
/// let path = AnyCasePath(embed: Action.child) {
///   if case .child(let action) = $0 { action } else { nil }
/// }
/// path.embed(.tapped)                // Action.child(.tapped)
/// path.extract(from: .child(.tapped)) // Child.Action.tapped
/// ```
///
/// Enums that are ``CasePathable`` have one for each case, and code names it by a ``CaseName``.
/// Case paths compose: `path.presented` leads on into a case of the associated value.
///
/// A case path that is made by hand must follow two laws. Embedding a value and then extracting
/// gives the value back. Embedding a value that was extracted gives the enum back that it came
/// from.
@dynamicMemberLookup
public struct AnyCasePath<Root, Value>: Sendable {
  @usableFromInline let embedding: @Sendable (Value) -> Root
  @usableFromInline let extraction: @Sendable (Root) -> Value?

  /// A case path made of its two functions.
  ///
  /// Messages call it by the name of the property that makes it.
  @inlinable
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?,
    name: StaticString = #function
  ) {
    CasePathNames.note(name)
    embedding = embed
    extraction = extract
  }

  /// The spelling that macro expansions use; see ``init(embed:extract:name:)``.
  @inlinable
  public static func _$embed(
    _ embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?,
    name: StaticString = #function
  ) -> Self {
    Self(embed: embed, extract: extract, name: name)
  }

  /// Puts a value into the case.
  @inlinable
  public func embed(_ value: Value) -> Root {
    embedding(value)
  }

  /// The case's value, or `nil` when the enum is in another case.
  @inlinable
  public func extract(from root: Root) -> Value? {
    extraction(root)
  }

  /// Changes the case's value. Does nothing, and returns `nil`, when the enum is in another case.
  ///
  /// Until `body` has ended the enum holds the old value: code that reads the enum meanwhile, an
  /// observer for example, finds a complete value. Storage that the value shares with the enum, an
  /// array's for example, is therefore copied when `body` changes it.
  public func modify<Result>(_ root: inout Root, _ body: (inout Value) throws -> Result) rethrows
    -> Result?
  {
    guard var value = extraction(root) else { return nil }
    defer { root = embedding(value) }
    return try body(&value)
  }

  /// This path and then another one.
  public func appending<Appended>(path: AnyCasePath<Value, Appended>) -> AnyCasePath<Root, Appended>
  {
    AnyCasePath<Root, Appended>(
      embed: { [embedding] in embedding(path.embedding($0)) },
      extract: { [extraction] in extraction($0).flatMap(path.extraction) })
  }

  /// Leads on into a case of the associated value: `\.destination.presented`.
  public subscript<Appended>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Appended>>
  ) -> AnyCasePath<Root, Appended> where Value: CasePathable {
    appending(path: Value.allCasePaths[keyPath: keyPath])
  }
}

extension AnyCasePath where Root == Value {
  /// The path that leads nowhere: the value is the root itself.
  public init() {
    self.init(embed: { $0 }, extract: { $0 })
  }
}

extension AnyCasePath where Value == Void {
  /// Makes the case that has no associated value.
  public func embed() -> Root {
    embedding(())
  }
}

// Not a `description`, nor the method of a stream: either would hide a case of its name from key
// paths.
extension AnyCasePath: CustomDebugStringConvertible {
  public var debugDescription: String { "AnyCasePath<\(Root.self), \(Value.self)>" }
}

/// A case path whose types are only known when the program runs.
package protocol ErasedCasePath: Sendable {
  func matches(_ root: Any) -> Bool
  func extractErased(from root: Any) -> Any?
  func embedErased(_ value: Any) -> Any?
}

extension AnyCasePath: ErasedCasePath {
  package func matches(_ root: Any) -> Bool {
    (root as? Root).flatMap(extraction) != nil
  }

  package func extractErased(from root: Any) -> Any? {
    (root as? Root).flatMap(extraction)
  }

  package func embedErased(_ value: Any) -> Any? {
    (value as? Value).map(embedding)
  }
}
