// What tells a child from the one that was at its place before.

/// Reads the identity of a child from its state.
///
/// A child is another one when its `id` is another, or, where it is an enum, when it is in another
/// case. A state that has neither is the same child for as long as there is one.
@usableFromInline
struct ChildIdentity<State> {
  /// `nil` where there is nothing to read.
  private let read: ((borrowing State) -> AnyHashable)?

  /// The identity of all children that have none of their own.
  @usableFromInline
  static var only: AnyHashable { AnyHashable(SoleChild()) }

  /// The identity of a child that cannot go away.
  static var absent: Self { Self(read: nil) }

  private init(read: ((borrowing State) -> AnyHashable)?) {
    self.read = read
    isAbsent = read == nil
  }

  @usableFromInline
  init() {
    let id = Self.makeIDReader()
    let layout = State.self is any CasePathable.Type ? EnumLayout(State.self) : nil
    guard let layout, State.self as? any OptionalProtocol.Type == nil else {
      self.init(read: id)
      return
    }
    self.init { state in
      AnyHashable(CaseIdentity(tag: layout.tag(of: copy state), id: id?(state)))
    }
  }

  @usableFromInline
  func callAsFunction(_ state: borrowing State) -> AnyHashable {
    guard let read else { return Self.only }
    return read(state)
  }

  /// Whether one child at a place cannot be told from another.
  @usableFromInline let isAbsent: Bool

  private static func makeIDReader() -> ((borrowing State) -> AnyHashable)? {
    if let type = State.self as? any _IdentifiedByReference.Type { return referenceReader(type) }
    if let type = State.self as? any Identifiable.Type { return idReader(type) }
    return nil
  }

  private static func idReader<S: Identifiable>(_: S.Type) -> (borrowing State) -> AnyHashable {
    { state in
      // The two types are one, which the compiler cannot know.
      AnyHashable(unsafeBitCast(copy state, to: S.self).id)
    }
  }

  private static func referenceReader<S: _IdentifiedByReference>(
    _: S.Type
  ) -> (borrowing State) -> AnyHashable {
    { state in AnyHashable(unsafeBitCast(copy state, to: S.self)._identity) }
  }
}

/// A state that carries an identity which it was given when it was made.
public protocol _IdentifiedByReference {
  associatedtype _Identity: Hashable
  var _identity: _Identity { get }
}

private struct SoleChild: Hashable, Sendable {}

private struct CaseIdentity: Hashable {
  let tag: UInt32
  let id: AnyHashable?
}

private protocol OptionalProtocol {}
extension Optional: OptionalProtocol {}
