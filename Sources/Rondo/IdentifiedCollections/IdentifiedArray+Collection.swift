// Identified arrays as collections, and their public interface.

extension IdentifiedArray: RandomAccessCollection, MutableCollection {
  @inlinable
  public var startIndex: Int { 0 }

  @inlinable
  public var endIndex: Int { storage.count }

  /// The element at a position. It can be changed in place, but should keep its id.
  @inlinable
  public subscript(position: Int) -> Element {
    _read { yield storage[position] }
    _modify {
      let id = identify(storage[position])
      let identity = identity(at: position)
      defer {
        noteChange(at: position, from: identity)
        rekey(at: position, from: id)
        if log != nil { log?.note(id) }
      }
      yield &storage[position]
    }
  }

  /// A part of the array, which can be sorted, or replaced as a whole.
  @inlinable
  public subscript(bounds: Range<Int>) -> Slice<IdentifiedArray> {
    get { Slice(base: self, bounds: bounds) }
    set {
      storage.replaceSubrange(bounds, with: newValue)
      restoreIndex()
    }
  }

  /// Lends the elements as a piece of memory, for algorithms that move them about: sorting, for
  /// example. Of elements that have the same id afterwards the first stays, and this is reported.
  @inlinable
  public mutating func withContiguousMutableStorageIfAvailable<Result>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    defer { restoreIndex() }
    return try storage.withContiguousMutableStorageIfAvailable(body)
  }

  @inlinable
  public func index(after index: Int) -> Int { index + 1 }

  @inlinable
  public func index(before index: Int) -> Int { index - 1 }

  /// Reorders the elements so that those that satisfy a condition come last.
  ///
  /// - Returns: The position of the first that satisfies it.
  @inlinable
  public mutating func partition(
    by belongsInSecondPartition: (Element) throws -> Bool
  ) rethrows -> Int {
    defer { reindex() }
    return try storage.partition(by: belongsInSecondPartition)
  }
}

extension IdentifiedArray: RangeReplaceableCollection
where Element: Identifiable, ID == Element.ID {
  /// Replaces some elements by others. Of the others those are left out whose ids are taken.
  public mutating func replaceSubrange(
    _ subrange: Range<Int>, with elements: some Collection<Element>
  ) {
    for element in storage[subrange] {
      positions[element.id] = nil
      log?.note(element.id)
    }
    var taken: Set<ID> = []
    let fresh = elements.filter { positions[$0.id] == nil && taken.insert($0.id).inserted }
    if log != nil { fresh.forEach { log?.note($0.id) } }
    storage.replaceSubrange(subrange, with: fresh)
    reindex(from: subrange.lowerBound)
  }
}

extension IdentifiedArray {
  /// The ids of an identified array, in order.
  public struct IDs: RandomAccessCollection {
    @usableFromInline
    enum Source {
      case array(IdentifiedArray)
      case literal([ID])
    }

    @usableFromInline let source: Source

    @usableFromInline
    init(array: IdentifiedArray) {
      source = .array(array)
    }

    @inlinable
    public var startIndex: Int { 0 }

    @inlinable
    public var endIndex: Int {
      switch source {
      case .array(let array): array.count
      case .literal(let ids): ids.count
      }
    }

    @inlinable
    public subscript(position: Int) -> ID {
      switch source {
      case .array(let array): array.identify(array.storage[position])
      case .literal(let ids): ids[position]
      }
    }

    /// Whether there is an element with this id. Takes constant time.
    @inlinable
    public func contains(_ id: ID) -> Bool {
      firstIndex(of: id) != nil
    }

    /// The position of the element with this id. Takes constant time.
    @inlinable
    public func firstIndex(of id: ID) -> Int? {
      switch source {
      case .array(let array): array.positions[id]
      case .literal(let ids): ids.firstIndex(of: id)
      }
    }
  }
}

/// Ids to compare those of an array with: `todos.ids == [1, 2]`.
extension IdentifiedArray.IDs: ExpressibleByArrayLiteral {
  public init(arrayLiteral ids: ID...) {
    source = .literal(ids)
  }
}

extension IdentifiedArray.IDs: Equatable {
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.elementsEqual(rhs)
  }
}

extension IdentifiedArray: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { storage.description }
  public var debugDescription: String {
    "IdentifiedArray<\(Element.self)>(\(Array(storage).debugDescription))"
  }
}

extension IdentifiedArray: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: storage, displayStyle: .collection)
  }
}
