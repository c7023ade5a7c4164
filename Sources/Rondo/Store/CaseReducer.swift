// Enums of destinations: a reducer whose state is an enum of features.

import RondoScheduling

/// A reducer whose state is one of several features', as `@Reducer enum Destination` makes it.
///
/// By hand it is an enum without cases, whose ``body-swift.type.property`` scopes to each case:
///
/// ```swift
/// enum Destination: CaseReducer {
///   enum State: CaseReducerState, CasePathable { … }
///   enum Action: CasePathable { … }
///
///   static var body: some Reducer<State, Action> {
///     Scope(state: \.editor, action: \.editor) { Editor() }
///   }
/// }
/// ```
public protocol CaseReducer<State, Action>: Reducer
where State: CaseReducerState {
  /// The type of the reducers of the cases.
  // With a default, so that the compiler speaks of a mistake in a case and not of its consequences.
  associatedtype CaseBody: Reducer<State, Action> = EmptyReducer<State, Action>

  /// The stores of the cases, as an enum.
  associatedtype CaseScope = Never

  /// The reducers of the cases.
  @ReducerBuilder<State, Action>
  static var body: CaseBody { get }

  /// The store of the case that a store is in.
  @MainActor
  static func scope(_ store: Store<State, Action>) -> CaseScope
}

extension CaseReducer {
  /// The reducers of the cases.
  public var body: CaseBody { Self.body }
}

extension CaseReducer where CaseScope == Never {
  /// Nothing: an enum without cases has no store to scope.
  @MainActor
  public static func scope(_ store: Store<State, Action>) -> Never {
    fatalError("\(Self.self) has no scopes of its cases.")
  }
}

/// A state that is one of several features'.
public protocol CaseReducerState: _ImpliesReducer {
  /// The reducer that the `@Reducer` macro has made of the enum.
  associatedtype StateReducer: CaseReducer where StateReducer.State == Self
}

extension CaseReducerState {
  public static var _impliedReducer: StateReducer.CaseBody { StateReducer.body }
}

extension Store where State: CaseReducerState, State.StateReducer.Action == Action {
  /// The store of the feature that the state is of, to be switched over.
  public var `case`: State.StateReducer.CaseScope {
    State.StateReducer.scope(self)
  }
}

extension Reducer {
  /// Adds the reducers of the features on a stack, which the type of its elements implies.
  @inlinable
  public func forEach<ElementState: CaseReducerState>(
    _ toStackState: WritableKeyPath<State, StackState<ElementState>>,
    action toStackAction: CaseName<
      Action, StackAction<ElementState, ElementState.StateReducer.Action>
    >,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    AttachedReducer(
      parent: self, child: _StackElement(ElementState.StateReducer.body), state: toStackState,
      action: Action.allCasePaths[keyPath: toStackAction],
      position: SourcePosition(fileID, filePath, line, column))
  }
}
