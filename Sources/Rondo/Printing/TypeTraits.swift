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
    /// None of them, or one that only the value itself tells, such as a key path.
    case none
  }

  /// The name of the type, as it is written inside of its module.
  package let name: String
  /// Whether the value is that of a `@Shared` member.
  package let isShared: Bool
  package let isOptional: Bool
  let isRepresentable: Bool
  let isDescribed: Bool
  let isReflectable: Bool
  /// Whether it is the registrar of an observed state, which is no part of the state.
  let isRegistrar: Bool
  let leaf: Leaf

  private static let known = Mutex<[ObjectIdentifier: TypeTraits]>([:])

  /// The traits of a value's type.
  ///
  /// Complexity: O(1) but for the first value of a type.
  package static func of(_ value: Any) -> TypeTraits {
    let type = type(of: value)
    if let traits = known.withLock({ $0[ObjectIdentifier(type)] }) { return traits }
    let traits = TypeTraits(type)
    known.withLock { $0[ObjectIdentifier(type)] = traits }
    return traits
  }

  private init(_ type: Any.Type) {
    name = typeName(type)
    isShared = type is any SharedValue.Type
    isOptional = type is any OptionalType.Type
    isRepresentable = type is any CustomDumpRepresentable.Type
    isDescribed = type is any CustomDumpStringConvertible.Type
    isReflectable = type is any CustomDumpReflectable.Type
    isRegistrar = type is ObservationStateRegistrar.Type
    leaf =
      switch type {
      case is Int.Type: .integer
      case is Bool.Type: .bool
      case is Double.Type: .double
      case is String.Type: .string
      case is Substring.Type, is Character.Type, is Duration.Type, is Date.Type, is UUID.Type,
        is URL.Type, is Data.Type, is Transaction.Type, is Animation.Type, is AnyKeyPath.Type:
        .described
      default:
        // Values of the standard libraries, and types as values.
        ["Foundation", ".Type", ".Protocol"].contains { word in
          let name = String(reflecting: type)
          return word.hasPrefix(".") ? name.hasSuffix(word) : name.hasPrefix(word)
        } ? .described : .none
      }
  }
}

private protocol OptionalType {}

extension Optional: OptionalType {}
