// Properties of types that decide how their values are printed.

import Foundation
import RondoAnimation
import Synchronization

/// Properties of a type that do not change, and take long to find out. They are kept for every type
/// that has been printed.
package final class TypeTraits: Sendable {
  /// The types whose values are printed by other means than their parts.
  enum Leaf {
    case integer, bool, double, string
    /// A value of the standard libraries whose insides say less than its description.
    case described
    /// A number of another type.
    case number
    /// None of them, or one that only the value itself tells, such as a key path.
    case none
  }

  /// The name of the type, as it is written inside of its module: `Picker<Home.Item>.State`.
  package let qualifiedName: String
  /// The name for people, which is shorter for a generic type that is in no other: `Page<Item>` for `Page<Home.Item>`.
  package let name: String
  /// Whether the value is that of a `@Shared` member.
  package let isShared: Bool
  package let isOptional: Bool
  let isRepresentable: Bool
  let isDescribed: Bool
  let isReflectable: Bool
  /// Whether the mirror of a value shows nothing but what it stores by value.
  let isReflectedPlainly: Bool
  /// Whether a value has a description of its own.
  let isDescribedByItself: Bool
  package let isContainer: Bool
  /// Whether it is the registrar of an observed state, which is no part of the state.
  let isRegistrar: Bool
  let leaf: Leaf

  private static let known = Mutex<[ObjectIdentifier: TypeTraits]>([:])

  /// The traits of a value's type.
  ///
  /// Complexity: O(1) but for the first value of a type.
  package static func of(_ value: Any) -> TypeTraits { of(type: type(of: value)) }

  /// The traits of a type.
  package static func of(type: Any.Type) -> TypeTraits {
    if let traits = known.withLock({ $0[ObjectIdentifier(type)] }) { return traits }
    let traits = TypeTraits(type)
    known.withLock { $0[ObjectIdentifier(type)] = traits }
    return traits
  }

  /// Whether a name is that of a generic type that is in no other: `Page<Home.Item>`, not `Home.Page<Item>`.
  private static func isOutermostGeneric(_ name: String) -> Bool {
    var depth = 0
    for character in name.utf8 {
      switch character {
      case UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: ".") where depth == 0: return false
      default: break
      }
    }
    return name.hasSuffix(">")
  }

  /// The name of a type without those of modules, and without contexts that have no name.
  ///
  /// Scanned by bytes: a regular expression takes most of the time of a short program.
  private static func insideOfModule(_ reflected: String) -> String {
    var rest = withoutUnnamedContexts(reflected)[...]
    var name: [UInt8] = []
    name.reserveCapacity(rest.count)
    while let byte = rest.first {
      guard isOfWord(byte) else {
        name.append(rest.removeFirst())
        // What follows in a generic type is no module: `Page<Home.Item>.State`.
        if byte == UInt8(ascii: ">") { name += takePath(&rest) }
        continue
      }
      let word = rest.prefix(while: isOfWord)
      rest = rest.dropFirst(word.count)
      let path = takePath(&rest)
      name += path.isEmpty ? word : path.dropFirst()
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Takes `.A.B` off the beginning of a text.
  private static func takePath(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let all = text
    while text.first == UInt8(ascii: "."), let next = text.dropFirst().first, isOfWord(next) {
      text = text.dropFirst().drop(while: isOfWord)
    }
    return all[..<text.startIndex]
  }

  /// "Module.(unknown context at $7f54).Row" is private, or declared inside of a function.
  private static func withoutUnnamedContexts(_ reflected: String) -> [UInt8] {
    var bytes = Array(reflected.utf8)
    var start = 0
    while let open = bytes[start...].firstIndex(of: UInt8(ascii: "(")) {
      start = open + 1
      guard let close = bytes[start...].firstIndex(of: UInt8(ascii: ")")), close + 1 < bytes.count,
        [UInt8(ascii: "."), UInt8(ascii: ":")].contains(bytes[close + 1]),
        ["unknown context at $", "extension in "].contains(where: {
          bytes[start..<close].starts(with: $0.utf8)
        })
      else { continue }
      bytes.removeSubrange(open...close + 1)
      start = open
    }
    return bytes
  }

  /// Whether a byte is one of a name in Swift.
  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private init(_ type: Any.Type) {
    let reflected = String(reflecting: type)
    qualifiedName = Self.insideOfModule(reflected)
    // The short names are in the digests of older recordings.
    name = Self.isOutermostGeneric(qualifiedName) ? "\(type)" : qualifiedName
    isShared = type is any SharedValue.Type
    isOptional = type is any ComparedOptional.Type
    isRepresentable = type is any CustomDumpRepresentable.Type
    isDescribed = type is any CustomDumpStringConvertible.Type
    isReflectable = type is any CustomDumpReflectable.Type
    isReflectedPlainly =
      !(type is any CustomReflectable.Type) || type is any PrintedByValue.Type
    isDescribedByItself =
      type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
      || type is any TextOutputStreamable.Type
    isContainer = type is any PrintedContainer.Type
    isRegistrar = type is ObservationStateRegistrar.Type
    leaf =
      switch type {
      case is Int.Type: .integer
      case is Bool.Type: .bool
      case is Double.Type: .double
      case is String.Type: .string
      case is Int8.Type, is Int16.Type, is Int32.Type, is Int64.Type, is UInt.Type, is UInt8.Type,
        is UInt16.Type, is UInt32.Type, is UInt64.Type, is Float.Type:
        .number
      case is Substring.Type, is Character.Type, is Duration.Type, is Date.Type, is UUID.Type,
        is URL.Type, is Data.Type, is Transaction.Type, is Animation.Type, is AnyKeyPath.Type:
        .described
      default:
        // Values of the standard libraries, and types as values.
        reflected.hasPrefix("Foundation") || reflected.hasSuffix(".Type")
          || reflected.hasSuffix(".Protocol")
          ? .described : .none
      }
  }
}
