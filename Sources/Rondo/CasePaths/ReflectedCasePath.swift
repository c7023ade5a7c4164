// Case paths without a macro: from the case's name alone.

import Synchronization

extension AnyCasePath {
  /// The case path of a case that has associated values, found by reflection.
  ///
  /// ```swift
  /// let path = AnyCasePath(Action.child)
  /// ```
  ///
  /// The case becomes known when a value in this case is first seen. From then on extracting takes
  /// some ten nanoseconds. Keep the case path instead of making it again each time.
  ///
  /// - Parameter embed: The name of the case. With a function that is not a case, nothing is ever
  ///   extracted.
  @preconcurrency
  public init(_ embed: @escaping @Sendable (Value) -> Root) {
    if let path = (Root.self as? any OptionalEnum.Type)?.casePath(embed) {
      self = path
      return
    }
    let reflection = CaseReflection(embed)
    self.init(embed: embed, extract: { reflection.extract(from: $0) })
  }
}

extension AnyCasePath where Value == Void {
  /// The case path of a case without associated values: `AnyCasePath(Action.reset)`.
  @_disfavoredOverload
  public init(_ root: @autoclosure @escaping @Sendable () -> Root) {
    if let path = (Root.self as? any OptionalEnum.Type)?.casePath(root) {
      self = path
      return
    }
    guard let layout = EnumLayout(Root.self) else {
      self.init(embed: root, extract: { _ in nil })
      return
    }
    let tag = layout.tag(of: root())
    self.init(embed: root, extract: { layout.tag(of: $0) == tag ? () : nil })
  }
}

/// An optional, as the root of a case path. The case may be one of the enum inside the optional, as in
/// `AnyCasePath<Action?, Int>(Action.counted)`.
private protocol OptionalEnum {
  /// The case path of a case of the enum inside; `nil` where the function is `Optional.some`.
  static func casePath<Root, Value>(
    _ embed: @escaping @Sendable (Value) -> Root
  ) -> AnyCasePath<Root, Value>?

  /// The case path of a case of the enum inside, without associated values; `nil` where the value is
  /// `Optional.none`.
  static func casePath<Root>(_ root: @escaping @Sendable () -> Root) -> AnyCasePath<Root, Void>?
}

extension Optional: OptionalEnum {
  fileprivate static func casePath<Root, Value>(
    _ embed: @escaping @Sendable (Value) -> Root
  ) -> AnyCasePath<Root, Value>? {
    // For `Optional.some` the value is the one inside.
    guard Value.self != Wrapped.self else { return nil }
    let inner = AnyCasePath<Wrapped, Value> { (embed($0) as! Wrapped?)! }
    return AnyCasePath<Root, Value>(
      embed: embed, extract: { ($0 as! Wrapped?).flatMap(inner.extract) })
  }

  fileprivate static func casePath<Root>(
    _ root: @escaping @Sendable () -> Root
  ) -> AnyCasePath<Root, Void>? {
    guard let wrapped = root() as! Wrapped?, let layout = EnumLayout(Wrapped.self) else {
      return nil
    }
    let tag = layout.tag(of: wrapped)
    return AnyCasePath<Root, Void>(
      embed: { root() },
      extract: { ($0 as! Wrapped?).flatMap { layout.tag(of: $0) == tag ? () : nil } })
  }
}

/// Finds by reflection the case that a function makes, and extracts its values.
final class CaseReflection<Root, Value>: Sendable {
  private let embed: @Sendable (Value) -> Root
  private let layout: EnumLayout?
  /// The case, once it is found: `unknown`, or the case's tag with a bit that tells how to read its
  /// values.
  private let knowledge = Atomic<UInt64>(.max)

  private static var unknown: UInt64 { .max }
  /// The bit for values that are not stored directly in the enum: they are in a box, or have
  /// another type.
  private static var needsMirror: UInt64 { 1 << 32 }

  init(
    _ embed: @escaping @Sendable (Value) -> Root, layout: EnumLayout? = EnumLayout(Root.self)
  ) {
    self.embed = embed
    self.layout = layout
  }

  func extract(from root: Root) -> Value? {
    guard let layout else { return extractByMirror(from: root) }
    let known = knowledge.load(ordering: .relaxed)
    let tag = layout.tag(of: root)
    if known == UInt64(tag) { return layout.payload(of: root, as: Value.self) }
    guard known == Self.unknown || known == UInt64(tag) | Self.needsMirror else { return nil }
    let isInline = layout.inlinePayloadType(ofTag: tag) == Value.self
    guard let value = isInline ? layout.payload(of: root, as: Value.self) : Self.mirrored(root)
    else { return nil }
    // Several cases may have the same type of value; the function makes only one of them.
    guard layout.tag(of: embed(value)) == tag else { return nil }
    knowledge.store(UInt64(tag) | (isInline ? 0 : Self.needsMirror), ordering: .relaxed)
    return value
  }

  /// The slow way, for an enum whose layout is not known.
  private func extractByMirror(from root: Root) -> Value? {
    let mirror = Mirror(reflecting: root)
    guard mirror.displayStyle == .enum, let value = Self.mirrored(root) else { return nil }
    let name = Mirror(reflecting: embed(value)).children.first?.label
    return name == mirror.children.first?.label ? value : nil
  }

  private static func mirrored(_ root: Root) -> Value? {
    guard let payload = Mirror(reflecting: root).children.first?.value else { return nil }
    if let value = payload as? Value { return value }
    // One labelled value comes as a tuple of one.
    let mirror = Mirror(reflecting: payload)
    guard mirror.displayStyle == .tuple, mirror.children.count == 1 else { return nil }
    return mirror.children.first?.value as? Value
  }
}
