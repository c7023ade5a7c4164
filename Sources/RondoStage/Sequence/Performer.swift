// Performs choreographies by a scheduler.

import RondoAnimation
import RondoScheduling

/// Performs choreographies by a scheduler, on the main actor.
@MainActor
public final class Performer {
  fileprivate let time: MainActorTime

  /// A performer whose time begins now.
  public init(scheduler: some Scheduler) {
    time = MainActorTime(scheduler)
  }

  /// The time since the performer's beginning.
  public var now: Duration { time.now() }

  /// An instant of this performer as another one counts it.
  fileprivate func instant(_ instant: Duration, of other: Performer) -> Duration {
    other === self ? instant : other.now - (now - instant)
  }

  /// Performs a choreography from now on.
  ///
  /// A step begins exactly when the one before it ends, however late the scheduler may be.
  ///
  /// - Parameters:
  ///   - choreography: What to perform.
  ///   - completion: Runs once: at the end, when the performance is cancelled, or when the scheduler
  ///     drops the rest of it.
  /// - Returns: The performance, for cancelling it. It goes on if nobody keeps it.
  @discardableResult
  public func perform(
    _ choreography: Choreography,
    completion: @escaping @MainActor () -> Void = {}
  ) -> Performance {
    let performance = Performance(self, completion)
    performance.run(choreography, from: now) { _ in performance.complete() }
    return performance
  }
}

/// A choreography that is being performed.
@MainActor
public final class Performance {
  private let performer: Performer

  /// Whether no further step will begin.
  public private(set) var isCancelled = false

  private var completion: (@MainActor () -> Void)?

  fileprivate init(_ performer: Performer, _ completion: @escaping @MainActor () -> Void) {
    self.performer = performer
    self.completion = completion
  }

  isolated deinit { complete() }

  /// Lets no further step begin, and runs the completion now, unless it has run. The steps in progress
  /// go on.
  public func cancel() {
    guard completion != nil else { return }
    isCancelled = true
    complete()
  }

  /// Runs the completion, the first time.
  fileprivate func complete() {
    completion.take()?()
  }

  fileprivate func run(
    _ choreography: Choreography,
    from instant: Duration,
    then done: @escaping @MainActor (Duration) -> Void
  ) {
    guard !isCancelled else { return }
    switch choreography.form {
    case .step(let duration, let owner, let begin):
      begin(owner.map { performer.instant(instant, of: $0) } ?? instant)
      guard duration > 0 else { return done(instant) }
      let end = instant + Duration(clamping: duration)
      performer.time.at(end) { if !self.isCancelled { done(end) } }
    case .sequence(let parts):
      run(parts[...], from: instant, then: done)
    case .parallel(let parts):
      var running = parts.count
      guard running > 0 else { return done(instant) }
      var latest = instant
      for part in parts {
        run(part, from: instant) { end in
          running -= 1
          latest = max(latest, end)
          if running == 0 { done(latest) }
        }
      }
    }
  }

  private func run(
    _ parts: ArraySlice<Choreography>,
    from instant: Duration,
    then done: @escaping @MainActor (Duration) -> Void
  ) {
    // Steps that end at once follow in a loop, so that any number of them fits on the stack.
    var (rest, now) = (parts, instant)
    while let first = rest.popFirst() {
      let beginning = Beginning()
      run(first, from: now) { [rest] end in
        if beginning.isOver { self.run(rest, from: end, then: done) } else { beginning.end = end }
      }
      beginning.isOver = true
      guard let end = beginning.end else { return }
      now = end
    }
    done(now)
  }
}

/// The beginning of a step, and the end of a step that has ended in it.
@MainActor
private final class Beginning {
  var end: Duration?
  var isOver = false
}
