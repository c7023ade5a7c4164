// Making identified arrays.

import RondoScheduling

extension IdentifiedArray {
  /// An empty array of elements that are identified by a property.
  @inlinable
  public init(id: KeyPath<Element, ID>) {
    self.init(storage: [], positions: [:], identify: { $0[keyPath: id] })
  }

  /// An array of elements that are identified by a property, in order.
  ///
  /// Of elements with the same id only the first is taken, which is reported.
  public init(
    uniqueElements elements: some Sequence<Element>,
    id: KeyPath<Element, ID>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(id: id)
    appendUnique(elements, SourcePosition(fileID, filePath, line, column))
  }

  /// An array of elements that are identified by a property, in order.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - id: The property that is the id.
  ///   - combine: Makes one element of two with the same id: the one that came first, and the
  ///     other.
  public init(
    _ elements: some Sequence<Element>,
    id: KeyPath<Element, ID>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    self.init(id: id)
    try append(elements, uniquingIDsWith: combine)
  }

  /// The spelling for elements that are known to have distinct ids. They are checked all the same.
  @inlinable
  public init(
    uncheckedUniqueElements elements: some Sequence<Element>,
    id: KeyPath<Element, ID>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      uniqueElements: elements, id: id,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// - Parameter position: The place of the code that makes the array.
  private mutating func appendUnique(
    _ elements: some Sequence<Element>, _ position: SourcePosition
  ) {
    reserveCapacity(elements.underestimatedCount)
    for element in elements where !append(element).inserted {
      reportIssue(
        """
        An identified array of \(typeName(Element.self)) was made of elements of which two have the \
        id \(identify(element)); the second was left out. Use 'init(_:uniquingIDsWith:)' to say what to do with duplicates.
        """,
        at: position)
    }
  }

  private mutating func append(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    reserveCapacity(elements.underestimatedCount)
    for element in elements {
      guard let position = positions[identify(element)] else {
        append(element)
        continue
      }
      self[position] = try combine(storage[position], element)
    }
  }
}

extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// An empty array.
  @inlinable
  public init() {
    self.init(storage: [], positions: [:], identify: { $0.id })
  }

  /// An array of elements, in order.
  ///
  /// Of elements with the same id only the first is taken, which is reported.
  @inlinable
  public init(
    uniqueElements elements: some Sequence<Element>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init()
    _appendUnique(elements, SourcePosition(fileID, filePath, line, column))
  }

  /// An array of elements, in order.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - combine: Makes one element of two with the same id: the one that came first, and the
  ///     other.
  public init(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    self.init()
    try append(elements, uniquingIDsWith: combine)
  }

  /// The elements of another array.
  @inlinable
  public init(_ elements: Self) {
    self = elements
  }

  /// The spelling for elements that are known to have distinct ids. They are checked all the same.
  @inlinable
  public init(
    uncheckedUniqueElements elements: some Sequence<Element>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      uniqueElements: elements, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  @usableFromInline
  mutating func _appendUnique(_ elements: some Sequence<Element>, _ position: SourcePosition) {
    appendUnique(elements, position)
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init(uniqueElements: elements)
  }
}
