// The dependencies of the feature in a test store.

import Foundation
import Rondo
import RondoScheduling

extension TestStore {
  /// The dependencies of the feature, its children and effects.
  ///
  /// The clocks, `mainQueue`, `mainRunLoop` and `date` are the store's time, and the `context` is
  /// that of a test, unless they are overridden where the store is made or around that place. Every
  /// other dependency has its test value; the use of one that has none fails the test.
  ///
  /// They may be changed between two actions:
  ///
  /// ```swift
  /// store.dependencies.api.load = { throw Unavailable() }
  /// await store.send(.reloadTapped)
  /// ```
  ///
  /// Effects in flight keep the dependencies that they were started with.
  public var dependencies: DependencyValues {
    get { machine.dependencies }
    _modify {
      var values = machine.dependencies
      defer { machine.dependencies = values.filled(by: surroundings) }
      yield &values.overriding
    }
  }

  /// Runs a part of a test in which the feature has other dependencies.
  ///
  /// ```swift
  /// await store.withDependencies {
  ///   $0.api.load = { throw Unavailable() }
  /// } operation: {
  ///   await store.send(.reloadTapped)
  /// }
  /// ```
  ///
  /// Afterwards the dependencies are as before.
  @discardableResult
  public func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void,
    operation: () throws -> Result
  ) rethrows -> Result {
    let outer = dependencies
    defer { dependencies = outer }
    try update(&dependencies)
    return try operation()
  }

  /// Runs an asynchronous part of a test in which the feature has other dependencies.
  @discardableResult
  public nonisolated(nonsending) func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    let outer = dependencies
    defer { dependencies = outer }
    try update(&dependencies)
    return try await operation()
  }
}

extension DependencyValues {
  /// The dependencies of a test. They take their time from a timeline, and their misuse is reported
  /// to the test.
  init(of timeline: TestTimeline, in test: TestContext) {
    self.init(minimumCapacity: 10)
    context = .test
    issueReporter = test
    continuousClock = timeline.clock
    suspendingClock = timeline.clock
    mainQueue = timeline.scheduler.eraseToAnyScheduler()
    mainRunLoop = timeline.runLoopScheduler.eraseToAnyScheduler()
    date = DateGenerator { timeline.date }
  }
}
