// A set that keeps the order in which its elements were added.

/// Unique elements in an order.
///
/// Asking for an element takes constant time; removing one takes the time of moving those behind it.
public struct OrderedSet<Element: Hashable> {
  /// The elements in their order.
  public private(set) var elements: [Element] = []
  private var places: [Element: Int] = [:]

  /// Creates an empty set.
  public init() {}

  /// Creates a set of the elements of a sequence; of equal ones the first counts.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Creates a set of elements that are known to be unique; of equal ones the first counts.
  public init(uncheckedUniqueElements elements: some Sequence<Element>) {
    self.init(elements)
  }

  // MARK: Reading

  /// Whether an element is in the set.
  public func contains(_ element: Element) -> Bool { places[element] != nil }

  /// The place of an element.
  public func firstIndex(of element: Element) -> Int? { places[element] }

  /// The place of an element.
  public func lastIndex(of element: Element) -> Int? { places[element] }

  // MARK: Adding

  /// Adds an element behind the others, unless it is there.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    if let place = places[element] { return (false, place) }
    places[element] = elements.count
    elements.append(element)
    return (true, elements.count - 1)
  }

  /// Adds the elements that are not there behind the others.
  public mutating func append(contentsOf other: some Sequence<Element>) {
    for element in other { append(element) }
  }

  /// Adds an element at a place, unless it is there.
  @discardableResult
  public mutating func insert(_ element: Element, at index: Int) -> (inserted: Bool, index: Int) {
    if let place = places[element] { return (false, place) }
    elements.insert(element, at: index)
    renumber(from: index)
    return (true, index)
  }

  /// Adds an element behind the others, or puts it in the place of the equal one that is there.
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    guard let place = places.removeValue(forKey: element) else {
      append(element)
      return nil
    }
    places[element] = place
    defer { elements[place] = element }
    return elements[place]
  }

  // MARK: Removing

  /// Removes an element.
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    places[element].map { remove(at: $0) }
  }

  /// Removes the element at a place.
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    let element = elements.remove(at: index)
    places[element] = nil
    renumber(from: index)
    return element
  }

  /// Removes the first element. The set has to have one.
  @discardableResult
  public mutating func removeFirst() -> Element { remove(at: 0) }

  /// Removes the last element. The set has to have one.
  @discardableResult
  public mutating func removeLast() -> Element { remove(at: elements.count - 1) }

  /// Removes the elements that satisfy a condition.
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    self = Self(try elements.filter { try !isRemoved($0) })
  }

  /// Removes all elements.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    elements.removeAll(keepingCapacity: keepingCapacity)
    places.removeAll(keepingCapacity: keepingCapacity)
  }

  // MARK: Order

  /// Sorts the elements.
  public mutating func sort(by isBefore: (Element, Element) throws -> Bool) rethrows {
    try elements.sort(by: isBefore)
    renumber(from: 0)
  }

  /// Reverses the order.
  public mutating func reverse() {
    elements.reverse()
    renumber(from: 0)
  }

  /// Exchanges two elements.
  public mutating func swapAt(_ first: Int, _ second: Int) {
    elements.swapAt(first, second)
    places[elements[first]] = first
    places[elements[second]] = second
  }

  private mutating func renumber(from index: Int) {
    for place in index..<elements.count { places[elements[place]] = place }
  }

  // MARK: As a set

  /// The elements of both, those of this one first.
  public func union(_ other: some Sequence<Element>) -> Self {
    var union = self
    union.formUnion(other)
    return union
  }

  /// Adds the elements of another sequence.
  public mutating func formUnion(_ other: some Sequence<Element>) { append(contentsOf: other) }

  /// The elements of this set that are in the other as well.
  public func intersection(_ other: some Sequence<Element>) -> Self {
    let other = Set(other)
    return Self(elements.filter(other.contains))
  }

  /// The elements of this set that are not in the other.
  public func subtracting(_ other: some Sequence<Element>) -> Self {
    let other = Set(other)
    return Self(elements.filter { !other.contains($0) })
  }

  /// Removes the elements of another sequence.
  public mutating func subtract(_ other: some Sequence<Element>) { self = subtracting(other) }

  /// Whether all elements are in the other.
  public func isSubset(of other: Self) -> Bool { elements.allSatisfy(other.contains) }

  /// The same elements without their order.
  public var unordered: Set<Element> { Set(elements) }
}

extension OrderedSet where Element: Comparable {
  /// Sorts the elements.
  public mutating func sort() { sort(by: <) }
}

extension OrderedSet: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Element { elements[position] }
}

extension OrderedSet: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.elements == rhs.elements }
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension OrderedSet: Sendable where Element: Sendable {}

extension OrderedSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension OrderedSet: CustomStringConvertible, CustomReflectable {
  public var description: String { elements.description }
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .set) }
}

extension OrderedSet: Codable where Element: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }

  public func encode(to encoder: any Encoder) throws {
    try elements.encode(to: encoder)
  }
}
