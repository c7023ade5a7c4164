// The digest of a state: a number that tells whether two states encode the same.

import Foundation

/// The digest of a value that encodes itself, the same in every process.
///
/// It is made of what the value encodes, by names and values. The order of keys, and that of the elements
/// of sets and dictionaries, make no difference. Nor does what is lost on the way through JSON: the zeros behind a
/// decimal number, the base of a URL, and the sign of zero. It finds accidents, and is no protection against
/// somebody who means to deceive.
///
/// Complexity: O(*n*) in what the value encodes.
enum StateDigest {
  static func of(_ value: some Encodable) throws -> UInt64 {
    try hash(value, DigestSize())
  }

  /// The digest, and how much it is made of: about the number of values in it.
  static func measured(_ value: some Encodable) throws -> (digest: UInt64, size: Int) {
    let size = DigestSize()
    return (try hash(value, size), size.count)
  }

  fileprivate static func hash(_ value: some Encodable, _ size: DigestSize) throws -> UInt64 {
    size.count += 1
    switch value {
    case let value as String:
      size.count += value.utf8.count / 64
      return text(value)
    case let value as any UnorderedElements: return try value.digest(size)
    // Encoders of JSON write these as one value, in a way of their own.
    case let value as URL: return text(value.absoluteString)
    case let value as Decimal: return text(value.description)
    // As one value, too: each byte of its own would take a hundred times as long.
    case let value as Data:
      size.count += value.count / 64
      return mix(value.withUnsafeBytes { fnv($0) }, 13)
    default:
      let node = DigestNode(size)
      try value.encode(to: DigestEncoder(node))
      return node.finished
    }
  }

  fileprivate static func text(_ text: String) -> UInt64 {
    mix(fnv(text.utf8), 1)
  }

  /// 64-bit FNV-1a, by Fowler, Noll and Vo.
  private static func fnv(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  fileprivate static func integer(_ number: some BinaryInteger) -> UInt64 {
    mix(UInt64(truncatingIfNeeded: number), number < 0 ? 3 : 2)
  }

  /// Mixes two numbers, in this order, by the finishing steps of SplitMix64.
  fileprivate static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var mixed = first &* 0x9E37_79B9_7F4A_7C15 &+ second
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A collection whose elements have no order of their own.
private protocol UnorderedElements {
  func digest(_ size: DigestSize) throws -> UInt64
}

/// Counts the values that a digest is made of.
private final class DigestSize {
  var count = 0
}

extension Set: UnorderedElements where Element: Encodable {
  fileprivate func digest(_ size: DigestSize) throws -> UInt64 {
    var sum: UInt64 = 0
    for element in self { sum &+= try StateDigest.hash(element, size) }
    return StateDigest.mix(sum, 4)
  }
}

extension Dictionary: UnorderedElements where Key: Encodable, Value: Encodable {
  fileprivate func digest(_ size: DigestSize) throws -> UInt64 {
    var sum: UInt64 = 0
    for (key, value) in self {
      sum &+= StateDigest.mix(
        try StateDigest.hash(key, size), try StateDigest.hash(value, size))
    }
    return StateDigest.mix(sum, 5)
  }
}

/// The parts that one value has encoded.
private final class DigestNode {
  enum Content {
    case nothing
    case value(UInt64)
    case keyed([(key: UInt64, node: DigestNode)])
    case unkeyed([DigestNode])
  }

  var content = Content.nothing
  let size: DigestSize

  init(_ size: DigestSize, _ content: Content = .nothing) {
    self.size = size
    self.content = content
    size.count += 1
  }

  var finished: UInt64 {
    switch content {
    case .nothing: return StateDigest.mix(0, 6)
    case .value(let value): return value
    case .keyed(let members):
      var sum: UInt64 = 0
      for (key, node) in members { sum &+= StateDigest.mix(key, node.finished) }
      return StateDigest.mix(sum, 7)
    case .unkeyed(let elements):
      var hash: UInt64 = 8
      for element in elements { hash = StateDigest.mix(hash, element.finished) }
      return hash
    }
  }

  func add(_ node: DigestNode, _ key: String) {
    var members: [(key: UInt64, node: DigestNode)] = []
    if case .keyed(let present) = content { members = present }
    content = .nothing
    members.append((StateDigest.text(key), node))
    content = .keyed(members)
  }

  func add(_ node: DigestNode) {
    var elements: [DigestNode] = []
    if case .unkeyed(let present) = content { elements = present }
    content = .nothing
    elements.append(node)
    content = .unkeyed(elements)
  }

  var count: Int {
    if case .unkeyed(let elements) = content { elements.count } else { 0 }
  }
}

private struct DigestEncoder: Encoder {
  let node: DigestNode
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ node: DigestNode) {
    self.node = node
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .keyed = node.content {} else { node.content = .keyed([]) }
    return KeyedEncodingContainer(DigestKeyedContainer<Key>(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .unkeyed = node.content {} else { node.content = .unkeyed([]) }
    return DigestUnkeyedContainer(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    DigestValueContainer(node: node)
  }
}

/// The digests of the values that encode themselves as one number or text.
private enum DigestLeaf {
  static func none() -> UInt64 { StateDigest.mix(0, 9) }
  static func of(_ value: Bool) -> UInt64 { StateDigest.mix(value ? 1 : 0, 10) }
  static func of(_ value: Double) -> UInt64 {
    StateDigest.mix(value == 0 ? 0 : value.bitPattern, 11)
  }
  static func of(_ value: Float) -> UInt64 {
    StateDigest.mix(value == 0 ? 0 : UInt64(value.bitPattern), 12)
  }
}

private struct DigestKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: DigestNode
  var codingPath: [any CodingKey] { [] }

  private func add(_ value: UInt64, _ key: Key) {
    node.add(DigestNode(node.size, .value(value)), key.stringValue)
  }

  func encodeNil(forKey key: Key) { add(DigestLeaf.none(), key) }
  func encode(_ value: Bool, forKey key: Key) { add(DigestLeaf.of(value), key) }
  func encode(_ value: String, forKey key: Key) { add(StateDigest.text(value), key) }
  func encode(_ value: Double, forKey key: Key) { add(DigestLeaf.of(value), key) }
  func encode(_ value: Float, forKey key: Key) { add(DigestLeaf.of(value), key) }
  func encode(_ value: some BinaryInteger & Encodable, forKey key: Key) {
    add(StateDigest.integer(value), key)
  }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    add(try StateDigest.hash(value, node.size), key)
  }

  private func nested(_ key: String, _ content: DigestNode.Content = .nothing) -> DigestEncoder {
    let child = DigestNode(node.size, content)
    node.add(child, key)
    return DigestEncoder(child)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key.stringValue).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested("super") }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }
}

private struct DigestUnkeyedContainer: UnkeyedEncodingContainer {
  let node: DigestNode
  var codingPath: [any CodingKey] { [] }
  var count: Int { node.count }

  private func add(_ value: UInt64) { node.add(DigestNode(node.size, .value(value))) }

  func encodeNil() { add(DigestLeaf.none()) }
  func encode(_ value: Bool) { add(DigestLeaf.of(value)) }
  func encode(_ value: String) { add(StateDigest.text(value)) }
  func encode(_ value: Double) { add(DigestLeaf.of(value)) }
  func encode(_ value: Float) { add(DigestLeaf.of(value)) }
  func encode(_ value: some BinaryInteger & Encodable) { add(StateDigest.integer(value)) }
  func encode(_ value: some Encodable) throws { add(try StateDigest.hash(value, node.size)) }

  private func nested() -> DigestEncoder {
    let child = DigestNode(node.size)
    node.add(child)
    return DigestEncoder(child)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }
}

private struct DigestValueContainer: SingleValueEncodingContainer {
  let node: DigestNode
  var codingPath: [any CodingKey] { [] }

  private func set(_ value: UInt64) { node.content = .value(value) }

  func encodeNil() { set(DigestLeaf.none()) }
  func encode(_ value: Bool) { set(DigestLeaf.of(value)) }
  func encode(_ value: String) { set(StateDigest.text(value)) }
  func encode(_ value: Double) { set(DigestLeaf.of(value)) }
  func encode(_ value: Float) { set(DigestLeaf.of(value)) }
  func encode(_ value: some BinaryInteger & Encodable) { set(StateDigest.integer(value)) }
  func encode(_ value: some Encodable) throws { set(try StateDigest.hash(value, node.size)) }
}
