// The states of a stack of features.

/// The features on a navigation stack, bottom first.
///
/// ```swift
/// var path = StackState<Path.State>()
///
/// state.path.append(.detail(Detail.State(id: 3)))
/// state.path[id: id]?.isFavorite = true
/// state.path.pop(from: id)
/// ```
///
/// Every element gets an id when it is added. A stack counts its ids from zero, and gives each id
/// once. In a `TestStore` all stacks count together, so that a test knows the ids.
public struct StackState<Element> {
  var entries: IdentifiedArrayOf<StackEntry<Element>> = []
  private var nextID = 0

  /// An empty stack.
  public init() {}

  /// The ids of the elements, bottom first.
  public var ids: [StackElementID] { Array(entries.ids) }

  /// The element with an id. It can be changed in place. Writing `nil` removes this element only.
  /// Writing to an id that no element has does nothing and is reported, except in a test: there it
  /// adds the element that is expected under that id, `$0.path[id: 0] = .detail(Detail.State())`.
  public subscript(id id: StackElementID) -> Element? {
    get { entries[id: id]?.element }
    _modify {
      guard let index = entries.index(id: id) else {
        var nobody: Element?
        yield &nobody
        guard let nobody else { return }
        if isTesting {
          _ = push(nobody, under: id)
        } else {
          reportIssue("An element was written to a stack under the id \(id), which no element has.")
        }
        return
      }
      defer { if entries[index].element == nil { entries.remove(at: index) } }
      yield &entries[index].element
    }
  }

  /// Removes an element and all that lie above it.
  public mutating func pop(from id: StackElementID) {
    guard let index = entries.index(id: id) else { return }
    entries.removeLast(entries.count - index)
  }

  /// Removes all elements that lie above one.
  public mutating func pop(to id: StackElementID) {
    guard let index = entries.index(id: id) else { return }
    entries.removeLast(entries.count - index - 1)
  }

  /// Adds an element on top, under an id that was chosen for it.
  ///
  /// - Returns: Whether the id was free.
  mutating func push(_ element: Element, under id: StackElementID) -> Bool {
    guard entries.append(StackEntry(id: id, element: element)).inserted else { return false }
    // An id that was decoded may be the last number.
    nextID = Swift.max(nextID, id.number &+ 1)
    StackNumbers.current?.skip(past: id.number)
    return true
  }

  /// The number that the next element gets, in a test that numbers elements.
  var nextNumberInTest: Int? {
    StackNumbers.current.map { Swift.max($0.next, nextID) }
  }

  fileprivate mutating func makeEntry(_ element: Element) -> StackEntry<Element> {
    let number = StackNumbers.current?.take(after: nextID) ?? nextID
    nextID = number &+ 1
    return StackEntry(id: StackElementID(number: number), element: element)
  }
}

/// An element of a stack.
struct StackEntry<Element>: Identifiable {
  let id: StackElementID
  /// `nil` only while it is being changed.
  var element: Element?
  /// The stamp of the addition. An element with the same id from another stack has another one.
  let addition = Stamp()
}

/// The id of an element of a stack: its number in the order in which the elements were added.
///
/// Tests write it as a number: `state.path[id: 0]`.
public struct StackElementID: Hashable, Sendable, Codable {
  let number: Int
}

extension StackElementID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int) {
    number = value
  }
}

extension StackElementID: CustomStringConvertible {
  public var description: String { "#\(number)" }
}

extension StackElementID: CustomDumpStringConvertible {
  public var customDumpDescription: String { description }
}

extension StackState: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { entries.count }
  public func index(after index: Int) -> Int { index + 1 }
  public func index(before index: Int) -> Int { index - 1 }

  /// The element at a position, counted from the bottom.
  public subscript(position: Int) -> Element {
    get { entries[position].element! }
    _modify { yield &entries[position].element! }
  }

  public mutating func replaceSubrange(
    _ subrange: Range<Int>, with elements: some Collection<Element>
  ) {
    entries.replaceSubrange(subrange, with: elements.map { makeEntry($0) })
  }

  /// Removes all elements. Their ids are not given again.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    entries.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Removes the elements that satisfy a condition. The others keep their ids.
  public mutating func removeAll(where isUnwanted: (Element) throws -> Bool) rethrows {
    try entries.removeAll { try isUnwanted($0.element!) }
  }
}

// Elements that are moved take their ids with them, and so keep their effects and their stores.
extension StackState {
  /// Exchanges the elements at two positions.
  public mutating func swapAt(_ first: Int, _ second: Int) {
    entries.swapAt(first, second)
  }

  /// Reverses the order of the elements.
  public mutating func reverse() {
    entries.reverse()
  }

  /// Sorts the elements. Equal ones keep their order.
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    try entries.sort { try areInIncreasingOrder($0.element!, $1.element!) }
  }

  /// Puts the elements into a random order.
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    entries.shuffle(using: &generator)
  }

  /// Puts the elements into a random order.
  public mutating func shuffle() {
    entries.shuffle()
  }

  /// The elements that satisfy a condition, in order, under the ids that they have.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    var filtered = self
    try filtered.removeAll { try !isIncluded($0) }
    return filtered
  }
}

extension StackState where Element: Comparable {
  /// Sorts the elements. Equal ones keep their order.
  public mutating func sort() {
    sort(by: <)
  }
}

extension StackState: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension StackState: Equatable where Element: Equatable {
  /// Whether both have equal elements under the same ids in the same order.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.entries.elementsEqual(rhs.entries) { $0.id == $1.id && $0.element == $1.element }
  }
}

extension StackState: Hashable where Element: Hashable {
  public func hash(into hasher: inout Hasher) {
    for entry in entries {
      hasher.combine(entry.id)
      hasher.combine(entry.element)
    }
  }
}

extension StackEntry: Sendable where Element: Sendable {}
extension StackState: Sendable where Element: Sendable {}

extension StackState: Decodable where Element: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Element].self))
  }
}

extension StackState: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Array(self))
  }
}

extension StackState: CustomStringConvertible, CustomReflectable {
  public var description: String { Array(self).description }

  public var customMirror: Mirror {
    Mirror(
      self, unlabeledChildren: entries.map { (key: $0.id, value: $0.element!) },
      displayStyle: .dictionary)
  }
}
