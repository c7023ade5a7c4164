// Adding, replacing, removing and reordering elements.

extension IdentifiedArray {
  // MARK: Adding

  /// Adds an element at the end, unless its id is taken. Takes amortized constant time.
  ///
  /// - Returns: Whether it was added, and the position of the element with this id.
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insertNew(element, at: storage.count)
  }

  /// Adds those elements at the end whose ids are not taken.
  @inlinable
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    reserveCapacity(count + elements.underestimatedCount)
    for element in elements { append(element) }
  }

  /// Adds an element before the one at a position, unless its id is taken.
  ///
  /// - Returns: Whether it was added, and the position of the element with this id.
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element, at index: Int) -> (inserted: Bool, index: Int) {
    insertNew(element, at: index)
  }

  @inlinable
  mutating func insertNew(_ element: Element, at index: Int) -> (inserted: Bool, index: Int) {
    let id = identify(element)
    if let position = positions[id] { return (false, position) }
    storage.insert(element, at: index)
    positions[id] = index
    log?.note(id)
    reindex(from: index + 1)
    return (true, index)
  }

  /// Makes room for so many elements.
  @inlinable
  public mutating func reserveCapacity(_ capacity: Int) {
    storage.reserveCapacity(capacity)
    positions.reserveCapacity(capacity)
  }

  // MARK: Replacing

  /// Replaces the element with the same id, or adds this one at the end.
  ///
  /// - Returns: The element that was replaced.
  @inlinable
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    updateOrInsert(element, at: storage.count).originalMember
  }

  /// Replaces the element with the same id, where it is, or adds this one at a position.
  @inlinable
  @discardableResult
  public mutating func updateOrInsert(
    _ element: Element, at index: Int
  ) -> (originalMember: Element?, index: Int) {
    guard let position = positions[identify(element)] else {
      _ = insertNew(element, at: index)
      return (nil, index)
    }
    let identity = identity(at: position)
    var replaced = element
    swap(&storage[position], &replaced)
    noteChange(at: position, from: identity)
    if log != nil { log?.note(identify(element)) }
    return (replaced, position)
  }

  /// Replaces the element at a position, which must have the same id.
  ///
  /// - Returns: The element that was replaced.
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element, at index: Int) -> Element {
    let replaced = storage[index]
    self[index] = element
    return replaced
  }

  // MARK: Removing

  /// Removes the element with an id, if there is one, and returns it.
  @inlinable
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    positions[id].map { remove(at: $0) }
  }

  /// Removes the element with the same id as this one, if there is one, and returns it.
  @inlinable
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    remove(id: identify(element))
  }

  /// Removes the element at a position.
  @inlinable
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    let removed = storage.remove(at: index)
    let id = identify(removed)
    positions[id] = nil
    log?.note(id)
    reindex(from: index)
    return removed
  }

  /// Removes the first element, which there must be.
  @inlinable
  @discardableResult
  public mutating func removeFirst() -> Element {
    remove(at: 0)
  }

  /// Removes so many elements at the beginning.
  @inlinable
  public mutating func removeFirst(_ count: Int) {
    removeSubrange(0..<count)
  }

  /// Removes the last element, which there must be.
  @inlinable
  @discardableResult
  public mutating func removeLast() -> Element {
    remove(at: storage.count - 1)
  }

  /// Removes so many elements at the end.
  @inlinable
  public mutating func removeLast(_ count: Int) {
    removeSubrange((storage.count - count)..<storage.count)
  }

  /// Removes the last element and returns it; `nil` where there is none.
  @inlinable
  public mutating func popLast() -> Element? {
    isEmpty ? nil : removeLast()
  }

  /// Removes the elements at the positions of a range.
  @inlinable
  public mutating func removeSubrange(_ bounds: Range<Int>) {
    for element in storage[bounds] {
      let id = identify(element)
      positions[id] = nil
      log?.note(id)
    }
    storage.removeSubrange(bounds)
    reindex(from: bounds.lowerBound)
  }

  /// Removes the elements at the positions of a range: `removeSubrange(2...)`.
  @inlinable
  public mutating func removeSubrange(_ bounds: some RangeExpression<Int>) {
    removeSubrange(bounds.relative(to: storage))
  }

  /// Removes the elements at some positions, such as an `IndexSet`.
  public mutating func remove(atOffsets offsets: some Sequence<Int>) {
    let unwanted = Set(offsets)
    var position = -1
    removeAll { _ in
      position += 1
      return unwanted.contains(position)
    }
  }

  /// Removes the elements that satisfy a condition.
  @inlinable
  public mutating func removeAll(where isUnwanted: (Element) throws -> Bool) rethrows {
    let count = storage.count
    // On an error the elements are those of before, in another order; they keep their ids.
    defer { if storage.count == count { reindex() } }
    try storage.removeAll(where: isUnwanted)
    guard storage.count < count else { return }
    positions.removeAll(keepingCapacity: true)
    reindex()
    renewLog()
  }

  /// Removes all elements.
  @inlinable
  public mutating func removeAll(keepingCapacity: Bool = false) {
    storage.removeAll(keepingCapacity: keepingCapacity)
    positions.removeAll(keepingCapacity: keepingCapacity)
    stamp = Stamp()
    renewLog()
  }

  // MARK: Reordering

  /// Moves the elements at some positions, such as an `IndexSet`, before the one at another position
  /// (counted before the move). They keep their order.
  public mutating func move(fromOffsets source: some Sequence<Int>, toOffset destination: Int) {
    let moved = Set(source)
    var order: [Int] = []
    order.reserveCapacity(count)
    order.append(contentsOf: (0..<destination).lazy.filter { !moved.contains($0) })
    order.append(contentsOf: moved.sorted())
    order.append(contentsOf: (destination..<count).lazy.filter { !moved.contains($0) })
    storage = ContiguousArray(order.map { storage[$0] })
    reindex()
  }

  /// Sorts the elements. Equal ones keep their order.
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    defer { reindex() }
    try storage.sort(by: areInIncreasingOrder)
  }

  /// Puts the elements into a random order.
  @inlinable
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    storage.shuffle(using: &generator)
    reindex()
  }

  /// Puts the elements into a random order.
  @inlinable
  public mutating func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Reverses the order of the elements.
  @inlinable
  public mutating func reverse() {
    storage.reverse()
    reindex()
  }

  /// Exchanges the elements at two positions.
  @inlinable
  public mutating func swapAt(_ first: Int, _ second: Int) {
    guard first != second else { return }
    storage.swapAt(first, second)
    positions[identify(storage[first])] = first
    positions[identify(storage[second])] = second
    stamp = Stamp()
  }

  /// The elements that satisfy a condition, in order.
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    var filtered = Self(storage: [], positions: [:], identify: identify)
    for element in storage where try isIncluded(element) { filtered.append(element) }
    return filtered
  }
}

extension IdentifiedArray where Element: Comparable {
  /// Sorts the elements. Equal ones keep their order.
  @inlinable
  public mutating func sort() {
    sort(by: <)
  }
}
