// The bytes of a value that tell whether it prints the same.

import Foundation
import Synchronization

@_spi(Reflection) import Swift

/// The bytes of values of one type that can make their prints differ.
///
/// The bytes between fields are left out, since a copy of a value does not have them, and so is what is
/// never printed: observers and redacted values. What is not known is taken whole.
package final class ComparedBytes: Sendable {
  private let ranges: [Range<Int>]
  /// Optional fields whose values have bytes that do not matter.
  private let optionals: [OptionalField]
  private let size: Int

  private struct OptionalField: Sendable {
    let offset: Int
    let type: Unchecked<any ComparedOptional.Type>
    let value: ComparedBytes
  }

  private static let known = Mutex<[ObjectIdentifier: ComparedBytes]>([:])

  /// The bytes of a type.
  ///
  /// Complexity: O(1) but for the first time.
  package static func of<Value>(_ type: Value.Type) -> ComparedBytes {
    let id = ObjectIdentifier(type)
    if let bytes = known.withLock({ $0[id] }) { return bytes }
    let bytes = ComparedBytes(type)
    known.withLock { $0[id] = bytes }
    return bytes
  }

  private struct Whole<Value> {
    var value: Value
  }

  private init<Value>(_ type: Value.Type) {
    var fields = Fields()
    // The kind of a type is only told of a field of it.
    if !fields.add(fieldsOf: Whole<Value>.self, at: 0) { fields.add(whole: type, at: 0) }
    ranges = fields.merged
    optionals = fields.optionals
    size = MemoryLayout<Value>.size
  }

  /// Whether these are all bytes of a value.
  private var isWhole: Bool {
    optionals.isEmpty && (ranges == [0..<size] || size == 0)
  }

  private struct Fields {
    var ranges: [Range<Int>] = []
    var optionals: [OptionalField] = []

    var merged: [Range<Int>] {
      ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
        .reduce(into: []) { merged, range in
          if let last = merged.last, last.upperBound >= range.lowerBound {
            merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
          } else {
            merged.append(range)
          }
        }
    }

    /// Adds what is stored in a structure or a tuple. Returns whether it is known.
    mutating func add(fieldsOf type: Any.Type, at start: Int) -> Bool {
      var isKnown = false
      _ = _forEachField(of: type) { _, offset, type, kind in
        add(type, kind, at: start + offset)
        isKnown = true
        return true
      }
      return isKnown
    }

    mutating func add(_ type: Any.Type, _ kind: _MetadataKind, at offset: Int) {
      let traits = TypeTraits.of(type: type)
      if traits.isRegistrar { return }
      if let type = type as? any PrintedByValue.Type, let bytes = type.printedBytes {
        return ranges.append(offset + bytes.lowerBound..<offset + bytes.upperBound)
      }
      if traits.isOptional, let type = type as? any ComparedOptional.Type {
        let value = type.wrappedBytes
        if value.isWhole {
          add(whole: type, at: offset)
        } else {
          optionals.append(OptionalField(offset: offset, type: Unchecked(type), value: value))
        }
        return
      }
      // A structure whose fields are not known, such as one of C, is taken whole, and so is one that is
      // printed in another way.
      let isTakenApart = kind == .struct && traits.isReflectedPlainly || kind == .tuple
      if !isTakenApart || !add(fieldsOf: type, at: offset) { add(whole: type, at: offset) }
    }

    /// Adds all bytes. Some of those of an enum may have no meaning. Where they differ, equal values count
    /// as different ones, which costs time and is not wrong.
    mutating func add(whole type: Any.Type, at offset: Int) {
      func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
      ranges.append(offset..<offset + size(type))
    }
  }

  // MARK: Comparing

  // The pointers below are to values of this type, which the callers own while they are compared.

  /// Whether two values have the same bytes.
  func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { areEqual(UnsafeRawPointer(left), UnsafeRawPointer($0)) }
    }
  }

  /// Whether two elements have the same bytes. The indices are those of elements.
  package func areEqual<Value>(
    in left: UnsafeBufferPointer<Value>, _ leftIndex: Int,
    in right: UnsafeBufferPointer<Value>, _ rightIndex: Int
  ) -> Bool {
    assert(left.indices.contains(leftIndex) && right.indices.contains(rightIndex))
    guard let left = left.baseAddress, let right = right.baseAddress else { return false }
    return areEqual(UnsafeRawPointer(left + leftIndex), UnsafeRawPointer(right + rightIndex))
  }

  /// A number that elements with the same bytes have in common.
  func hash<Value>(in elements: UnsafeBufferPointer<Value>, _ index: Int) -> Int {
    assert(elements.indices.contains(index))
    var hasher = Hasher()
    guard let base = elements.baseAddress else { return 0 }
    hash(UnsafeRawPointer(base + index), into: &hasher)
    return hasher.finalize()
  }

  private func hash(_ value: UnsafeRawPointer, into hasher: inout Hasher) {
    for range in ranges {
      hasher.combine(
        bytes: UnsafeRawBufferPointer(start: value + range.lowerBound, count: range.count))
    }
    for field in optionals {
      let isNil = field.type.value.isNil(at: value + field.offset)
      hasher.combine(isNil)
      if !isNil { field.value.hash(value + field.offset, into: &hasher) }
    }
  }

  private func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    for range in ranges
    where memcmp(left + range.lowerBound, right + range.lowerBound, range.count) != 0 {
      return false
    }
    for field in optionals {
      let (left, right) = (left + field.offset, right + field.offset)
      let isNil = field.type.value.isNil(at: left)
      guard isNil == field.type.value.isNil(at: right) else { return false }
      // The value of an optional stands at its beginning.
      guard isNil || field.value.areEqual(left, right) else { return false }
    }
    return true
  }
}

protocol ComparedOptional {
  /// The bytes of the value in an optional.
  static var wrappedBytes: ComparedBytes { get }

  /// Whether the optional at a place in memory holds no value. An optional of this type must be there.
  static func isNil(at place: UnsafeRawPointer) -> Bool
}

extension Optional: ComparedOptional {
  static var wrappedBytes: ComparedBytes { ComparedBytes.of(Wrapped.self) }

  static func isNil(at place: UnsafeRawPointer) -> Bool {
    if case .none = place.bound(to: Self.self).pointee { true } else { false }
  }
}
