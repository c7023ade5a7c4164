// A stage that runs by a scheduler: trees go in, frames come out at a steady rate.

import RondoAnimation
import RondoScheduling

/// A stage that runs by a scheduler: trees go in, frames come out while anything moves.
///
/// ```swift
/// let player = StagePlayer(scheduler: DispatchQueue.main) { frame in draw(frame) }
/// let subscription = store.subscribe { commit in
///   player.commit(tree(for: commit.newState), transaction: commit.transaction)
/// }
/// ```
///
/// With a test scheduler every frame comes when the test says so, to the nanosecond. Nothing is
/// scheduled while nothing moves.
@MainActor
public final class StagePlayer {
  /// The stage.
  public let stage: Stage

  private let time: MainActorTime
  private let frameInterval: Duration
  private let present: (StageFrame) -> Void
  private var ticker: (any Cancellable)?
  /// When the speed was last set, by the scheduler and on the stage.
  private var anchor = (scheduled: Duration.zero, staged: Duration.zero)

  /// A player.
  ///
  /// - Parameters:
  ///   - stage: What it shows.
  ///   - scheduler: What it tells the time by. Frames are presented on the main actor, wherever the
  ///     scheduler runs its work.
  ///   - frameInterval: The time from one frame to the next; a 60th of a second.
  ///   - present: What to do with a frame.
  public init(
    stage: Stage = Stage(),
    scheduler: some Scheduler,
    frameInterval: Duration = .nanoseconds(16_666_667),
    present: @escaping (StageFrame) -> Void
  ) {
    self.stage = stage
    self.time = MainActorTime(scheduler)
    self.frameInterval = max(frameInterval, .microseconds(1))
    self.present = present
  }

  /// The speed of time on the stage: 0.1 for slow motion. It may change at any time, and what
  /// shows does not jump. What is negative or not finite counts as 0. Time on the stage ends after
  /// some 35,000 years, however fast it passes.
  public var speed = 1.0 {
    willSet {
      let scheduled = time.now()
      anchor = (scheduled, now(scheduled))
    }
  }

  /// The current instant on the stage.
  public var now: Duration { now(time.now()) }

  isolated deinit { ticker?.cancel() }

  /// Shows a tree from now on, presents a frame, and goes on doing so while anything moves.
  ///
  /// - Parameters:
  ///   - tree: What is to be seen.
  ///   - transaction: How the change is to be shown.
  public func commit(_ tree: Node, transaction: Transaction = .current) {
    let instant = now
    stage.commit(tree, transaction: transaction, at: instant)
    present(stage.frame(at: instant))
    startIfNeeded()
  }

  /// Presents no more frames until the next commit.
  public func stop() {
    ticker?.cancel()
    ticker = nil
  }

  private func now(_ scheduled: Duration) -> Duration {
    let speed = speed.isFinite ? max(0, speed) : 0
    let elapsed = scheduled - anchor.scheduled
    guard speed != 1 else { return anchor.staged + elapsed }
    let limit = 0x1p40
    let reached = anchor.staged.seconds + elapsed.seconds * speed
    guard abs(reached) < limit else { return Duration(clamping: reached) }
    // Whole speeds are exact, so that slow motion by halves is, too.
    return anchor.staged + elapsed * speed
  }

  private func startIfNeeded() {
    guard ticker == nil, stage.isAnimating else { return }
    ticker = time.every(frameInterval) { [weak self] in self?.tick() }
  }

  private func tick() {
    guard ticker != nil else { return }
    let instant = now
    present(stage.frame(at: instant))
    stage.advance(to: instant)
    if !stage.isAnimating { stop() }
  }
}
