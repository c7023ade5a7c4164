// Bindings to objects and stores, for controls of any user interface.

import RondoAnimation

/// Makes bindings to the properties of an object: `@Bindable var store`, then `$store.name`.
@MainActor
@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Value: AnyObject> {
  /// The value itself.
  public var wrappedValue: Value

  /// A wrapper of a value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// An object whose properties are bound to.
  public init(_ wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// The wrapper, whose members are bindings.
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
    set { send(.set(keyPath, newValue), in: Action.binding) }
  }

  /// A field of the state, for a control.
  ///
  /// ```swift
  /// let name = store.binding(\.name)
  /// name.wrappedValue = "Blob"            // sends .binding(.set(\.name, "Blob"))
  /// name.animation(.easeOut).wrappedValue = "Blob Jr."
  /// ```
  public func binding<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, Value>
  ) -> Binding<Value> {
    binding(keyPath, in: Action.binding)
  }
}

// The same for a feature whose views send through a case of their own.
extension Store
where Action: ViewAction, Action.ViewAction: BindableAction, Action.ViewAction.State == State {
  /// A field of the state. Writing to it sends a binding action of the views, inside the ambient
  /// transaction.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, Value>
  ) -> Value {
    get { self[dynamicMember: keyPath as KeyPath<State, Value>] }
    set { send(.set(keyPath, newValue)) { .view(.binding($0)) } }
  }

  /// A field of the state, for a control. Writing to it sends a binding action of the views.
  public func binding<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, Value>
  ) -> Binding<Value> {
    binding(keyPath) { .view(.binding($0)) }
  }
}

extension Store {
  fileprivate func binding<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, Value>,
    in embed: @escaping (BindingAction<State>) -> Action
  ) -> Binding<Value> {
    Binding(
      get: { [self] in self[dynamicMember: keyPath as KeyPath<State, Value>] },
      set: { [self] in send(.set(keyPath, $0), in: embed) })
  }

  /// Sends a binding action in the action that the feature has for it.
  fileprivate func send(
    _ action: BindingAction<State>, in embed: (BindingAction<State>) -> Action
  ) {
    // A control of a child that has gone may write once more, as it does when it loses the focus.
    guard !core.isOfGoneChild else { return }
    send(embed(action.witnessed(at: core.host.position)))
  }

  /// A value for a control, read from the state and written by sending an action.
  public func binding<Value>(
    get: @escaping (State) -> Value, send action: @escaping (Value) -> Action
  ) -> Binding<Value> {
    Binding(
      get: { [self] in get(state) },
      set: { [self] in if !core.isOfGoneChild { send(action($0)) } })
  }
}
