// Spellings for sources that were written before reducers were given in closures.

extension Store {
  /// A store of a reducer that is not in a closure. New code says `Store(…) { Counter() }`.
  @_disfavoredOverload
  public convenience init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State,
    reducer: @autoclosure () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      initialState: initialState(), reducer: { reducer() }, withDependencies: prepareDependencies,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// A store that starts in a value of an optional state: `Store(initialState: 0) { Reduce<Int?, …> }`.
  ///
  /// Swift takes the literal for an `Int`, before it looks at the reducer.
  @_disfavoredOverload
  public convenience init<Wrapped, R: Reducer<Wrapped?, Action>>(
    initialState: @autoclosure () -> Wrapped,
    @ReducerBuilder<Wrapped?, Action> reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where State == Wrapped? {
    self.init(
      initialState: Optional(initialState()), reducer: { reducer() },
      withDependencies: prepareDependencies,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
