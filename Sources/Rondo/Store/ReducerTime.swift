// The time that a reducer takes for one action, which debug builds look at.

import RondoScheduling

extension DependencyValues {
  /// The time that a reducer may take for one action before a debug build reports it.
  ///
  /// While a reducer runs, nothing else happens where its store lives: a screen stands still, and a server
  /// does not answer. A reducer that reads a file, waits for something or computes for long is reported
  /// once for each store, with the action and the place where the store was made. The work belongs in an
  /// effect, which sends what it comes to.
  ///
  /// ```swift
  /// let store = Store(initialState: Import.State()) {
  ///   Import()
  /// } withDependencies: {
  ///   $0.reducerTimeLimit = .seconds(2)
  /// }
  /// ```
  ///
  /// It is half a second, and five seconds in tests. `nil` looks at no time. Release builds never do. The store
  /// reads it when it is made.
  public var reducerTimeLimit: Duration? {
    get { self[ReducerTimeLimitKey.self] }
    set { self[ReducerTimeLimitKey.self] = newValue }
  }
}

private enum ReducerTimeLimitKey: DependencyKey {
  static let liveValue: Duration? = .milliseconds(500)
  static let testValue: Duration? = .seconds(5)
}

extension Reducer {
  /// This reducer; in a debug build, one that reports an action which takes too long.
  ///
  /// - Parameter position: The place where the store was made.
  package func reportingLongActions(at position: SourcePosition) -> any Reducer<State, Action> {
    #if DEBUG
      guard let time = WorkTime(DependencyValues.current.reducerTimeLimit) else { return self }
      return TimedReducer(base: self, time: time, position: position)
    #else
      return self
    #endif
  }
}

#if DEBUG
  private struct TimedReducer<Base: Reducer>: Reducer {
    let base: Base
    let time: WorkTime
    let position: SourcePosition

    func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
      base.reduce(into: &state, action: action)
    }

    func _prepare() -> PreparedReducer<Base.State, Base.Action> {
      let (time, position) = (time, position)
      let reduce = base._prepare()
      var hasReported = false
      let goesOnReported = LockIsolated(false)
      return { state, action in
        time.measure {
          reduce(&state, action)
        } goesOn: { time in
          guard !goesOnReported.withLock({ exchange(&$0, with: true) }) else { return }
          reportIssue(
            """
            A reducer has not returned for \(time). Nothing else happens meanwhile where the store lives. A debugger \
            shows what it does. Work and waiting belong in an effect, '.run { @concurrent send in … }'.
            """,
            at: position)
        } report: { time in
          guard !hasReported else { return }
          hasReported = true
          reportIssue(
            """
            A reducer took \(time) for \(summary(of: action)). Nothing else happens meanwhile where the store lives. \
            Do the work in an effect, '.run { @concurrent send in … }', and send what it comes to. Where a reducer is \
            meant to take so long, say so where the store is made: '$0.reducerTimeLimit = …'.
            """,
            at: position)
        }
      }
    }
  }
#endif
