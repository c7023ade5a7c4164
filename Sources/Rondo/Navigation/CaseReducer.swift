// Enums of destinations: a reducer whose state is an enum of features.

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
  associatedtype CaseBody: Reducer<State, Action>

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
  @MainActor
  public static func scope(_ store: Store<State, Action>) -> Never {
    fatalError("\(Self.self) has no scopes of its cases.")
  }
}

/// A state that is one of several features'.
public protocol CaseReducerState {
  associatedtype StateReducer: CaseReducer where StateReducer.State == Self
}

extension Store where State: CaseReducerState, State.StateReducer.Action == Action {
  /// The store of the feature that the state is of, to be switched over.
  public var `case`: State.StateReducer.CaseScope {
    State.StateReducer.scope(self)
  }
}

extension Reducer {
  /// Adds the reducers of the destinations that this reducer presents.
  public func ifLet<DestinationState: CaseReducerState, DestinationAction>(
    _ toPresentationState: WritableKeyPath<State, PresentationState<DestinationState>>,
    action toPresentationAction: CaseKeyPath<Action, PresentationAction<DestinationAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action>
  where Action: CasePathable, DestinationState.StateReducer.Action == DestinationAction {
    ifLet(
      toPresentationState, action: toPresentationAction,
      destination: { DestinationState.StateReducer.body },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Adds the reducers of the features on a stack.
  public func forEach<DestinationState: CaseReducerState, DestinationAction>(
    _ toStackState: WritableKeyPath<State, StackState<DestinationState>>,
    action toStackAction: CaseKeyPath<Action, StackAction<DestinationState, DestinationAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action>
  where Action: CasePathable, DestinationState.StateReducer.Action == DestinationAction {
    forEach(
      toStackState, action: toStackAction,
      destination: { DestinationState.StateReducer.body },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
