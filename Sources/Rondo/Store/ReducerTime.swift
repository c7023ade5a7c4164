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

  /// The time that reducers are measured by.
  package var reducerTime: @Sendable () -> Duration {
    get { self[ReducerTimeKey.self] }
    set { self[ReducerTimeKey.self] = newValue }
  }
}

private enum ReducerTimeLimitKey: DependencyKey {
  static let liveValue: Duration? = .milliseconds(500)
  static let testValue: Duration? = .seconds(5)
}

private enum ReducerTimeKey: DependencyKey {
  static let liveValue = LoopLimit.monotonicTime
  static let testValue = LoopLimit.monotonicTime
}

extension Reducer {
  /// This reducer; in a debug build, one that reports an action which takes too long.
  ///
  /// - Parameter position: The place where the store was made.
  package func reportingLongActions(at position: SourcePosition) -> any Reducer<State, Action> {
    #if DEBUG
      let values = DependencyValues.current
      guard let limit = values.reducerTimeLimit else { return self }
      return TimedReducer(base: self, limit: limit, time: values.reducerTime, position: position)
    #else
      return self
    #endif
  }
}

#if DEBUG
  private struct TimedReducer<Base: Reducer>: Reducer {
    let base: Base
    let limit: Duration
    let time: @Sendable () -> Duration
    let position: SourcePosition

    func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
      base.reduce(into: &state, action: action)
    }

    func _prepare() -> PreparedReducer<Base.State, Base.Action> {
      let (limit, time, position) = (limit, time, position)
      let reduce = base._prepare()
      var hasReported = false
      return { state, action in
        let start = time()
        let effect = reduce(&state, action)
        let duration = time() - start
        guard duration >= limit, !hasReported else { return effect }
        hasReported = true
        reportIssue(
          """
          A reducer took \(text(duration)) for \(summary(of: action)). Nothing else happens meanwhile where \
          the store lives. Do the work in an effect, '.run { send in … }', and send what it comes to. Where a \
          reducer is meant to take so long, say so where the store is made: '$0.reducerTimeLimit = …'.
          """,
          at: position)
        return effect
      }
    }

    private func text(_ duration: Duration) -> String {
      "\(duration / .milliseconds(1)) ms".replacing(".0 ms", with: " ms")
    }
  }
#endif
