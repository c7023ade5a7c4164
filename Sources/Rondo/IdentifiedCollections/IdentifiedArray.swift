// An array whose elements are also found by an id.

/// An ordered collection of elements with distinct ids, found by position and by id alike.
///
/// ```swift
/// var rows: IdentifiedArrayOf<Row> = [Row(id: 1), Row(id: 2)]
/// rows[id: 2]?.isDone = true
/// rows.remove(id: 1)
/// ```
///
/// Finding an element by its id takes constant time. Changing an element in place copies neither
/// the others nor the index. Appending takes amortized constant time; inserting and removing take
/// time in proportion to the number of elements behind.
///
/// ## What happens to duplicates
///
/// An id names one element. ``append(_:)`` and ``insert(_:at:)`` leave out an element whose id is
/// taken, and tell so by their result; ``updateOrAppend(_:)`` replaces the old element. A change in
/// place that gives an element the id of another one is a mistake: it is reported, and the other
/// element is removed, as if it had been replaced.
public struct IdentifiedArray<ID: Hashable, Element> {
  /// The elements in order.
  @usableFromInline var storage: ContiguousArray<Element>
  /// The position of each element, by its id. It has as many entries as there are elements.
  @usableFromInline var positions: [ID: Int]
  /// A new stamp after every change of ``positions``: arrays with equal stamps have the same ids in
  /// the same order.
  @usableFromInline var stamp = Stamp()
  @usableFromInline let identify: (Element) -> ID
  /// Reads the identity of the state that an element is. It is set on lists that somebody may
  /// observe: there an element that becomes another state under the same id changes ``stamp``, too.
  @usableFromInline var elementIdentity: FieldIdentity?
  /// Notes which elements change; `nil` on lists whose elements have had no effects in flight.
  @usableFromInline var log: ElementLog<ID>?

  @inlinable
  init(
    storage: ContiguousArray<Element>, positions: [ID: Int], identify: @escaping (Element) -> ID
  ) {
    self.storage = storage
    self.positions = positions
    self.identify = identify
  }

  // MARK: Finding

  /// The number of elements.
  @inlinable
  public var count: Int { storage.count }

  /// The elements, in order, as an array.
  public var elements: [Element] { Array(storage) }

  /// The ids, in the order of their elements. Looking an id up in them takes constant time.
  public var ids: IDs { IDs(array: self) }

  /// The position of the element with an id. Takes constant time.
  @inlinable
  public func index(id: ID) -> Int? {
    positions[id]
  }

  /// Whether there is an element with the same id as this one.
  @inlinable
  public func contains(_ element: Element) -> Bool {
    positions[identify(element)] != nil
  }

  /// The element with an id.
  ///
  /// Reading takes constant time, and so does changing the element in place. Writing `nil` removes
  /// the element; writing an element where there is none appends it.
  ///
  /// An element that is written under an id other than its own is reported and not written.
  @inlinable
  public subscript(id id: ID) -> Element? {
    get { positions[id].map { storage[$0] } }
    _modify {
      guard let position = positions[id] else {
        var new: Element?
        yield &new
        if let new { appendWritten(new, under: id) }
        return
      }
      // The element is moved to the last place and taken out of the array while it is changed. So
      // the change copies nothing that the element shares with the array.
      let identity = identity(at: position)
      storage.swapAt(position, storage.count - 1)
      var element: Element? = storage.removeLast()
      defer { takeBack(element, at: position, id, identity) }
      yield &element
    }
  }

  @usableFromInline
  mutating func takeBack(
    _ element: consuming Element?, at position: Int, _ id: ID, _ identity: ObservableStateID?
  ) {
    log?.note(id)
    if let element {
      storage.append(element)
      storage.swapAt(position, storage.count - 1)
      noteChange(at: position, from: identity)
      rekey(at: position, from: id)
    } else {
      if position < storage.count { storage.append(storage.remove(at: position)) }
      positions[id] = nil
      reindex(from: position)
    }
  }

  @usableFromInline
  mutating func appendWritten(_ element: Element, under id: ID) {
    guard identify(element) == id else {
      reportIssue(
        """
        An element with the id \(identify(element)) was written to an identified array under the id \
        \(id), and was left out. Write it under its own id, or use 'append(_:)'.
        """)
      return
    }
    append(element)
  }

  // MARK: Being observed

  /// The identity of the state that the element at a position is; `nil` where `elementIdentity` is
  /// not set.
  @inlinable
  @inline(__always)
  mutating func identity(at position: Int) -> ObservableStateID? {
    guard let elementIdentity else { return nil }
    return storage.withUnsafeMutableBufferPointer { elementIdentity($0.baseAddress! + position) }
  }

  /// Changes the stamp if the element at a position is another state than before.
  @inlinable
  @inline(__always)
  mutating func noteChange(at position: Int, from identity: ObservableStateID?) {
    if elementIdentity != nil, self.identity(at: position) != identity { stamp = Stamp() }
  }

  // MARK: Keeping the index

  /// Enters the element at a position under its present id, after a change that may have changed
  /// the id.
  @usableFromInline
  mutating func rekey(at position: Int, from oldID: ID) {
    let newID = identify(storage[position])
    guard newID != oldID else { return }
    stamp = Stamp()
    log?.note(newID)
    positions[oldID] = nil
    guard let other = positions.updateValue(position, forKey: newID) else { return }
    reportIssue(
      """
      A change in place gave an element of an identified array the id \(newID), which another \
      element has. The other element was removed. Ids must be distinct; leave them constant.
      """)
    storage.remove(at: other)
    reindex(from: other)
  }

  /// Enters all elements from a position on. The entries of those before it must be right.
  @usableFromInline
  mutating func reindex(from start: Int = 0) {
    stamp = Stamp()
    for position in start..<storage.count {
      positions[identify(storage[position])] = position
    }
  }

  /// Enters all elements, after code that does not know about their ids has changed them.
  @usableFromInline
  mutating func restoreIndex() {
    renewLog()
    positions.removeAll(keepingCapacity: true)
    reindex()
    guard positions.count != storage.count else { return }
    reportIssue(
      """
      A change in place gave elements of an identified array the id of another one. They were \
      removed. Ids must be distinct; leave them constant.
      """)
    let elements = storage
    removeAll(keepingCapacity: true)
    for element in elements { append(element) }
  }

  /// A description of an error in the index, or `nil`. Tests read it after every mutation.
  package var brokenInvariant: String? {
    guard positions.count == storage.count else {
      return "\(storage.count) elements, but \(positions.count) ids"
    }
    for (position, element) in storage.enumerated()
    where positions[identify(element)] != position {
      return "the element at \(position) is not found by its id \(identify(element))"
    }
    return nil
  }
}

/// An identified array of elements that are `Identifiable`.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

// @unchecked: `identify` reads an element and nothing else.
extension IdentifiedArray: @unchecked Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether both have equal elements in the same order.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.storage == rhs.storage
  }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage)
  }
}
