// Reads an enum's case and payload through the functions that the compiler emits for its type.

/// The three functions for enums at the end of every enum's value witness table. They tell the case
/// that a value is in, and give access to its payload in place.
///
/// Mirrors give the same answers, but take about a hundred times as long. The table's layout is
/// part of Swift's stable ABI: eight functions, size, stride, flags, extra inhabitants, then these.
struct EnumLayout: @unchecked Sendable {
  // @unchecked: refers to a type's metadata, which is immutable and immortal.
  private let metadata: UnsafeRawPointer
  private let witnesses: UnsafeRawPointer

  private typealias GetTag =
    @convention(c) (_ value: UnsafeRawPointer, _ metadata: UnsafeRawPointer) -> UInt32
  private typealias ProjectPayload =
    @convention(c) (_ value: UnsafeMutableRawPointer, _ metadata: UnsafeRawPointer) -> Void

  private static let word = MemoryLayout<UInt>.size
  private static var sizeOffset: Int { 8 * word }
  private static var flagsOffset: Int { 10 * word }
  private static var getTagOffset: Int { 10 * word + 8 }
  private static var projectPayloadOffset: Int { 11 * word + 8 }
  private static let hasEnumWitnesses: UInt32 = 1 << 21
  private static let enumKind = 0x201
  private static let optionalKind = 0x202

  /// The layout of a type; `nil` when it is not an enum, or where the toolchain lays tables out in another
  /// way.
  init?<Root>(_ type: Root.Type) {
    metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    let kind = metadata.load(as: Int.self)
    guard kind == Self.enumKind || kind == Self.optionalKind else { return nil }
    witnesses = metadata.load(fromByteOffset: -Self.word, as: UnsafeRawPointer.self)
    guard Self.isTable(witnesses, of: type) else { return nil }
  }

  /// Whether the value witness table of an enum is what this file takes it for. Then the size and the
  /// stride of the type are in it, before the flags.
  static func isTable<Root>(_ witnesses: UnsafeRawPointer, of type: Root.Type) -> Bool {
    witnesses.load(fromByteOffset: sizeOffset, as: Int.self) == MemoryLayout<Root>.size
      && witnesses.load(fromByteOffset: sizeOffset + word, as: Int.self)
        == MemoryLayout<Root>.stride
      && witnesses.load(fromByteOffset: flagsOffset, as: UInt32.self) & hasEnumWitnesses != 0
  }

  /// The number of the case that an enum is in. Cases with a payload come first, then those
  /// without, each in the order of declaration.
  func tag<Root>(of root: Root) -> UInt32 {
    withUnsafePointer(to: root) { tag(at: $0) }
  }

  /// The number of the case that the enum at a place in memory is in.
  func tag(at root: UnsafeRawPointer) -> UInt32 {
    witnesses.load(fromByteOffset: Self.getTagOffset, as: GetTag.self)(root, metadata)
  }

  /// The payload of an enum, as a type. The caller guarantees that the payload has the layout of
  /// this type, and that it is not in a box: neither the case nor the enum is `indirect`.
  func payload<Root, Payload>(of root: Root, as type: Payload.Type) -> Payload {
    let project = witnesses.load(
      fromByteOffset: Self.projectPayloadOffset, as: ProjectPayload.self)
    return withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer in
      // The copy is turned into a payload in its place, and then moved out of the buffer.
      let pointer = buffer.baseAddress!
      pointer.initialize(to: root)
      let raw = UnsafeMutableRawPointer(pointer)
      project(raw, metadata)
      return raw.bound(to: Payload.self).move()
    }
  }

  /// The names of the cases, those with a payload first; `nil` for a program without reflection
  /// metadata.
  var caseNames: [String]? {
    guard let records = FieldRecords(ofEnum: metadata) else { return nil }
    return (0..<records.count).compactMap { records[$0]?.name }
  }

  /// The type of a case's payload as it is stored in the enum. It is `nil` for a case without
  /// payload, for a case that keeps its payload in a box, and for a type that cannot be named at
  /// run time.
  ///
  /// For one labelled value it is the type of the value: a tuple of one element has the layout of
  /// its element.
  func inlinePayloadType(ofTag tag: UInt32) -> Any.Type? {
    guard let record = FieldRecords(ofEnum: metadata)?[tag], !record.isIndirect,
      let type = record.type(in: metadata)
    else { return nil }
    return Self.onlyElement(of: type) ?? type
  }

  /// The types of the payloads of all cases, by tag. See ``inlinePayloadType(ofTag:)``.
  var inlinePayloadTypes: [Any.Type?] {
    (0..<(FieldRecords(ofEnum: metadata)?.count ?? 0)).map(inlinePayloadType)
  }

  private static func onlyElement(of type: Any.Type) -> Any.Type? {
    let tuple = unsafeBitCast(type, to: UnsafeRawPointer.self)
    let tupleKind = 0x301
    guard tuple.load(as: Int.self) == tupleKind,
      tuple.load(fromByteOffset: word, as: Int.self) == 1
    else { return nil }
    return tuple.load(fromByteOffset: 3 * word, as: Any.Type.self)
  }
}

/// The names of the cases of an enum type, those with a payload first; `nil` for another type.
package func caseNames<Root>(of type: Root.Type) -> [String]? {
  EnumLayout(type)?.caseNames
}

/// A function that gives the place of a value's case among ``caseNames(of:)``; `nil` for another type.
package func caseNumber<Root>(of type: Root.Type) -> ((Root) -> Int)? {
  EnumLayout(type).map { layout in { Int(layout.tag(of: $0)) } }
}

/// The cases of an enum type, as its reflection metadata lists them: in the order of their tags.
private struct FieldRecords {
  private let descriptor: UnsafeRawPointer
  let count: UInt32

  private static let fieldsOffset = 16
  private static let countOffset = 12
  private static let headerSize = 16
  private static let recordSize = 12

  /// `nil` when the program was built without reflection metadata.
  init?(ofEnum metadata: UnsafeRawPointer) {
    let type = metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
    guard let fields = type.advanced(by: Self.fieldsOffset).relativeTarget else { return nil }
    descriptor = fields
    count = fields.load(fromByteOffset: Self.countOffset, as: UInt32.self)
  }

  subscript(tag: UInt32) -> FieldRecord? {
    guard tag < count else { return nil }
    return FieldRecord(address: descriptor + Self.headerSize + Int(tag) * Self.recordSize)
  }
}

private struct FieldRecord {
  let address: UnsafeRawPointer

  var name: String? {
    address.advanced(by: 8).relativeTarget.map {
      String(cString: $0.bound(to: CChar.self))
    }
  }

  var isIndirect: Bool { address.load(as: UInt32.self) & 1 != 0 }

  /// The type of the field. It may refer to the generic arguments of the enum with this metadata.
  func type(in metadata: UnsafeRawPointer) -> Any.Type? {
    guard let name = address.advanced(by: 4).relativeTarget else { return nil }
    let word = MemoryLayout<UInt>.size
    return _getTypeByMangledNameInContext(
      name.bound(to: UInt8.self), UInt(mangledLength(name)),
      genericContext: metadata.load(fromByteOffset: word, as: UnsafeRawPointer.self),
      genericArguments: metadata + 2 * word)
  }

  /// Mangled names end with a zero; a small byte in them begins a reference of four or eight bytes.
  private func mangledLength(_ name: UnsafeRawPointer) -> Int {
    var end = name
    while true {
      switch end.load(as: UInt8.self) {
      case 0: return end - name
      case 0x01...0x17: end += 5
      case 0x18...0x1F: end += 9
      default: end += 1
      }
    }
  }
}

extension UnsafeRawPointer {
  /// The address that the relative pointer at this address points to; `nil` if the pointer is zero.
  fileprivate var relativeTarget: UnsafeRawPointer? {
    let offset = load(as: Int32.self)
    return offset == 0 ? nil : self + Int(offset)
  }
}
