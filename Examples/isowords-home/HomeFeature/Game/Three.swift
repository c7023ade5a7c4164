// Exactly three of something. The type is the size check: no cube can lack a layer.

/// Three elements, written in JSON as an array of three.
public struct Three<Element> {
  /// The element at 0.
  public var first: Element
  /// The element at 1.
  public var second: Element
  /// The element at 2.
  public var third: Element

  /// Three elements, in order.
  public init(_ first: Element, _ second: Element, _ third: Element) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// Makes each element from its index, 0 to 2.
  public init(_ element: (Int) throws -> Element) rethrows {
    self.init(try element(0), try element(1), try element(2))
  }

  /// The element at an index from 0 to 2; any other index traps.
  public subscript(index: Int) -> Element {
    get {
      switch index {
      case 0: first
      case 1: second
      case 2: third
      default: preconditionFailure("Three has the indices 0, 1 and 2, not \(index).")
      }
    }
    set {
      switch index {
      case 0: first = newValue
      case 1: second = newValue
      case 2: third = newValue
      default: preconditionFailure("Three has the indices 0, 1 and 2, not \(index).")
      }
    }
  }
}

extension Three: Equatable where Element: Equatable {}
extension Three: Sendable where Element: Sendable {}

extension Three: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(first)
    try container.encode(second)
    try container.encode(third)
  }
}

extension Three: Decodable where Element: Decodable {
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    if let count = container.count, count != 3 {
      // The path is that of the array, not of the element that the container stands on.
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "expected three elements, found \(count)"
        )
      )
    }
    try self.init { _ in try container.decode(Element.self) }
  }
}
