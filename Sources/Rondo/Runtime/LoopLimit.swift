// The bounds of one turn, beyond which it is a loop without end.

import Dispatch
import RondoScheduling
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The amount of work that a store does in one turn before it reports a loop without end, such as an
/// effect that answers itself.
///
/// The report changes nothing but the time: from then on the store handles a slice of what is left in
/// each turn of its isolation, so the rest of the program goes on, and a chain that has an end after all
/// comes to it. A test store drops what is left, since a test could never end otherwise.
///
/// A feature that is meant to send more actions in a row says so where its store is made:
///
/// ```swift
/// let store = Store(initialState: Import.State()) {
///   Import()
/// } withDependencies: {
///   $0.loopLimit = LoopLimit(actions: 5_000_000, duration: .seconds(60))
/// }
/// ```
public struct LoopLimit: Sendable {
  /// The number of actions that are handled in one turn because of one action or message.
  public var actions: Int

  /// The time that one turn takes. In tests it is the time that the thread runs on a processor.
  public var duration: Duration

  /// The number of commits that are shown one after another, each caused by an observer of the one
  /// before.
  package var rounds = 100_000

  /// The time that has passed since some moment.
  package var time: @Sendable () -> Duration = Self.monotonicTime

  /// A limit of the actions, and of the time, of one turn.
  public init(actions: Int = 100_000, duration: Duration = .seconds(1)) {
    self.actions = actions
    self.duration = duration
  }

  /// The time of a clock that is never set.
  package static let monotonicTime: @Sendable () -> Duration = {
    .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// The time that this thread has run on a processor.
  package static let processorTime: @Sendable () -> Duration = {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

extension DependencyValues {
  /// The bounds beyond which a store reports a loop without end. The store reads them when it is made.
  public var loopLimit: LoopLimit {
    get { self[LoopLimitKey.self] }
    set { self[LoopLimitKey.self] = newValue }
  }
}

private enum LoopLimitKey: DependencyKey {
  static let liveValue = LoopLimit()
  /// A test ends within a second, and does not depend on how busy the machine is.
  static var testValue: LoopLimit {
    var limit = LoopLimit(duration: .milliseconds(500))
    limit.time = LoopLimit.processorTime
    return limit
  }
}

/// The values that the closure of an effect has sent, perhaps very many before it lets others go on.
struct Flood {
  private var sentCount = 0
  /// The time of the first look at it since the closure has last let others go on.
  private var firstLook: Duration?

  /// The duty of a closure behind a value.
  enum Duty: UInt8, AtomicRepresentable {
    case none
    /// To let others go on.
    case pauses
    /// To report that it has held them up.
    case reports
  }

  /// Whether the closure has sent more than one value.
  var hasBegun: Bool { sentCount > 1 }

  /// Whether there are ten times as many as a closure may send in a row.
  func isTenTimes(_ most: Int) -> Bool { sentCount / most == 10 }

  /// Counts a value. After very many of them, or 10 ms, the closure lets others go on.
  ///
  /// - Parameters:
  ///   - most: The number of values that are very many.
  ///   - isWaitedFor: Whether the machine waits for the closure, before its first suspension. Then the time does not
  ///     matter.
  /// - Returns: The duty of the closure, where there is a new one.
  mutating func countSent(
    most: Int, isWaitedFor: Bool, at time: @autoclosure () -> Duration
  ) -> Duty? {
    sentCount += 1
    if sentCount % most == 0 { return isWaitedFor ? .reports : .pauses }
    guard sentCount % 16 == 0, !isWaitedFor else { return nil }
    let time = time()
    guard let start = firstLook else {
      firstLook = time
      return nil
    }
    guard time - start >= .milliseconds(10) else { return nil }
    firstLook = nil
    return .pauses
  }
}

/// Counts what one turn has handled.
struct LoopCount {
  private let limit: LoopLimit
  private var actions = 0
  private var rounds = 0

  // The bounds of this turn.
  private var mostActions: Int
  private var mostRounds: Int
  /// Whether the turn goes on with what an earlier one has left. It is short, so that others have a turn.
  private var isSlice = false

  /// The number of actions at which ``note(_:)`` has to be called next.
  private var nextNote = 0
  // The times at the first look after some actions, and after some rounds.
  private var firstAction: Duration?
  private var firstRound: Duration?
  /// The number of actions in the queue, or handled in this turn, that closures have sent behind their first ones, and
  /// that have an end for this reason.
  private var flood = 0
  private var lastActions: [String] = []
  private var hasReported = false

  /// The number of the last actions that a report names.
  private static let namedActions = 5
  /// The number of actions between two looks at the time, which costs as much as a small action.
  private static let untimedActions = 16

  init(_ limit: LoopLimit) {
    var limit = limit
    limit.actions = max(1, limit.actions)
    self.limit = limit
    mostActions = limit.actions
    mostRounds = limit.rounds
    scheduleNote()
  }

  /// Whether actions were counted.
  var hasActions: Bool { actions != 0 }

  /// Whether the count differs from that of a new turn.
  var isUsed: Bool { actions != 0 || rounds != 0 || isSlice || flood != 0 }

  /// Begins a new turn.
  ///
  /// - Parameter goesOn: Whether it handles what an earlier one has left.
  mutating func begin(goesOn: Bool) {
    if rounds != 0 || isSlice != goesOn {
      rounds = 0
      mostRounds = goesOn ? min(limit.rounds, 1_000) : limit.rounds
      firstRound = nil
      isSlice = goesOn
    }
    let flood = goesOn ? flood : 0
    beginActions()
    self.flood = flood
  }

  /// The time, for those who look at it during a turn.
  var time: Duration { limit.time() }

  /// The number of actions that the closure of an effect may send in a row.
  var mostInARow: Int { limit.actions }

  /// Raises the bound of this turn by one action. What a closure sends before its first suspension has an end, and is
  /// no loop, unless the closure is part of one that fans out. So only the first of it counts.
  mutating func allowAnother() {
    flood += 1
    if mostActions < .max { mostActions += 1 }
  }

  /// Takes the actions of this turn from those that have an end. Returns whether all of them may be such actions, so that
  /// the turn is long, and no loop.
  mutating func takeFlood() -> Bool {
    guard flood > 0, rounds < mostRounds else { return false }
    defer { flood = max(0, flood - actions) }
    return actions <= flood
  }

  /// Lets a turn that is long, and no loop, go on. Returns whether it is one.
  mutating func goOnIfFlood() -> Bool {
    guard takeFlood() else { return false }
    let flood = flood
    beginActions()
    self.flood = flood
    return true
  }

  /// Begins to count actions anew: those that a message leads to, for example.
  mutating func beginActions() {
    actions = 0
    flood = 0
    mostActions = isSlice ? min(limit.actions, 1_000) : limit.actions
    firstAction = nil
    scheduleNote()
  }

  private mutating func scheduleNote() {
    nextNote = min(actions + Self.untimedActions, max(1, mostActions - Self.namedActions + 1))
  }

  /// Whether there has been time enough since the first look.
  private func isOutOfTime(since first: inout Duration?) -> Bool {
    let time = limit.time()
    guard let start = first else {
      first = time
      return false
    }
    return time - start >= (isSlice ? min(limit.duration, .milliseconds(10)) : limit.duration)
  }

  /// Counts an action. Returns whether ``note(_:)`` is to be called.
  @inline(__always)
  mutating func countAction() -> Bool {
    actions &+= 1
    return actions >= nextNote || rounds > mostRounds - Self.namedActions
  }

  /// Looks at the time, and keeps the name of an action for a report where a bound is near. Returns
  /// whether there are too many actions.
  mutating func note(_ action: Any) -> Bool {
    // The names of the next actions are wanted as well.
    if isOutOfTime(since: &firstAction) {
      mostActions = min(mostActions, actions + Self.namedActions - 1)
    }
    guard actions > mostActions - Self.namedActions || rounds > mostRounds - Self.namedActions
    else {
      scheduleNote()
      return false
    }
    nextNote = actions + 1
    if !hasReported {
      lastActions = lastActions.suffix(Self.namedActions - 1) + [summary(of: action)]
    }
    return actions >= mostActions
  }

  /// Counts a commit that was shown. Returns whether there are too many.
  mutating func countRound() -> Bool {
    rounds += 1
    if rounds % Self.untimedActions == 0, isOutOfTime(since: &firstRound) { mostRounds = rounds }
    return rounds >= mostRounds
  }

  /// Reports a loop without end, once for a machine.
  ///
  /// - Parameter drops: Whether the actions that wait are dropped.
  mutating func report(drops: Bool, at position: SourcePosition?) {
    guard !hasReported else { return }
    hasReported = true
    let cause =
      rounds >= mostRounds
      ? "Observers have reacted to each of \(rounds) changes with another one"
      : "\(actions) actions have been handled in one turn, each sent because of another one"
    let outcome =
      drops
      ? "The actions that wait were dropped."
      : "The store handles the rest in later turns of its main loop, so that the program goes on."
    let names =
      lastActions.isEmpty ? "" : " The last actions were \(lastActions.joined(separator: ", "))."
    reportIssue(
      """
      \(cause): this is a loop without end.\(names) Let an effect or an observer send only when there \
      is something new to say. If it has an end, raise the dependency 'loopLimit' of the store. \
      \(outcome)
      """,
      at: position ?? SourcePosition())
  }
}
