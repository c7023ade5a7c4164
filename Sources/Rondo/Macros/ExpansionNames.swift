// The names that macro expansions use.

#if RONDO_MACROS

  /// The names of this module that macro expansions use, where no other declaration can hide them.
  ///
  /// Expansions cannot say `Rondo.Store`: a client that is compiled with
  /// `-module-alias ComposableArchitecture=Rondo` has no module of that name, and one that is not
  /// has no other. `_Rondo.Store` means the same to both. Write the name without `_Rondo` yourself.
  public enum _Rondo {
    public typealias AnyCasePath = Rondo.AnyCasePath
    public typealias CasePathable = Rondo.CasePathable
    public typealias CasePathIterable = Rondo.CasePathIterable
    public typealias CasePathReflectable = Rondo.CasePathReflectable

    public typealias CaseReducer = Rondo.CaseReducer
    public typealias CaseReducerState = Rondo.CaseReducerState
    public typealias CombineReducers = Rondo.CombineReducers
    public typealias EmptyReducer = Rondo.EmptyReducer
    public typealias Reduce = Rondo.Reduce
    public typealias Reducer = Rondo.Reducer
    public typealias ReducerBuilder = Rondo.ReducerBuilder
    public typealias Scope = Rondo.Scope
    public typealias Store = Rondo.Store
    public typealias StoreOf = Rondo.StoreOf

    public typealias DependencyKey = Rondo.DependencyKey
    public typealias TestDependencyKey = Rondo.TestDependencyKey

    public typealias ObservableState = Rondo.ObservableState
    public typealias ObservableStateID = Rondo.ObservableStateID
    public typealias ObservationStateRegistrar = Rondo.ObservationStateRegistrar
    public typealias StateLayout = Rondo.StateLayout
    public typealias PresentationState = Rondo.PresentationState

    /// Tells recordings that an effect uses an endpoint of a client.
    public static func willUse(_ endpoint: @autoclosure () -> String) {
      guard DrawnValue.isAskedFor else { return }
      DrawnValue.endpoint(endpoint()).tell()
    }

    /// Tells a state inside an enum that it is about to be changed.
    public static func willModify<State: Rondo.ObservableState>(_ state: inout State) {
      Rondo._$willModify(&state)
    }

    /// Tells a value inside an enum that it is about to be changed, if it turns out to be a state.
    @_disfavoredOverload
    public static func willModify<Value>(_ value: inout Value) {
      Rondo._$willModify(&value)
    }

    public typealias ViewActionSending = Rondo.ViewActionSending

    /// A case path whose functions capture nothing but the generic arguments of the enum.
    ///
    /// Such functions can be called from anywhere, but the compiler would warn of the captured types.
    @inlinable
    public static func casePath<Root, Value>(
      embed: @escaping (Value) -> Root,
      extract: @escaping (Root) -> Value?,
      name: StaticString = #function
    ) -> Rondo.AnyCasePath<Root, Value> {
      Rondo.AnyCasePath(
        embed: unsafeBitCast(embed, to: (@Sendable (Value) -> Root).self),
        extract: unsafeBitCast(extract, to: (@Sendable (Root) -> Value?).self),
        name: name)
    }

    /// Reports that an endpoint of a client was used which has no implementation.
    ///
    /// - Returns: The error for endpoints that can throw.
    @discardableResult
    public static func unimplemented(
      _ endpoint: String,
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) -> UnimplementedFailure {
      reportUnimplemented(endpoint, fileID, filePath, line, column)
      return UnimplementedFailure(reported: endpoint)
    }
  }

#endif
