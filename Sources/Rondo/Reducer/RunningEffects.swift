// A record, in the state of a feature, of which of its effects are running.

import Synchronization

/// A record of which effects of a feature are running, which its reducer can read.
///
/// ```swift
/// struct State: Equatable {
///   var effects = RunningEffects()
/// }
///
/// case .refreshPulled:
///   guard !state.effects.isRunning(CancelID.refresh) else { return .none }
///   return .run { send in … }
///     .cancellable(id: CancelID.refresh)
///     .running(as: CancelID.refresh, in: state.effects)
/// ```
///
/// An effect counts from the action that returns it until it has ended: to the end of its closure, also where it was
/// cancelled. While it sends its last action it is running. The record is no value: copies of a state have
/// one and the same. All records are equal, so that a test need not assert them.
public struct RunningEffects: Sendable {
  private let record = Record()

  /// Creates a record without effects.
  public init() {}

  /// Whether an effect that was given this id is running.
  public func isRunning(_ id: some Hashable & Sendable) -> Bool {
    record.counts.withLock { $0[TypedCancellationID(id)] != nil }
  }

  fileprivate final class Record: Sendable {
    let counts = Mutex<[CancellationID: Int]>([:])
  }

  /// The time in which an effect runs: it ends when nobody has the effect any more.
  fileprivate final class Run: Sendable {
    private let id: CancellationID
    private let record: Record

    init(_ id: CancellationID, _ effects: RunningEffects) {
      self.id = id
      record = effects.record
      record.counts.withLock { $0[id, default: 0] += 1 }
    }

    deinit {
      record.counts.withLock { counts in
        let count = counts[id, default: 1] - 1
        counts[id] = count > 0 ? count : nil
      }
    }
  }
}

extension RunningEffects: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool { true }
}

extension RunningEffects: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Effect {
  /// The effect, which counts as running in a record from now until it has ended.
  ///
  /// - Parameters:
  ///   - id: The id to ask for. It need not be an id of cancellation.
  ///   - effects: The record, in the state.
  public func running(as id: some Hashable & Sendable, in effects: RunningEffects) -> Self {
    let run = RunningEffects.Run(TypedCancellationID(id), effects)
    return map { output in withExtendedLifetime(run) { output } }
  }
}
