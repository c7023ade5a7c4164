// The structure of a value, as it is taken apart to be printed or compared.

import Foundation
import RondoAnimation

/// The outermost structure of a value.
package enum ValueShape {
  package typealias Field = (label: String?, value: Any)
  /// An entry of a dictionary by the text of its key, or an element of a set by its own text, with the position in the
  /// order of the container itself.
  package typealias Entry = (key: String, value: Any, position: Int)

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
  case dictionary([Entry])
  /// A set, in the order of the elements' text.
  case set([Entry])

  package init(of value: Any) {
    var isByValue = false
    self.init(of: value, TypeTraits.of(value), isByValue: &isByValue)
  }

  /// The structure of a value.
  ///
  /// - Parameters:
  ///   - traits: Those of the value's type.
  ///   - isByValue: Becomes `false` where the structure may depend on more than what the value stores by
  ///     value: on an object, or on code of the value's type. The caller looks at the parts, but not at
  ///     the keys of a dictionary, which are looked at here. Where it is `false` before, that is left
  ///     out.
  ///   - levels: How many values may stand one for the other. The next is shown as it is.
  package init(
    of value: Any, _ traits: TypeTraits, isByValue: inout Bool, levels: Int = printedLevels
  ) {
    // Casts look into an optional, so that its type does not tell what they find.
    let mayBe = traits.isOptional
    if mayBe || traits.isShared, levels > 0, let shared = value as? any SharedValue {
      isByValue = false
      let shown = shared.sharedValue
      self.init(of: shown, TypeTraits.of(shown), isByValue: &isByValue, levels: levels - 1)
      return
    }
    if mayBe || traits.isRepresentable, levels > 0,
      let value = value as? any CustomDumpRepresentable
    {
      isByValue = false
      let shown = value.customDumpValue
      self.init(of: shown, TypeTraits.of(shown), isByValue: &isByValue, levels: levels - 1)
      return
    }
    if mayBe || traits.isDescribed, let value = value as? any CustomDumpStringConvertible {
      if isByValue {
        isByValue = (type(of: value) as? any DescribedByValue.Type)?.isDescribedByValue ?? false
      }
      self = .leaf(value.customDumpDescription)
      return
    }
    if let leaf = ValueShape(leaf: value, traits, &isByValue) {
      self = leaf
      return
    }
    let mirror: Mirror
    if mayBe || traits.isReflectable, let value = value as? any CustomDumpReflectable {
      isByValue = false
      mirror = value.customDumpMirror
    } else {
      if !traits.isReflectedPlainly { isByValue = false }
      mirror = Mirror(reflecting: value)
    }
    switch mirror.displayStyle {
    case .optional:
      self =
        mirror.children.first.map {
          ValueShape(
            of: $0.value, TypeTraits.of($0.value), isByValue: &isByValue, levels: levels)
        }
        ?? .leaf("nil")
    case .struct:
      self = .record(name: traits.name, fields: ValueShape.fields(of: mirror))
    case .tuple:
      self = .record(name: "", fields: ValueShape.fields(of: mirror))
    case .enum:
      self = ValueShape.enumCase(value, mirror, traits, &isByValue)
    case .class:
      isByValue = false
      self = .reference(
        name: traits.name, identity: ObjectIdentifier(value as AnyObject),
        fields: ValueShape.fields(of: mirror))
    case .collection:
      self = .list(mirror.children.map(\.value))
    case .dictionary:
      self = .dictionary(
        ValueShape.sorted(
          mirror.children.enumerated()
            .compactMap { ValueShape.entry($1.value, $0, &isByValue) }, &isByValue))
    case .set:
      self = .set(
        ValueShape.sorted(
          mirror.children.enumerated().map { (summary(of: $1.value), $1.value, $0) },
          &isByValue))
    default:
      isByValue = false
      self = .leaf("\(value)")
    }
  }

  /// A value that is not taken apart; `nil` for another one.
  private init?(leaf value: Any, _ traits: TypeTraits, _ isByValue: inout Bool) {
    switch traits.leaf {
    case .integer: self = .leaf((value as? Int ?? 0).description)
    case .bool: self = .leaf((value as? Bool ?? false).description)
    case .double: self = .leaf((value as? Double ?? 0).description)
    case .string: self.init(text: value as? String ?? "")
    case .number: self = .leaf("\(value)")
    case .none where !traits.isOptional: return nil
    case .described, .none:
      if let text = ValueShape.leafText(of: value) {
        if !ValueShape.isLeafByValue(value) { isByValue = false }
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

  /// Whether the text of a value of the standard libraries depends on nothing but the value. This is said
  /// of some of those in `leafText` only. It is not true of data: others may own the bytes.
  private static func isLeafByValue(_ value: Any) -> Bool {
    switch value {
    case is Substring, is Character, is Duration, is Date, is UUID, is URL, is Decimal: true
    default: false
    }
  }

  /// Whether the print of a key depends on nothing but what it stores by value. Keys with collections in
  /// them, and deep ones, are not looked at further.
  private static func isKeyByValue(_ value: Any, levels: Int = 8) -> Bool {
    var isByValue = true
    switch ValueShape(of: value, TypeTraits.of(value), isByValue: &isByValue) {
    case .leaf, .text: return isByValue
    case .record(_, let fields):
      return isByValue && levels > 0
        && fields.allSatisfy { isKeyByValue($0.value, levels: levels - 1) }
    case .reference, .list, .dictionary, .set: return false
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

  private static func enumCase(
    _ value: Any, _ mirror: Mirror, _ traits: TypeTraits, _ isByValue: inout Bool
  ) -> ValueShape {
    guard let child = mirror.children.first, let name = child.label else {
      if traits.isDescribedByItself { isByValue = false }
      return .leaf(".\(value)")
    }
    let payload = Mirror(reflecting: child.value)
    if payload.displayStyle == .tuple, !TypeTraits.of(child.value).isReflectedPlainly {
      isByValue = false
    }
    let fields = payload.displayStyle == .tuple ? fields(of: payload) : [(nil, child.value)]
    return .record(name: ".\(name)", fields: fields)
  }

  private static func entry(_ pair: Any, _ position: Int, _ isByValue: inout Bool) -> Entry? {
    let children = Array(Mirror(reflecting: pair).children)
    guard children.count == 2 else { return nil }
    if isByValue, !isKeyByValue(children[0].value) { isByValue = false }
    return (wholeText(of: children[0].value), children[1].value, position)
  }

  /// The entries in the order of their texts, and those of equal texts in that of their values.
  private static func sorted(_ entries: [Entry], _ isByValue: inout Bool) -> [Entry] {
    var entries = entries.sorted { precedes($0.key, $1.key) }
    var start = 0
    for index in entries.indices
    where index + 1 == entries.count || entries[index + 1].key != entries[index].key {
      if start < index {
        // A value that changes may have another place.
        isByValue = false
        let equals = entries[start...index].map { (text: wholeText(of: $0.value), entry: $0) }
        entries.replaceSubrange(
          start...index, with: equals.sorted { $0.text < $1.text }.map(\.entry))
      }
      start = index + 1
    }
    return entries
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

/// The name of a value's type for people.
package func typeName(of value: Any) -> String { TypeTraits.of(value).name }

/// The name of a type for people.
package func typeName(_ type: Any.Type) -> String { TypeTraits.of(type: type).name }

/// A length of time in words: `0.4 s`.
package func seconds(_ duration: Duration) -> String {
  let (whole, attoseconds) = duration.components
  guard attoseconds != 0 else { return "\(whole) s" }
  var digits = String(attoseconds.magnitude)
  digits = String(repeating: "0", count: max(0, 18 - digits.count)) + digits
  while digits.hasSuffix("0") { digits.removeLast() }
  return "\(duration < .zero && whole == 0 ? "-" : "")\(whole).\(digits) s"
}
