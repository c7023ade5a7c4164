// Virtual time as plainly as it can be written: the model that the test scheduler is held against,
// and, with types of its own, the scheduler that a user of the package might write.

import RondoAnimation
import RondoScheduling
import Synchronization

final class NaiveScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where
  SchedulerTimeType: Strideable & Sendable,
  SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible,
  SchedulerOptions: Sendable
{
  private struct Item {
    var date: SchedulerTimeType
    var sequence: Int
    var interval: SchedulerTimeType.Stride?
    var work: @Sendable () -> Void
  }

  private struct State {
    var now: SchedulerTimeType
    var lastSequence = 0
    var items: [Item] = []
  }

  private let state: Mutex<State>
  let minimumTolerance: SchedulerTimeType.Stride

  init(now: SchedulerTimeType, minimumTolerance: SchedulerTimeType.Stride = .zero) {
    state = Mutex(State(now: now))
    self.minimumTolerance = minimumTolerance
  }

  var now: SchedulerTimeType { state.withLock { $0.now } }

  func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    insert(now, nil, work)
  }

  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    insert(date, nil, work)
  }

  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let sequence = insert(date, interval, work)
    return AnyCancellable { [weak self] in
      self?.state.withLock { $0.items.removeAll { $0.sequence == sequence } }
    }
  }

  @discardableResult
  private func insert(
    _ date: SchedulerTimeType,
    _ interval: SchedulerTimeType.Stride?,
    _ work: @escaping @Sendable () -> Void
  ) -> Int {
    state.withLock { state in
      state.lastSequence += 1
      state.items.append(
        Item(date: date, sequence: state.lastSequence, interval: interval, work: work)
      )
      return state.lastSequence
    }
  }

  func advance(by stride: SchedulerTimeType.Stride) {
    let end = now.advanced(by: stride)
    while let work = next(dueBy: end) { work() }
    state.withLock { $0.now = max($0.now, end) }
  }

  private func next(dueBy end: SchedulerTimeType) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let now = state.now
      let first = state.items.indices.min {
        let (left, right) = (state.items[$0], state.items[$1])
        return (max(left.date, now), left.sequence) < (max(right.date, now), right.sequence)
      }
      guard let first, state.items[first].date <= end else { return nil }
      let item = state.items.remove(at: first)
      state.now = max(now, item.date)
      if let interval = item.interval {
        var next = item
        next.date = item.date.advanced(by: interval)
        state.items.append(next)
      }
      return item.work
    }
  }
}

/// Time in whole microseconds, written as a user would who has never heard of `Duration`.
struct ToyTime: Strideable, Hashable, Sendable {
  var microseconds: Int

  func distance(to other: ToyTime) -> ToyStride {
    ToyStride(microseconds: other.microseconds - microseconds)
  }

  func advanced(by stride: ToyStride) -> ToyTime {
    ToyTime(microseconds: microseconds + stride.microseconds)
  }
}

struct ToyStride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Hashable {
  var microseconds: Int

  init(microseconds: Int) { self.microseconds = microseconds }
  init(integerLiteral microseconds: Int) { self.microseconds = microseconds }

  init?<Source: BinaryInteger>(exactly source: Source) {
    guard let microseconds = Int(exactly: source) else { return nil }
    self.microseconds = microseconds
  }

  var magnitude: UInt { microseconds.magnitude }

  static func seconds(_ s: Int) -> Self { Self(microseconds: s * 1_000_000) }
  static func seconds(_ s: Double) -> Self { Self(microseconds: Int(s * 1e6)) }
  static func milliseconds(_ ms: Int) -> Self { Self(microseconds: ms * 1_000) }
  static func microseconds(_ us: Int) -> Self { Self(microseconds: us) }
  static func nanoseconds(_ ns: Int) -> Self { Self(microseconds: ns / 1_000) }

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.microseconds < rhs.microseconds }
  static func + (lhs: Self, rhs: Self) -> Self {
    Self(microseconds: lhs.microseconds + rhs.microseconds)
  }
  static func - (lhs: Self, rhs: Self) -> Self {
    Self(microseconds: lhs.microseconds - rhs.microseconds)
  }
  static func * (lhs: Self, rhs: Self) -> Self {
    Self(microseconds: lhs.microseconds * rhs.microseconds)
  }
  static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

struct ToyOptions: Sendable {}

typealias ToyScheduler = NaiveScheduler<ToyTime, ToyOptions>
