// The structure of a value, as it is taken apart to be printed or compared.

import Foundation
import RondoAnimation

/// The outermost structure of a value.
package enum ValueShape {
  package typealias Field = (label: String?, value: Any)

  /// A value that is not taken apart.
  case leaf(String)
  /// A string of several lines.
  case text([Substring])
  /// A struct, a tuple or a case of an enum: `Row(…)`, `(…)`, `.loaded(…)`.
  case record(name: String, fields: [Field])
  /// An instance of a class.
  case reference(name: String, identity: ObjectIdentifier, fields: [Field])
  case list([Any])
  /// A dictionary, in the order of the keys' text.
  case dictionary([(key: String, value: Any)])
  /// A set, in the order of the elements' text.
  case set([(text: String, value: Any)])

  package init(of value: Any) {
    let traits = TypeTraits.of(value)
    // Casts look into an optional, so that its type does not tell what they find.
    let mayBe = traits.isOptional
    if mayBe || traits.isShared, let shared = value as? any SharedValue {
      self.init(of: shared.sharedValue)
      return
    }
    if mayBe || traits.isRepresentable, let value = value as? any CustomDumpRepresentable {
      self.init(of: value.customDumpValue)
      return
    }
    if mayBe || traits.isDescribed, let value = value as? any CustomDumpStringConvertible {
      self = .leaf(value.customDumpDescription)
      return
    }
    if let leaf = ValueShape(leaf: value, traits) {
      self = leaf
      return
    }
    let mirror =
      mayBe || traits.isReflectable
      ? (value as? any CustomDumpReflectable)?.customDumpMirror ?? Mirror(reflecting: value)
      : Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      self = mirror.children.first.map { ValueShape(of: $0.value) } ?? .leaf("nil")
    case .struct:
      self = .record(name: traits.name, fields: ValueShape.fields(of: mirror))
    case .tuple:
      self = .record(name: "", fields: ValueShape.fields(of: mirror))
    case .enum:
      self = ValueShape.enumCase(value, mirror)
    case .class:
      self = .reference(
        name: traits.name, identity: ObjectIdentifier(value as AnyObject),
        fields: ValueShape.fields(of: mirror))
    case .collection:
      self = .list(mirror.children.map(\.value))
    case .dictionary:
      self = .dictionary(
        mirror.children
          .compactMap { ValueShape.entry($0.value) }
          .sorted { precedes($0.key, $1.key) })
    case .set:
      self = .set(
        mirror.children
          .map { (summary(of: $0.value), $0.value) }
          .sorted { precedes($0.0, $1.0) })
    default:
      self = .leaf("\(value)")
    }
  }

  /// A value that is not taken apart; `nil` for another one.
  private init?(leaf value: Any, _ traits: TypeTraits) {
    switch traits.leaf {
    case .integer: self = .leaf((value as? Int ?? 0).description)
    case .bool: self = .leaf((value as? Bool ?? false).description)
    case .double: self = .leaf((value as? Double ?? 0).description)
    case .string: self.init(text: value as? String ?? "")
    case .none where !traits.isOptional: return nil
    case .described, .none:
      if let text = ValueShape.leafText(of: value) {
        self = .leaf(text)
      } else if let text = value as? String {
        self.init(text: text)
      } else {
        return nil
      }
    }
  }

  private init(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    self = lines.count < 2 ? .leaf(text.debugDescription) : .text(lines)
  }

  /// Values of the standard libraries whose insides say less than their descriptions.
  private static func leafText(of value: Any) -> String? {
    switch value {
    case let value as Substring: value.debugDescription
    case let value as Character: String(value).debugDescription
    case let value as Duration: seconds(value)
    case let value as Date:
      "Date(\(value.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))))"
    case let value as UUID: value.uuidString
    case let value as URL: value.absoluteString
    case let value as Data: "\(value.count) bytes"
    case is Transaction, is Animation: "\(value)"
    case let value as AnyKeyPath: Rondo.text(of: value)
    case is Any.Type: "\(value)"
    default:
      String(reflecting: type(of: value)).hasPrefix("Foundation") ? "\(value)" : nil
    }
  }

  private static func fields(of mirror: Mirror) -> [Field] {
    var fields: [Field] = mirror.displayStyle == .class ? inheritedFields(of: mirror) : []
    for child in mirror.children where !TypeTraits.of(child.value).isRegistrar {
      // The elements of a tuple without labels are called ".0", ".1".
      let label = child.label?.utf8.first == UInt8(ascii: ".") ? nil : child.label
      fields.append((label?.withoutStoragePrefix, child.value))
    }
    return fields
  }

  private static func inheritedFields(of mirror: Mirror) -> [Field] {
    mirror.superclassMirror.map(fields) ?? []
  }

  private static func enumCase(_ value: Any, _ mirror: Mirror) -> ValueShape {
    guard let child = mirror.children.first, let name = child.label else {
      return .leaf(".\(value)")
    }
    let payload = Mirror(reflecting: child.value)
    let fields = payload.displayStyle == .tuple ? fields(of: payload) : [(nil, child.value)]
    return .record(name: ".\(name)", fields: fields)
  }

  private static func entry(_ pair: Any) -> (key: String, value: Any)? {
    let children = Array(Mirror(reflecting: pair).children)
    guard children.count == 2 else { return nil }
    return (summary(of: children[0].value), children[1].value)
  }
}

extension String {
  /// The name of a property, without the prefix of the storage that a property wrapper or a macro
  /// makes.
  fileprivate var withoutStoragePrefix: String {
    let bytes = utf8.prefix(2)
    let underscore = UInt8(ascii: "_")
    return bytes.count > 1 && bytes.first == underscore && bytes.last != underscore
      ? String(dropFirst()) : self
  }
}

/// The order of keys and of elements of sets: by number where both are numbers (`3`, and `#3` for
/// the ids of a stack), else by text.
package func precedes(_ lhs: String, _ rhs: String) -> Bool {
  guard let left = Double(lhs.trimmingPrefix("#")), let right = Double(rhs.trimmingPrefix("#")),
    left != right
  else { return lhs < rhs }
  return left < right
}

/// The name of a value's type, as it is written inside of its module.
package func typeName(of value: Any) -> String { TypeTraits.of(value).name }

/// The name of a type, as it is written inside of its module.
package func typeName(_ type: Any.Type) -> String {
  let name = String(reflecting: type)
  guard !name.contains("<") else { return "\(type)" }
  // "Module.(unknown context at $7f54).Outer.Inner" for what is declared inside of a function.
  let parts = name.split(separator: ".").dropFirst()
  let path = parts.filter { !$0.contains("$") && !$0.contains("(") }.joined(separator: ".")
  return path.isEmpty ? name : path
}

/// A length of time in words: `0.4 s`.
package func seconds(_ duration: Duration) -> String {
  let (whole, attoseconds) = duration.components
  guard attoseconds != 0 else { return "\(whole) s" }
  var digits = String(attoseconds.magnitude)
  digits = String(repeating: "0", count: max(0, 18 - digits.count)) + digits
  while digits.hasSuffix("0") { digits.removeLast() }
  return "\(duration < .zero && whole == 0 ? "-" : "")\(whole).\(digits) s"
}
