// A printed value, as a tree.

import Foundation

/// A value as it was printed: a leaf with a text, or a type with named parts.
///
/// As JSON a leaf is `{"value":"\"Blob\""}`, a value with parts
/// `{"type":"Match","kind":"struct","children":[["name",{"value":"\"Blob\""}]]}`, a case of an enum
/// that carries something has its name as `"case"` besides, and what was kept out is
/// `{"redacted":true}`. The value of a `@Shared` member has `"shared":true`, that of a `@SharedReader`
/// has `"reader":true` besides, and one with a key `"keyed":true`.
///
/// Three more marks are for tests that are written from a recording. `"equatable":false` stands at what an action
/// carries and cannot be compared, `"casePathable":false` at a case that no case path leads to, and `"optional":true`
/// at a value with parts that is in an optional.
///
/// No mark is in the digest, and neither is the type of a stack or of a leaf.
public struct RecordedNode: Hashable, Sendable {
  /// The kind of a value that has parts.
  public enum Kind: String, Decodable, Sendable {
    /// A structure.
    case `struct`
    /// An object.
    case `class`
    /// An enum in a case that carries something.
    case `enum`
    /// A collection whose elements have positions.
    case collection
    /// A dictionary.
    case dictionary
    /// A set.
    case set
    /// A tuple.
    case tuple
  }

  /// A part, with its name: a property, the number of an element from 0, the text of a key or of an
  /// element of a set. The names of one node's children differ.
  public struct Child: Hashable, Sendable {
    /// The name of the part.
    public var name: String
    /// The value of the part.
    public var node: RecordedNode

    /// A part with a name.
    public init(_ name: String, _ node: RecordedNode) {
      self.name = name
      self.node = node
    }
  }

  /// The name of the type; `nil` for tuples, collections other than stacks, and leaves that are no errors, decimal
  /// numbers, or cases called as those of an optional.
  public var type: String?
  /// The kind of a value with parts; `nil` for a leaf.
  public var kind: Kind?
  /// The name of the case, for an enum that carries something.
  public var `case`: String?
  /// The parts, in order; empty for a leaf.
  public var children: [Child] = []
  /// The text of a leaf.
  public var value: String?
  /// Whether the value was kept out of the recording.
  public var isRedacted = false
  /// Whether the value is that of a `@Shared` member.
  public var isShared = false
  /// Whether the value is that of a `@SharedReader` member, which is shared, too.
  public var isReader = false
  /// Whether the shared value has a key.
  public var isKeyed = false
  /// Whether the value is in an optional; said of those that have parts.
  public var isOptional = false
  /// Whether the value can be compared; `false` is only said of what an action carries.
  public var isEquatable = true
  /// Whether case paths lead to the cases of the enum; `false` is only said of actions, and of what they carry.
  public var isCasePathable = true

  /// A leaf.
  public init(_ value: String) {
    self.value = value
  }

  /// A value with parts.
  public init(type: String? = nil, kind: Kind, case: String? = nil, children: [Child]) {
    self.type = type
    self.kind = kind
    self.case = `case`
    self.children = children
  }

  private init() {}

  /// A value that was kept out.
  public static let redacted = {
    var node = RecordedNode()
    node.isRedacted = true
    return node
  }()

  /// The part of the given name; `nil` where there is none.
  public subscript(name: String) -> RecordedNode? {
    children.first { $0.name == name }?.node
  }

  /// The value at a path of names; `nil` where there is none.
  public subscript(path: some Collection<String>) -> RecordedNode? {
    var node = self
    for name in path {
      guard let child = node[name] else { return nil }
      node = child
    }
    return node
  }
}

extension RecordedNode: Decodable {
  private enum CodingKeys: CodingKey {
    case type, kind, `case`, children, value, redacted, shared, reader, keyed, equatable,
      casePathable,
      optional
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    type = try container.decodeIfPresent(String.self, forKey: .type)
    kind = try container.decodeIfPresent(Kind.self, forKey: .kind)
    `case` = try container.decodeIfPresent(String.self, forKey: .case)
    children = try container.decodeIfPresent([Child].self, forKey: .children) ?? []
    value = try container.decodeIfPresent(String.self, forKey: .value)
    isRedacted = try container.decodeIfPresent(Bool.self, forKey: .redacted) ?? false
    isShared = try container.decodeIfPresent(Bool.self, forKey: .shared) ?? false
    isReader = try container.decodeIfPresent(Bool.self, forKey: .reader) ?? false
    isKeyed = try container.decodeIfPresent(Bool.self, forKey: .keyed) ?? false
    isOptional = try container.decodeIfPresent(Bool.self, forKey: .optional) ?? false
    isEquatable = try container.decodeIfPresent(Bool.self, forKey: .equatable) ?? true
    isCasePathable = try container.decodeIfPresent(Bool.self, forKey: .casePathable) ?? true
  }
}

extension RecordedNode.Child: Decodable {
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    name = try container.decode(String.self)
    node = try container.decode(RecordedNode.self)
  }
}

// MARK: - Digest and text

extension RecordedNode {
  /// 64-bit FNV-1a, by Fowler, Noll and Vo, of the tree, as 16 hexadecimal digits. It finds accidents,
  /// not forgeries.
  ///
  /// The bytes are, for every node in order: its type if it is a struct, a class or an enum, kind,
  /// case and value, each followed by a zero byte, then `1` where it is redacted and `0` elsewhere, the
  /// number of its children in decimal and a zero byte; then, for every child, its name, a zero byte
  /// and its node.
  public var digest: String {
    var hash = FowlerNollVo()
    add(to: &hash)
    return hash.digits
  }

  /// Adds the bytes that the digest is made of.
  func add(to hash: inout some DigestBytes) {
    addHead(to: &hash)
    for child in children {
      hash.add(child.name)
      child.node.add(to: &hash)
    }
  }

  /// Adds the bytes that stand before those of the children.
  func addHead(to hash: inout some DigestBytes) {
    hash.add(hasTypeInDigest ? type : nil)
    hash.add(kind?.rawValue)
    hash.add(`case`)
    hash.add(value)
    hash.add(UInt8(ascii: isRedacted ? "1" : "0"))
    // Most nodes are leaves.
    hash.add(children.isEmpty ? "0" : "\(children.count)")
  }

  private var hasTypeInDigest: Bool {
    switch kind {
    case .struct, .class, .enum: true
    case .collection, .dictionary, .set, .tuple, nil: false
    }
  }

  /// The value in one line, such as `.loaded(Match(name: "Blob"))`.
  ///
  /// - Parameter limit: The greatest number of characters of a value that is shown whole. Of a longer
  ///   leaf the beginning is shown, with `…`. Of a longer value with parts only the type, the name of the
  ///   case or the number of elements is shown: `Match(…)`, `.loaded(…)`, `[… 3]`.
  public func summary(limit: Int = 100) -> String {
    if let text = text(limit) { return text }
    guard let kind else { return String((value ?? "").prefix(limit)) + "…" }
    switch kind {
    case .struct, .class: return "\(type ?? "")(…)"
    case .enum: return ".\(`case` ?? "")(…)"
    case .tuple: return "(…)"
    case .collection, .dictionary, .set: return "[… \(children.count)]"
    }
  }

  private func text(_ limit: Int) -> String? {
    guard limit > 0 else { return nil }
    guard let kind else {
      let text = isRedacted ? "<redacted>" : value ?? ""
      return text.hasAtMost(limit) ? text : nil
    }
    var text =
      switch kind {
      case .struct, .class: "\(type ?? "")("
      case .enum: ".\(`case` ?? "")("
      case .tuple: "("
      case .collection, .dictionary: "["
      case .set: "Set(["
      }
    for (index, child) in children.enumerated() {
      if index > 0 { text += ", " }
      let isNamed = kind == .dictionary || kind != .collection && kind != .set
      // The values of a tuple or case without labels are called "0", "1".
      if isNamed, child.name != "\(index)" { text += child.name + ": " }
      guard let part = child.node.text(limit - text.count) else { return nil }
      text += part
    }
    if kind == .dictionary, children.isEmpty { text += ":" }
    text += kind == .collection || kind == .dictionary ? "]" : kind == .set ? "])" : ")"
    return text.hasAtMost(limit) ? text : nil
  }
}

extension String {
  /// Whether the text has no more characters than a limit. Bytes are counted faster.
  fileprivate func hasAtMost(_ limit: Int) -> Bool {
    utf8.count <= limit || count <= limit
  }
}

/// Bytes that a digest is made of.
protocol DigestBytes {
  mutating func add(_ byte: UInt8)
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>)
}

extension DigestBytes {
  /// Adds a text with a zero byte behind it.
  mutating func add(_ text: String?) {
    if var text, !text.isEmpty { text.withUTF8 { add($0) } }
    add(0)
  }
}

/// 64-bit FNV-1a, by Fowler, Noll and Vo.
struct FowlerNollVo: DigestBytes {
  private static let prime: UInt64 = 0x0000_0100_0000_01b3
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The value, as 16 hexadecimal digits.
  var digits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* Self.prime
  }

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    var value = value
    for byte in bytes { value = (value ^ UInt64(byte)) &* Self.prime }
    self.value = value
  }
}
