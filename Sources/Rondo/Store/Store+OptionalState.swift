// A store whose state may be `nil`, made with a value.

extension Store {
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
