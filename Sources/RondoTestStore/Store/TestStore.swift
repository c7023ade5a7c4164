// A store for tests: the class, its state and its time.

import Foundation
import Observation
import Rondo
import RondoAnimation
import RondoScheduling

/// Runs a feature in a test, and fails the test for everything that the feature does and the test
/// does not assert.
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
/// It runs on the same machine as `Store`: an action from an effect is reduced when it is
/// emitted. The store keeps a log of these actions, and the test asserts the log with `receive`.
///
/// Effects run on a queue of the store's own, which its methods empty on the thread of the test. So
/// when `send` returns, everything that could run has run. A test of effects that stay there takes no time and has no
/// race; what leaves the queue, as for another actor, is waited for. The time of the effects is virtual, see ``clock`` and
/// ``advance(by:fileID:filePath:line:column:)``.
///
/// A store belongs to one test. It may be used from a test on the main actor, on another actor or
/// on none. When it is released, it fails the test for actions that were not received and for
/// effects that are still in flight, at the line of the `send` that led to them.
public final class TestStore<State: Equatable, Action>: Observable {
  typealias Log = ActionLog<State, Action>

  /// The things that the test has to assert; everything, unless the test target declares otherwise.
  public var exhaustivity: Exhaustivity

  /// The time to wait for work that has left the store's queue, in real time. The store never waits
  /// for work that has not left.
  public var timeout: Duration

  /// The timeline of ``clock``, ``scheduler`` and ``date``.
  public let timeline: TestTimeline

  let machine: Cell<State, Action>
  let log: Log
  let isolation: TestIsolation
  let context: TestContext
  /// The recording that is kept if the test fails.
  var kept: KeptRecording?

  /// The place in the source where the store was made.
  let position: SourcePosition

  /// The dependencies that a test has by default.
  let surroundings: DependencyValues

  /// Whether the feature has dismissed itself, by `@Dependency(\.dismiss)`.
  ///
  /// Only a feature without a parent that presents it is dismissed like that. If a presented child
  /// asks to be dismissed, its parent receives an action. A dismissed feature takes no more
  /// actions.
  public var isDismissed: Bool { log.isDismissed }

  /// The state after the action that was asserted last.
  var assertedState: State {
    didSet {
      guard let registrar, oldValue != assertedState else { return }
      registrar.withMutation(of: self, keyPath: \.state) {}
      runWokenObservers()
    }
  }

  /// The closures that have read ``state`` and run again when it has become another one.
  ///
  /// It is made when ``state`` is first read. Until then nobody observes it.
  private var registrar: ObservationRegistrar?

  /// The record of tasks that are not in the queue. It shows whether anything may still come.
  var outOfSightTasks = OutOfSightTasks()

  /// The number of jobs in a row after which the store assumes that they will never end.
  var jobLimit = 100_000

  /// The number of jobs after which `send` and `receive` leave what is ready for the next call.
  var turnLimit = 10_000

  /// The number of jobs that were run since the queue was last empty.
  var busyCount = 0

  /// Called before the store waits for work that has left, for tests of the store itself.
  var willWait: (() -> Void)?

  /// A store that starts in a state and runs a reducer.
  ///
  /// - Parameters:
  ///   - initialState: The state to start in.
  ///   - timeline: The time that effects use. Make one before the store if the feature gets its
  ///     clock explicitly: `Search(clock: timeline.clock)`.
  ///   - reducer: The reducer, or several, which are run in order.
  ///   - prepareDependencies: Changes the dependencies of the feature, its children and effects.
  ///     See ``dependencies`` for the initial ones.
  // Generic in the reducer, not in its state and action: only so does the compiler know what
  // '.init()' makes.
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
    let chooser = TestSettings.current.chooser
    let context = chooser?.context ?? TestContext()
    self.context = context
    surroundings =
      TestSurroundings(
        timeline, context, log.shared.ledger, log.stackNumbers, log.testPosition
      ).values
    let isolation = TestIsolation(timeline: timeline, chooser: chooser)
    self.isolation = isolation
    (machine, assertedState) = DependencyValues.whileFilled(
      by: surroundings, prepareDependencies
    ) {
      let initialState = initialState()
      let machine = Cell(
        initialState: initialState, reducer: reducer().reportingLongActions(at: position),
        isolation: isolation, position: position, dropsLoops: true)
      var observer = MachineObserver<State, Action>()
      observer.didReduce = Self.didRecord(chooser, timeline, log)
      observer.didHandle = Self.didHandle(chooser, log)
      machine.observeForGood(observer)
      return (machine, initialState)
    }
    _ = log.shared.takeLooseChanges()
    _ = log.takeStackNumbers()
    machine.didDismiss = { log.isDismissed = true }
    let store = { [unowned(unsafe) self] in self }
    isolation.store = .init(
      pump: {
        store().pump()
        return !store().outOfSightTasks.isAnyAwake
      },
      settle: { await store().settle() },
      noteOvertaking: { store().noteOvertaking() })
    if chooser == nil { kept = KeptRecording(of: self) }
  }

  deinit {
    isolation.store = nil
    func endEffects() {
      cancelAll()
      isolation.whileCurrent { machine.hostWasReleased() }
    }
    if isolation.chooser?.isForSteps == true {
      // An owner that takes the steps itself has taken the last one: effects may go on without end. It releases the
      // store in its test, and need not ask which one that is.
      endEffects()
    } else {
      context.whileItsTestIsCurrent {
        reportUnassertedActions()
        reportLooseChanges(at: position)
        reportEffectsInFlight()
        endEffects()
      }
    }
    isolation.executor.retire()
    kept?.end()
  }

  // MARK: State

  /// The state after the action that was sent or received last.
  ///
  /// A closure given to `observe(_:)` on the main actor that reads it has run again when
  /// `send` or `receive` returns.
  public var state: State {
    let registrar = registrar ?? ObservationRegistrar()
    self.registrar = registrar
    registrar.access(self, keyPath: \.state)
    return assertedState
  }

  // MARK: Time

  /// The clock of the store's effects.
  public var clock: TestClock<Duration> { timeline.clock }

  /// The scheduler of the store's effects, with the times of a dispatch queue.
  public var scheduler: TestSchedulerOf<DispatchQueue> { timeline.scheduler }

  /// The current date of the store's effects.
  public var date: Date { timeline.date }

  // MARK: Exhaustivity

  /// Runs a part of a test with another exhaustivity.
  @discardableResult
  public func withExhaustivity<Result>(
    _ exhaustivity: Exhaustivity, _ operation: () throws -> Result
  ) rethrows -> Result {
    let outer = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = outer }
    return try operation()
  }

  /// Runs an asynchronous part of a test with another exhaustivity.
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
    machine.tell(.issue(ReportedIssue(message: message, position: position)))
    context.report(kept?.keep(withFailure: message) ?? message, at: position)
  }

  /// Prints a note, if ``exhaustivity`` asks for notes about skipped assertions.
  func note(_ message: @autoclosure () -> String, at position: SourcePosition) {
    guard exhaustivity.contains(.showsSkippedAssertions) else { return }
    TestSettings.current.print("\(position.filePath):\(position.line): note: \(message())")
  }
}

/// The test store type of a reducer.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action> where R.State: Equatable
