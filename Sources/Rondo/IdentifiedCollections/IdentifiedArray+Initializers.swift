// Making identified arrays.

extension IdentifiedArray {
  /// An empty array of elements that are identified by a property.
  @inlinable
  public init(id: KeyPath<Element, ID>) {
    self.init(storage: [], positions: [:], identify: { $0[keyPath: id] })
  }

  /// An array of elements that are identified by a property, in order.
  ///
  /// Of elements with the same id only the first is taken, which is reported.
  public init(uniqueElements elements: some Sequence<Element>, id: KeyPath<Element, ID>) {
    self.init(id: id)
    appendUnique(elements)
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
  public init(uncheckedUniqueElements elements: some Sequence<Element>, id: KeyPath<Element, ID>) {
    self.init(uniqueElements: elements, id: id)
  }

  private mutating func appendUnique(_ elements: some Sequence<Element>) {
    reserveCapacity(elements.underestimatedCount)
    for element in elements where !append(element).inserted {
      reportIssue(
        """
        An identified array was made of elements of which two have the id \(identify(element)); the \
        second was left out. Use 'init(_:uniquingIDsWith:)' to say what to do with duplicates.
        """)
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
  public init(uniqueElements elements: some Sequence<Element>) {
    self.init()
    _appendUnique(elements)
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
  public init(uncheckedUniqueElements elements: some Sequence<Element>) {
    self.init(uniqueElements: elements)
  }

  @usableFromInline
  mutating func _appendUnique(_ elements: some Sequence<Element>) {
    appendUnique(elements)
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init(uniqueElements: elements)
  }
}
