// A value that is kept elsewhere, for controls of any user interface.

import RondoAnimation

/// A value that a control shows and changes, and that somebody else keeps.
///
/// ```swift
/// let name = store.binding(\.name)
/// name.wrappedValue = "Blob"            // sends .binding(.set(\.name, "Blob"))
/// name.animation(.easeOut).wrappedValue = "Blob Jr."
/// ```
@MainActor
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  private let get: @MainActor () -> Value
  private let set: @MainActor (Value, Transaction) -> Void

  /// Inside which a write happens.
  public var transaction: Transaction

  /// A binding made of its two functions. The ambient transaction is the binding's while it writes.
  public init(
    get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void
  ) {
    self.init(get: get, set: { value, _ in set(value) })
  }

  /// A binding whose writes are told their transaction.
  public init(
    get: @escaping @MainActor () -> Value,
    set: @escaping @MainActor (Value, Transaction) -> Void
  ) {
    self.get = get
    self.set = set
    transaction = Transaction()
  }

  /// A value that cannot be changed.
  public static func constant(_ value: Value) -> Self {
    Self(get: { value }, set: { _ in })
  }

  /// The value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set {
      withTransaction(transaction) { set(newValue, transaction) }
    }
  }

  /// The binding itself.
  public var projectedValue: Self { self }

  /// The same value, whose changes are shown with an animation.
  public func animation(_ animation: Animation? = .default) -> Self {
    transaction(Transaction(animation: animation))
  }

  /// The same value, written inside a transaction.
  public func transaction(_ transaction: Transaction) -> Self {
    var binding = self
    binding.transaction.merge(transaction)
    return binding
  }

  /// A part of the value.
  public subscript<Member>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> Binding<Member> {
    var binding = Binding<Member>(
      get: { get()[keyPath: keyPath] },
      set: { member, transaction in
        var value = get()
        value[keyPath: keyPath] = member
        set(value, transaction)
      })
    binding.transaction = transaction
    return binding
  }
}

/// Makes bindings to the properties of an object: `@Bindable var store`, then `$store.name`.
@MainActor
@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Value: AnyObject> {
  public var wrappedValue: Value

  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// An object whose properties are bound to.
  public init(_ wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  public var projectedValue: Self { self }

  /// A property of the object.
  public subscript<Member>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>
  ) -> Binding<Member> {
    Binding(
      get: { wrappedValue[keyPath: keyPath] },
      set: { wrappedValue[keyPath: keyPath] = $0 })
  }
}

extension Store where Action: BindableAction, Action.State == State {
  /// A field of the state. Writing to it sends a binding action, inside the ambient transaction.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, Value>
  ) -> Value {
    get { self[dynamicMember: keyPath as KeyPath<State, Value>] }
    set { send(.binding(.set(keyPath, newValue))) }
  }

  /// A field of the state, for a control.
  public func binding<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, Value>
  ) -> Binding<Value> {
    Binding(
      get: { [self] in self[dynamicMember: keyPath as KeyPath<State, Value>] },
      set: { [self] in send(.binding(.set(keyPath, $0))) })
  }
}

extension Store {
  /// A value for a control, read from the state and written by sending an action.
  public func binding<Value>(
    get: @escaping (State) -> Value, send action: @escaping (Value) -> Action
  ) -> Binding<Value> {
    Binding(get: { [self] in get(state) }, set: { [self] in send(action($0)) })
  }
}
