// The time that a piece of work takes, which debug builds look at.

import RondoScheduling
import Synchronization

extension DependencyValues {
  /// The time that the closure of an effect may take before its first suspension, until a debug build reports it.
  ///
  /// The closures of a ``Store`` run on the main actor, unless they say otherwise. While one of them computes or
  /// blocks, nothing else happens there: a screen stands still. A closure that takes too long is reported once for
  /// each place in the source. Such work says that it runs elsewhere, by the word `@concurrent`:
  ///
  /// ```swift
  /// return .run { @concurrent send in
  ///   await send(.decoded(try JSONDecoder().decode(Library.self, from: data)))
  /// }
  /// ```
  ///
  /// It is 50 milliseconds; in tests no time is looked at. `nil` looks at no time. Release builds never do. The store
  /// reads it when it is made. What a closure does after its first suspension is not measured.
  public var effectTimeLimit: Duration? {
    get { self[EffectTimeLimitKey.self] }
    set { self[EffectTimeLimitKey.self] = newValue }
  }

  /// The time that reducers and closures are measured by.
  package var workTime: @Sendable () -> Duration {
    get { self[WorkTimeKey.self] }
    set { self[WorkTimeKey.self] = newValue }
  }
}

private enum EffectTimeLimitKey: DependencyKey {
  static let liveValue: Duration? = .milliseconds(50)
  static let testValue: Duration? = nil
}

private enum WorkTimeKey: DependencyKey {
  static let liveValue = LoopLimit.monotonicTime
  static let testValue = LoopLimit.monotonicTime
}

#if DEBUG
  /// Measures pieces of work, and has those reported that take too long.
  struct WorkTime {
    let limit: Duration
    let time: @Sendable () -> Duration

    /// A limit, measured by the time in force; `nil` where there is no limit.
    init?(_ limit: Duration?) {
      guard let limit else { return nil }
      self.limit = limit
      time = DependencyValues.current.workTime
    }

    /// Does some work.
    ///
    /// - Parameter report: Reports the time, as text, if it was too long.
    func measure<Result>(_ work: () -> Result, report: (_ time: String) -> Void) -> Result {
      let start = time()
      let result = work()
      let duration = time() - start
      if duration >= limit {
        report("\(duration / .milliseconds(1)) ms".replacing(".0 ms", with: " ms"))
      }
      return result
    }
  }

  extension SourceFrame {
    private static let reportedPlaces = Mutex<Set<String>>([])

    /// Reports that the closure has held its store up before its first suspension, once for each place.
    func reportLongBeginning(_ time: String) {
      guard let position = node.position else { return }
      let place = "\(position.fileID):\(position.line):\(position.column)"
      guard Self.reportedPlaces.withLock({ $0.insert(place).inserted }) else { return }
      reportIssue(
        """
        \(description) has held the main actor for \(time), and nothing else could happen there meanwhile. Let the \
        work run elsewhere: '.run { @concurrent send in … }', or a function that is marked '@concurrent'. Where the \
        effect is meant to take so long, say so where the store is made: '$0.effectTimeLimit = …'.
        """,
        at: position)
    }
  }
#endif
