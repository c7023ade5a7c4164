// The identity of a child, which differs from that of an earlier child at the same place.

import Foundation

/// The identity of a child among all that are or were at a place.
///
/// A child is another one when it is presented again, when its own `id` has changed, when its enum
/// is in another case, or when it is an observable state with another identity. A child with none
/// of these counts as the same for as long as there is a child at the place.
///
/// Identities are read before and after every action, so the usual ones are stored in plain machine
/// words. The others are in a box.
@usableFromInline
struct ChildIdentity: Hashable, Sendable {
  /// The presentation, or the addition to a stack.
  @usableFromInline let stamp: UInt64
  /// The case that an enum is in.
  @usableFromInline var tag: UInt64 = 0
  /// The id of the state as a number, or the first of its two machine words.
  @usableFromInline var first: UInt64 = 0
  @usableFromInline var second: UInt64 = 0
  @usableFromInline var box: IDBox?

  @inlinable
  @inline(__always)
  init(stamp: Stamp) {
    self.stamp = stamp.number
  }

  /// The identity of an element of a list or a stack.
  @usableFromInline
  init(id: some Hashable, stamp: Stamp = .none) {
    self.stamp = stamp.number
    box = IDBox(AnyHashable(id))
  }

  /// The id of an element of a list or a stack.
  var id: Any? { box?.id.base }

  @inlinable
  @inline(__always)
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.stamp == rhs.stamp && lhs.tag == rhs.tag && lhs.first == rhs.first
      && lhs.second == rhs.second && (lhs.box === rhs.box || areEqual(lhs.box, rhs.box))
  }

  @usableFromInline
  static func areEqual(_ lhs: IDBox?, _ rhs: IDBox?) -> Bool {
    lhs?.id == rhs?.id
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(stamp)
    hasher.combine(tag)
    hasher.combine(first)
    hasher.combine(second)
    hasher.combine(box?.id)
  }

  @usableFromInline
  final class IDBox: @unchecked Sendable {
    // @unchecked: ids are values.
    let id: AnyHashable

    init(_ id: AnyHashable) {
      self.id = id
    }
  }
}

/// Reads the identities of the children of one type from their states.
///
/// The ways to tell two states of the type apart are found out once. A reader is not a generic
/// type, so that reading needs no look-up of types.
@usableFromInline
struct ChildIdentityReader: @unchecked Sendable {
  // @unchecked: the closures read their arguments, and nothing else.
  private let readOwn: Read?
  /// The place of the registrar of an observable state, in bytes, where the state stores one and
  /// has no `id`.
  private let registrarOffset: Int?
  private let layout: EnumLayout?

  /// Whether the state has nothing that tells one child at a place from another.
  @usableFromInline let isBlind: Bool

  /// Whether an `id` of the state itself is read.
  private let readsID: Bool
  /// The cases of an enum, by tag, of whose value an `id` is read.
  private let readsIDOfCase: [Bool]

  /// A reader of everything that tells one state from another.
  @usableFromInline
  init<State>(_ type: State.Type) {
    layout = EnumLayout(type)
    let readID = Self.idReader(of: type)
    let payloadReaders = readID == nil ? Self.payloadReaders(of: type, layout) : []
    let readPayload = Self.reader(of: payloadReaders, layout)
    let readObserved = readID == nil ? FieldIdentity(ofState: type) : nil
    switch readObserved {
    case .registrar(let offset): (registrarOffset, readOwn) = (offset, nil)
    case .other(let read):
      registrarOffset = nil
      readOwn = {
        read($0)?.write(to: &$1)
        readPayload?($0, &$1)
      }
    case nil: (registrarOffset, readOwn) = (nil, readID ?? readPayload)
    }
    isBlind = layout == nil && readOwn == nil && registrarOffset == nil
    readsID = readID != nil
    readsIDOfCase = payloadReaders.map { $0 != nil }
  }

  /// A reader of the `id` of a state only, which a child keeps while it changes itself.
  @usableFromInline
  init<State>(idOf type: State.Type) {
    layout = nil
    registrarOffset = nil
    readOwn = Self.idReader(of: type)
    isBlind = readOwn == nil
    readsID = readOwn != nil
    readsIDOfCase = []
  }

  /// Whether two different identities of one presentation, in the same case, differ by an `id`.
  @usableFromInline
  func isOtherID(_ old: ChildIdentity, _ new: ChildIdentity) -> Bool {
    let tag = Int(old.tag)
    guard old.tag == new.tag else { return false }
    return readsID || tag < readsIDOfCase.count && readsIDOfCase[tag]
  }

  /// The identity of the child whose state is at a place in memory.
  @inlinable
  @inline(__always)
  func callAsFunction(_ state: UnsafeRawPointer, stamp: Stamp = .none) -> ChildIdentity {
    var identity = ChildIdentity(stamp: stamp)
    if !isBlind { read(state, &identity) }
    return identity
  }

  @usableFromInline
  func read(_ state: UnsafeRawPointer, _ identity: inout ChildIdentity) {
    if let layout { identity.tag = UInt64(layout.tag(at: state)) }
    if let registrarOffset {
      ObservationStateRegistrar.id(at: state + registrarOffset).write(to: &identity)
    } else {
      readOwn?(state, &identity)
    }
  }

  private typealias Read = (UnsafeRawPointer, inout ChildIdentity) -> Void

  // The casts succeed where both type parameters of a reader are the same type.

  /// Readers of the ids of an enum's payloads, by tag. Observable payloads of an observable enum have an identity,
  /// which it has with them.
  private static func payloadReaders<State>(of type: State.Type, _ layout: EnumLayout?) -> [Read?] {
    func reader<Payload: Identifiable>(_: Payload.Type, _ layout: EnumLayout) -> Read {
      { state, identity in
        let state = state.bound(to: State.self).pointee
        identity.box = .init(AnyHashable(layout.payload(of: state, as: Payload.self).id))
      }
    }
    guard let layout else { return [] }
    let isObservable = type is any ObservableState.Type
    return layout.inlinePayloadTypes.map { type in
      isObservable && type is any ObservableState.Type
        ? nil : (type as? any Identifiable.Type).map { reader($0, layout) }
    }
  }

  /// A reader of the id of the payload that an enum has; `nil` where none has an `id`.
  private static func reader(of readers: [Read?], _ layout: EnumLayout?) -> Read? {
    guard let layout, readers.contains(where: { $0 != nil }) else { return nil }
    return { state, identity in
      let tag = Int(layout.tag(at: state))
      if tag < readers.count { readers[tag]?(state, &identity) }
    }
  }

  private static func idReader<State>(of type: State.Type) -> Read? {
    func numberReader<S: Identifiable<Int>>(_: S.Type) -> Read {
      { $1.first = UInt64(bitPattern: Int64($0.bound(to: S.self).pointee.id)) }
    }
    func uuidReader<S: Identifiable<UUID>>(_: S.Type) -> Read {
      {
        let id = $0.bound(to: S.self).pointee.id.uuid
        ($1.first, $1.second) = unsafeBitCast(id, to: (UInt64, UInt64).self)
      }
    }
    func idReader<S: Identifiable>(_: S.Type) -> Read {
      { $1.box = .init(AnyHashable($0.bound(to: S.self).pointee.id)) }
    }
    if let type = type as? any Identifiable<Int>.Type { return numberReader(type) }
    if let type = type as? any Identifiable<UUID>.Type { return uuidReader(type) }
    if let type = type as? any Identifiable.Type { return idReader(type) }
    return nil
  }
}
