// Bindings as sources without SwiftUI make them.

import Observation
import Rondo
import RondoAnimation

/// The same as `Binding`.
public typealias UIBinding = Binding

/// The value that a binding keeps itself.
@Observable
private final class Source<Value> {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension Binding {
  /// A binding that keeps the value itself: `@UIBinding var isPlaying = false`.
  public init(wrappedValue value: Value) {
    let source = Source(value)
    self.init(get: { source.value }, set: { (value: Value) in source.value = value })
  }

  /// The same binding.
  public init(projectedValue: Binding) {
    self = projectedValue
  }

  /// A binding to the value of an optional; `nil` where there is none. Once there is none any more, it keeps the last
  /// value, and writes are lost.
  public init?(_ base: Binding<Value?>) {
    guard let value = base.wrappedValue else { return nil }
    let last = Source(value)
    self.init(
      get: {
        if let value = base.wrappedValue { last.value = value }
        return last.value
      },
      set: { (value: Value) in
        guard base.wrappedValue != nil else { return }
        last.value = value
        base.wrappedValue = value
      })
    transaction = base.transaction
  }

  /// A binding that tells whether there is a value, and removes it when it is set to `false`.
  public init<Wrapped>(_ base: Binding<Wrapped?>) where Value == Bool {
    self.init(
      get: { base.wrappedValue != nil },
      set: { (isThere: Bool) in
        if !isThere { base.wrappedValue = nil }
      })
    transaction = base.transaction
  }

  /// A binding to an optional. `nil` is not written.
  public init<Wrapped>(_ base: Binding<Wrapped>) where Value == Wrapped? {
    self.init(
      get: { base.wrappedValue },
      set: { (value: Wrapped?) in
        if let value { base.wrappedValue = value }
      })
    transaction = base.transaction
  }

  /// A binding to the value as `AnyHashable`. A value of another type is not written.
  public init<Wrapped: Hashable>(_ base: Binding<Wrapped>) where Value == AnyHashable {
    self.init(
      get: { AnyHashable(base.wrappedValue) },
      set: { (value: AnyHashable) in
        if let value = value.base as? Wrapped { base.wrappedValue = value }
      })
    transaction = base.transaction
  }

  /// A binding to a part of an optional value.
  public subscript<Wrapped, Part>(
    dynamicMember keyPath: WritableKeyPath<Wrapped, Part>
  ) -> Binding<Part?> where Value == Wrapped? {
    var part = Binding<Part?>(
      get: { wrappedValue.map { $0[keyPath: keyPath] } },
      set: { (value: Part?) in
        if let value { wrappedValue?[keyPath: keyPath] = value }
      })
    part.transaction = transaction
    return part
  }

  /// A binding to the value of a case of an optional enum: `$model.destination.edit`. Setting it to `nil` removes the
  /// enum while it is in this case.
  public subscript<Wrapped: CasePathable, Part>(
    dynamicMember name: CaseName<Wrapped, Part>
  ) -> Binding<Part?> where Value == Wrapped? {
    var part = Binding<Part?>(
      get: { wrappedValue.flatMap { Wrapped.allCasePaths[keyPath: name].extract(from: $0) } },
      set: { (value: Part?) in
        let path = Wrapped.allCasePaths[keyPath: name]
        guard let whole = wrappedValue, path.extract(from: whole) != nil else { return }
        wrappedValue = value.map { path.embed($0) }
      })
    part.transaction = transaction
    return part
  }
}

extension Binding where Value: CasePathable {
  /// A binding to the value of a case; `nil` where the enum is in another one.
  @_disfavoredOverload
  public subscript<Part>(dynamicMember name: CaseName<Value, Part>) -> Binding<Part>? {
    Binding<Part>(Binding<Part?>(self, name))
  }
}

extension Binding {
  /// A binding to the value of a case. In another case there is none, and nothing is written.
  init<Whole: CasePathable, Part>(_ base: Binding<Whole>, _ name: CaseName<Whole, Part>)
  where Value == Part? {
    let path = Whole.allCasePaths[keyPath: name]
    self.init(
      get: { path.extract(from: base.wrappedValue) },
      set: { (value: Part?) in
        guard let value, path.extract(from: base.wrappedValue) != nil else { return }
        base.wrappedValue = path.embed(value)
      })
    transaction = base.transaction
  }
}

extension Binding: Identifiable where Value: Identifiable {
  /// The id of the value.
  public var id: Value.ID { wrappedValue.id }
}
