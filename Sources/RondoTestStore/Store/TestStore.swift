// A store for tests: the class, its state and its time.

import Foundation
import Rondo
import RondoAnimation
import RondoScheduling

/// Runs a feature in a test, and fails the test for whatever it does that the test does not assert.
///
/// ```swift
/// @Test func counting() async {
///   let store = TestStore(initialState: Counter.State()) { Counter() }
///   await store.send(.increment) { $0.count = 1 }
///   await store.send(.factTapped)
///   await store.receive(.fact("1 is odd"), animation: .default) { $0.fact = "1 is odd" }
/// }
/// ```
///
/// It runs on the same machine as ``Store``: an action from an effect is reduced when it is emitted.
/// What the test asserts with ``receive(_:animation:transaction:timeout:assert:fileID:filePath:line:column:)-(Action,_,_,_,_,_,_,_,_)``
/// is a log of what has happened.
///
/// Effects run on a queue of the store's own, which its methods empty on the thread of the test. So
/// when `send` returns, everything that could run has run, and a test takes no time and has no race.
/// The time of the effects is virtual, see ``clock`` and ``advance(by:fileID:filePath:line:column:)``.
///
/// A store belongs to one test. It may be used from a test on the main actor, on another actor or on
/// none. When it is released, it fails the test for actions that were not received and for effects
/// that are still in flight, at the line of the `send` that led to them.
public final class TestStore<State: Equatable, Action> {
  typealias Log = ActionLog<State, Action>

  /// What has to be asserted; everything, if the test target does not say otherwise.
  public var exhaustivity: Exhaustivity

  /// How long work that has left the store's queue is waited for, in real time. Work that has not
  /// left is never waited for.
  public var timeout: Duration

  /// The time that ``clock``, ``scheduler`` and ``date`` go by.
  public let timeline: TestTimeline

  let machine: RecordedMachine<State, Action>
  let log: Log
  let isolation: TestIsolation
  let context = TestContext()

  /// Where it was made.
  let position: SourcePosition

  /// The dependencies that a test has without saying so.
  let surroundings: DependencyValues

  /// Whether the feature has dismissed itself, by `@Dependency(\.dismiss)`.
  ///
  /// Only a feature that nobody presents is dismissed like that; of a child that is presented the
  /// parent receives the wish, as an action. A dismissed feature takes no more actions.
  public var isDismissed: Bool { log.isDismissed }

  /// The state after the action that was asserted last.
  var assertedState: State

  /// What has to be known of the executor to tell who may still come.
  var departures = Departures()

  /// After how many jobs in a row it is assumed that they will never end.
  var jobLimit = 1_000_000

  /// What tests of the store put in place of the world outside.
  var rehearsal = Rehearsal()

  /// A store that starts in a state and runs a reducer.
  ///
  /// - Parameters:
  ///   - initialState: The state to start in.
  ///   - timeline: The time that effects go by. Make one before the store where the feature is given
  ///     its clock explicitly: `Search(clock: timeline.clock)`.
  ///   - reducer: The reducer, or several, which are run in order.
  ///   - prepareDependencies: Changes the dependencies of the feature, its children and effects. See
  ///     ``dependencies`` for those to begin with.
  // By the reducer's own types: only so does the compiler know what '.init()' makes.
  public init<R: Reducer>(
    initialState: @autoclosure () -> R.State,
    timeline: TestTimeline = TestTimeline(),
    @ReducerBuilder<R.State, R.Action> reducer: () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where R.State == State, R.Action == Action {
    let position = SourcePosition(fileID, filePath, line, column)
    self.position = position
    let configuration = configuration(of: fileID)
    exhaustivity = configuration.exhaustivity
    timeout = configuration.timeout
    self.timeline = timeline
    let log = Log(timeline: timeline)
    self.log = log
    var surroundings = DependencyValues(of: timeline, in: context)
    surroundings.sharedLedger = log.shared.ledger
    surroundings.stackNumbers = log.stackNumbers
    surroundings.testPosition = log.testPosition
    self.surroundings = surroundings
    let chooser = OrderChooser.current
    let isolation = TestIsolation(timeline: timeline, chooser: chooser)
    self.isolation = isolation
    (machine, assertedState) = DependencyValues.whileFilled(
      by: surroundings, prepareDependencies
    ) {
      let initialState = initialState()
      let machine = RecordedMachine(
        initialState: initialState, reducer: reducer(), isolation: isolation, position: position,
        didRecord: chooser?.following(timeline, log.append) ?? log.append)
      return (machine, initialState)
    }
    _ = log.shared.takeLooseChanges()
    _ = log.takeStackNumbers()
    machine.didDismiss = { log.isDismissed = true }
    machine.willStart = { [unowned(unsafe) self] in departures.willStart() }
    isolation.pump = { [unowned(unsafe) self] in pump() }
  }

  deinit {
    isolation.pump = nil
    context.whileItsTestIsCurrent {
      pump()
      reportUnassertedActions()
      reportLooseChanges(at: position)
      reportEffectsInFlight()
      cancelAll()
      isolation.whileCurrent { machine.close() }
    }
    isolation.executor.retire()
  }

  // MARK: State

  /// The state after the action that was sent or received last.
  public var state: State { assertedState }

  // MARK: Time

  /// The clock of the store's effects.
  public var clock: TestClock<Duration> { timeline.clock }

  /// The scheduler of the store's effects, with the times of a dispatch queue.
  public var scheduler: TestSchedulerOf<DispatchQueue> { timeline.scheduler }

  /// The date that it is for the store's effects.
  public var date: Date { timeline.date }

  // MARK: Exhaustivity

  /// Runs a part of a test in which something else has to be asserted.
  @discardableResult
  public func withExhaustivity<Result>(
    _ exhaustivity: Exhaustivity, _ operation: () throws -> Result
  ) rethrows -> Result {
    let outer = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = outer }
    return try operation()
  }

  /// Runs an asynchronous part of a test in which something else has to be asserted.
  @discardableResult
  public nonisolated(nonsending) func withExhaustivity<Result>(
    _ exhaustivity: Exhaustivity,
    _ operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    let outer = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = outer }
    return try await operation()
  }

  // MARK: Reporting

  func report(_ message: String, at position: SourcePosition) {
    context.report(message, at: position)
  }

  /// Prints a note, if notes about what is skipped are wanted.
  func note(_ message: @autoclosure () -> String, at position: SourcePosition) {
    guard exhaustivity.contains(.showsSkippedAssertions) else { return }
    Notes.print(message(), at: position)
  }
}

/// The test store type of a reducer.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action> where R.State: Equatable
