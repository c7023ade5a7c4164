// The structure of a value in the long form of `customDump` and `diff`.

import Foundation
import Rondo

/// The outermost structure of a value, as the long form shows it.
///
/// The long form writes every part on a line of its own and names every type. It is what
/// `customDump`, `String(customDumping:)` and `diff` print, so that texts recorded elsewhere stay
/// the same. Messages of tests use the shorter form of ``dumped(_:indent:maxDepth:)``.
enum LongShape {
  struct Child {
    var label: String?
    var value: Any
    /// The key of an entry of a dictionary.
    var key: AnyHashable?

    init(_ label: String?, _ value: Any, key: AnyHashable? = nil) {
      self.label = label
      self.value = value
      self.key = key
    }
  }

  struct Block {
    enum Kind {
      /// Fields of a struct, a class or a tuple, and payloads of an enum.
      case fields
      /// Elements in an order, with their indices.
      case list
      /// Elements or entries that are sorted by their text.
      case sorted
    }

    var kind: Kind
    var opening: String
    var closing: String
    var children: [Child]
    /// The text of a block without children, where it is not the two brackets.
    var empty: String?

    /// Whether the value has fields that are not shown.
    var hidesFields = false

    /// Whether the one part that this block has is written between the brackets, in one line.
    var hasOneSimplePart: Bool {
      kind == .fields && children.count == 1 && !hidesFields
        && LongShape.isSimple(children[0].value)
    }
  }

  /// A text that is written as it is.
  case text(String)
  case string(String)
  /// A value that stands for this one.
  case alias(Any)
  case shared(any SharedValue)
  case none
  case some(Any)
  case object(AnyObject, name: String, Block)
  /// A case of an enum. The opening of the block begins with the name of the case.
  case enumCase(typeName: String, Block)
  case block(Block)

  init(of value: Any) {
    self =
      LongShape.chosen(by: value) ?? LongShape.object(value) ?? LongShape.foundation(value)
      ?? LongShape.reflected(value, LongShape.mirror(of: value))
  }

  // MARK: Kinds of values

  /// The shape that a type has chosen for its values.
  private static func chosen(by value: Any) -> LongShape? {
    if let type = value as? Any.Type { return .text(longName(of: type) + ".self") }
    if let value = value as? any CustomDumpStringConvertible {
      return .text(value.customDumpDescription)
    }
    if let shared = value as? any SharedValue { return .shared(shared) }
    // Any value that can be hashed is one after a cast.
    if type(of: value) == AnyHashable.self, let value = value as? AnyHashable {
      return .alias(value.base)
    }
    if let value = value as? any CustomDumpRepresentable { return .alias(value.customDumpValue) }
    return nil
  }

  /// The shape of values of the standard libraries whose insides say less than a text.
  private static func foundation(_ value: Any) -> LongShape? {
    switch value {
    case let value as String: .string(value)
    case let value as Substring: .string(String(value))
    case let value as Character: .string(String(value))
    case let value as Unicode.Scalar: .string(String(value))
    case let value as StaticString: .string("\(value)")
    case let value as AnyKeyPath: .text(Rondo.text(of: value))
    case let value as ObjectIdentifier: .text(shortAddress(value))
    case let value as Duration:
      .text(
        value.formatted(
          .units(
            allowed: [
              .days, .hours, .minutes, .seconds, .milliseconds, .microseconds, .nanoseconds,
            ], width: .wide)))
    case let value as Date:
      .text("Date(\(value.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))))")
    case let value as UUID: .text("UUID(\(value.uuidString))")
    case let value as URL: .text("URL(\(value.absoluteString))")
    case let value as Data: .text("Data(\(value.count) byte\(value.count == 1 ? "" : "s"))")
    case let value as Decimal: .text(value.description)
    case let value as NSRange: .alias(Range(value) as Any)
    case let value as Locale: .text("Locale(\(value.identifier))")
    case let value as AttributedString: .string(String(value.characters))
    case let value as any PrintedMeasurement:
      .block(fields("Measurement", [("value", value.value), ("unit", value.symbol)]))
    case let value as Notification:
      .block(
        fields(
          "Notification",
          [("name", value.name.rawValue)] + (value.object.map { [("object", $0)] } ?? [])
            + (value.userInfo.map { [("userInfo", $0)] } ?? [])))
    case let value as Calendar:
      .block(
        fields(
          "Calendar",
          [
            ("identifier", value.identifier), ("locale", value.locale as Any),
            ("timeZone", value.timeZone), ("firstWeekday", value.firstWeekday),
            ("minimumDaysInFirstWeek", value.minimumDaysInFirstWeek),
          ]))
    case let value as TimeZone:
      .block(
        fields(
          "TimeZone",
          [
            ("identifier", value.identifier), ("abbreviation", value.abbreviation() as Any),
            ("secondsFromGMT", value.secondsFromGMT()),
            ("isDaylightSavingTime", value.isDaylightSavingTime()),
          ]))
    default: nil
    }
  }

  /// The shape of objects of Foundation, most of which stand for a value. Values are asked first,
  /// because a value can be cast to its object.
  private static func object(_ value: Any) -> LongShape? {
    guard type(of: value) is AnyClass else { return nil }
    return switch value {
    case is NSNull: .text("NSNull()")
    case let value as NSNumber: .text("\(value)")
    case let value as NSString: .string(value as String)
    case let value as NSAttributedString: .string(value.string)
    case let value as NSCalendar: .alias(value as Calendar)
    case let value as NSData: .alias(value as Data)
    case let value as NSDate: .alias(value as Date)
    case let value as NSIndexPath: .alias(value as IndexPath)
    case let value as NSIndexSet: .alias(value as IndexSet)
    case let value as NSLocale: .alias(value as Locale)
    case let value as NSMeasurement:
      .block(fields("Measurement", [("value", value.doubleValue), ("unit", value.unit.symbol)]))
    case let value as NSNotification:
      .alias(Notification(name: value.name, object: value.object, userInfo: value.userInfo))
    case let value as NSOrderedSet: .alias(value.array)
    case let value as NSTimeZone: .alias(TimeZone(identifier: value.name) as Any)
    case let value as NSURL: .alias(value as URL)
    case let value as NSURLComponents: .alias(value as URLComponents)
    case let value as NSURLQueryItem: .alias(value as URLQueryItem)
    case let value as NSUUID: .alias(value as UUID)
    case let value as NSError:
      .block(
        fields(
          "NSError",
          [("domain", value.domain), ("code", value.code), ("userInfo", value.userInfo)]))
    default: nil
    }
  }

  private static func fields(_ name: String, _ fields: [(String, Any)]) -> Block {
    Block(
      kind: .fields, opening: name + "(", closing: ")",
      children: fields.map { Child($0.0, $0.1) })
  }

  private static func reflected(_ value: Any, _ mirror: Mirror) -> LongShape {
    let name = longName(of: mirror.subjectType)
    switch mirror.displayStyle {
    case .optional:
      return mirror.children.first.map { .some($0.value) } ?? .none
    case .struct:
      return .block(fields(of: value, Array(mirror.children), name))
    case .tuple:
      return .block(
        Block(kind: .fields, opening: "(", closing: ")", children: mirror.children.map(part)))
    case .class:
      return .object(value as AnyObject, name: name, fields(of: value, inherited(mirror), ""))
    case .enum:
      return .enumCase(typeName: name, payload(of: value, mirror))
    case .collection:
      return .block(
        Block(
          kind: .list, opening: "[", closing: "]",
          children: mirror.children.enumerated().map { Child("[\($0)]", $1.value) }))
    case .dictionary:
      return .block(entries(of: mirror))
    case .set:
      return .block(
        Block(
          kind: .sorted, opening: "Set([", closing: "])",
          children: sorted(mirror.children.map(\.value))))
    default:
      return .text("\(value)")
    }
  }

  /// The fields of a value. Those that a macro has added, such as registrars, are hidden, unless the
  /// value has chosen what it shows.
  private static func fields(of value: Any, _ all: [Mirror.Child], _ name: String) -> Block {
    let isChosen = value is any CustomDumpReflectable
    let shown = all.filter { isChosen || $0.label?.hasPrefix("_$") != true }
    return Block(
      kind: .fields, opening: name + "(", closing: ")", children: shown.map(part),
      hidesFields: shown.count < all.count)
  }

  private static func part(_ child: Mirror.Child) -> Child {
    // The parts of a tuple without labels are called ".0", ".1".
    Child(child.label?.first == "." ? nil : child.label, child.value)
  }

  private static func inherited(_ mirror: Mirror) -> [Mirror.Child] {
    (mirror.superclassMirror.map(inherited) ?? []) + mirror.children
  }

  private static func payload(of value: Any, _ mirror: Mirror) -> Block {
    guard let child = mirror.children.first, let name = child.label else {
      return Block(kind: .fields, opening: "\(value)", closing: "", children: [])
    }
    let payload = LongShape.mirror(of: child.value)
    let parts =
      payload.displayStyle == .tuple
      ? payload.children.map(part) : [Child(nil, child.value)]
    return Block(kind: .fields, opening: name + "(", closing: ")", children: parts)
  }

  private static func entries(of mirror: Mirror) -> Block {
    let entries = mirror.children.compactMap { child -> Child? in
      let parts = Array(Mirror(reflecting: child.value).children)
      guard parts.count == 2 else { return nil }
      return Child(text(of: parts[0].value), parts[1].value, key: parts[0].value as? AnyHashable)
    }
    guard mirror.subjectType is any UnorderedCollection.Type else {
      return Block(kind: .list, opening: "[", closing: "]", children: entries, empty: "[:]")
    }
    return Block(
      kind: .sorted, opening: "[", closing: "]",
      children: entries.sorted { ($0.label ?? "") < ($1.label ?? "") }, empty: "[:]")
  }

  private static func sorted(_ elements: [Any]) -> [Child] {
    elements.map { (text: text(of: $0), element: $0) }.sorted { $0.text < $1.text }
      .map { Child(nil, $0.element) }
  }

  /// A value in few lines, as the name of an entry.
  private static func text(of value: Any) -> String {
    var dumper = LongDumper()
    return dumper.lines(of: value, isRoot: false, depth: 1).joined(separator: "\n")
  }

  static func mirror(of value: Any) -> Mirror {
    (value as? any CustomDumpReflectable)?.customDumpMirror ?? Mirror(reflecting: value)
  }

  /// Whether a value has no parts that are shown. One that stands for others many times over counts as
  /// having some.
  private static func isSimple(_ value: Any, levels: Int = 8) -> Bool {
    switch LongShape(of: value) {
    case .text(let text): !text.contains("\n")
    case .string, .none: true
    case .alias(let value): levels > 0 && isSimple(value, levels: levels - 1)
    case .shared, .some: false
    case .object(_, _, let block), .enumCase(_, let block), .block(let block):
      block.children.isEmpty
    }
  }
}

/// A value of some unit, of whichever kind.
private protocol PrintedMeasurement {
  var value: Double { get }
  var symbol: String { get }
}

extension Measurement: PrintedMeasurement {
  var symbol: String { unit.symbol }
}

/// A collection whose elements have no order.
private protocol UnorderedCollection {}

extension Dictionary: UnorderedCollection {}
extension Set: UnorderedCollection {}
extension NSDictionary: UnorderedCollection {}
extension NSSet: UnorderedCollection {}

/// A type that is written in another way than by its name.
private protocol TypeWithASpelling {
  static var spelling: String { get }
}

extension Array: TypeWithASpelling {
  static var spelling: String { "[\(longName(of: Element.self))]" }
}
extension Dictionary: TypeWithASpelling {
  static var spelling: String { "[\(longName(of: Key.self)): \(longName(of: Value.self))]" }
}
extension Optional: TypeWithASpelling {
  static var spelling: String { longName(of: Wrapped.self) + "?" }
}

/// The name of a type inside of its module, without its generic arguments.
func longName(of type: Any.Type) -> String {
  if let type = type as? any TypeWithASpelling.Type { return type.spelling }
  return String(reflecting: type)
    .replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
    .replacing(/<.+>/, with: "")
    .replacing(/\w+\.([\w.]+)/) { $0.1 }
}

/// The address of an instance without leading zeros.
private func shortAddress(_ id: ObjectIdentifier) -> String {
  id.debugDescription.replacing(/0x0*/, with: "0x")
}
