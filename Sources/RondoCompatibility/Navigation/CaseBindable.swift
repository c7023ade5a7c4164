// Switching over the cases of a binding to an enum.

import Rondo
import RondoAnimation

/// An enum whose cases can be switched over as bindings. `@CaseBindable` makes one.
public protocol CaseBindable: CasePathable {
  /// The cases, with bindings in the place of values.
  associatedtype UIBindingEnumeration

  /// The case that a binding is in, with bindings to its values.
  static func _$caseBinding(_ binding: Binding<Self>) -> UIBindingEnumeration
}

extension Binding where Value: CaseBindable {
  /// The case that the value is in, with bindings to what it carries.
  ///
  /// ```swift
  /// switch $status.cases {
  /// case .inStock(let quantity): showStepper(quantity)
  /// case .outOfStock(let isOnBackOrder): showToggle(isOnBackOrder)
  /// }
  /// ```
  public var cases: Value.UIBindingEnumeration { Value._$caseBinding(self) }
}

extension Binding {
  /// The case that a part of the value is in, with bindings to what it carries: `switch $item.status { … }`.
  public subscript<Part: CaseBindable>(
    dynamicMember keyPath: WritableKeyPath<Value, Part>
  ) -> Part.UIBindingEnumeration {
    let part: Binding<Part> = self[dynamicMember: keyPath]
    return part.cases
  }
}

extension Bindable {
  /// The case that a property is in, with bindings to what it carries.
  public subscript<Member: CaseBindable>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>
  ) -> Member.UIBindingEnumeration {
    let member: Binding<Member> = self[dynamicMember: keyPath]
    return member.cases
  }
}

extension Binding where Value: CasePathable {
  /// A binding to the value of the case that this one is in. Once it is in another case, the binding keeps the last
  /// value, and writes are lost.
  public func _$case<Part>(_ name: CaseName<Value, Part>) -> Binding<Part> {
    Binding<Part>(Binding<Part?>(self, name))!
  }
}

#if RONDO_MACROS

  extension _Rondo {
    public typealias Binding = RondoAnimation.Binding
    public typealias CaseBindable = RondoCompatibility.CaseBindable
  }

  /// Gives an enum case paths, as `@CasePathable` does, and lets a binding to it be switched over.
  ///
  /// ```swift
  /// @CaseBindable
  /// enum Status {
  ///   case inStock(quantity: Int)
  ///   case outOfStock(isOnBackOrder: Bool)
  /// }
  ///
  /// switch $item.status {
  /// case .inStock(let quantity): quantity.wrappedValue += 1
  /// case .outOfStock(let isOnBackOrder): isOnBackOrder.wrappedValue = true
  /// }
  /// ```
  @attached(
    member,
    names: named(AllCasePaths), named(allCasePaths), named(_$Element), named(_$Iterator),
    named(_$Root), named(UIBindingEnumeration), named(_$caseBinding))
  @attached(extension, conformances: CasePathable, CasePathIterable, CaseBindable)
  public macro CaseBindable() = #externalMacro(module: "RondoMacros", type: "CaseBindableMacro")

#endif
