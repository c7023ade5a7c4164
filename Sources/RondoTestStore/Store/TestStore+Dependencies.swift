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

/// The objects that the dependencies of a test store are made of. The dependencies take their time from a
/// timeline, and their misuse is reported to the test.
final class TestSurroundings: Sendable {
  private let timeline: TestTimeline
  private let test: TestContext
  private let ledger: SharedLedger
  private let stackNumbers: StackNumbers
  private let position: TestPosition

  init(
    _ timeline: TestTimeline, _ test: TestContext, _ ledger: SharedLedger,
    _ stackNumbers: StackNumbers, _ position: TestPosition
  ) {
    self.timeline = timeline
    self.test = test
    self.ledger = ledger
    self.stackNumbers = stackNumbers
    self.position = position
  }

  /// The dependencies.
  var values: DependencyValues {
    DependencyValues(
      source: DependencySource(
        Self.recipes, of: self, issueReporter: test.isOfTest ? test : nil))
  }

  private static let recipes = DependencyRecipes(
    example: TestSurroundings(
      TestTimeline(), TestContext(), SharedLedger(), StackNumbers(), TestPosition()),
    constants: { $0.context = .test },
    { $0.continuousClock = $1.timeline.clock },
    { $0.suspendingClock = $1.timeline.clock },
    { $0.mainQueue = $1.timeline.scheduler.eraseToAnyScheduler() },
    { $0.mainRunLoop = $1.timeline.runLoopScheduler.eraseToAnyScheduler() },
    { values, store in values.date = DateGenerator { [timeline = store.timeline] in timeline.date }
    },
    { $0.sharedLedger = $1.ledger },
    { $0.stackNumbers = $1.stackNumbers },
    { $0.testPosition = $1.position })
}
