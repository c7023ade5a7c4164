// The time that a piece of work takes, which debug builds look at.

import Dispatch
import RondoScheduling
import Synchronization

extension DependencyValues {
  /// The time that the closure of an effect may take before its first suspension, until a debug build reports it.
  ///
  /// The closures of a ``Store`` run on the main actor, unless they say otherwise. While one of them computes or
  /// blocks, nothing else happens there: a screen stands still. Those of durable stores hold up all stores of their
  /// kind. A closure that takes too long is reported once for each place in the source. Such work says that it runs elsewhere, by the word `@concurrent`:
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

  /// The time that reducers and closures are measured by; `nil` is that of the system.
  package var workTime: (@Sendable () -> Duration)? {
    get { self[WorkTimeKey.self] }
    set { self[WorkTimeKey.self] = newValue }
  }
}

private enum EffectTimeLimitKey: DependencyKey {
  static let liveValue: Duration? = .milliseconds(50)
  static let testValue: Duration? = nil
}

private enum WorkTimeKey: DependencyKey {
  static let liveValue: (@Sendable () -> Duration)? = nil
  static let testValue: (@Sendable () -> Duration)? = nil
}

#if DEBUG
  /// Measures pieces of work, and has those reported that take too long.
  struct WorkTime {
    private let limit: Duration
    /// The words for where the work is done.
    let place: String
    private let time: @Sendable () -> Duration
    /// Whether it is watched, too, that the work comes to an end. Only the system's time passes meanwhile.
    private let isWatched: Bool

    /// A limit, measured by the time in force; `nil` where there is no limit.
    init?(_ limit: Duration?, of place: String? = nil) {
      guard let limit else { return nil }
      self.limit = limit
      self.place = place ?? ""
      let given = DependencyValues.current.workTime
      time = given ?? LoopLimit.monotonicTime
      isWatched = given == nil
    }

    /// Does some work.
    ///
    /// - Parameters:
    ///   - goesOn: Reports that the work has not come to an end in four times its limit. Called on another thread,
    ///     while the work is being done.
    ///   - report: Reports the time, as text, if it was too long.
    func measure<Result>(
      _ work: () -> Result, goesOn: @escaping @Sendable (_ time: String) -> Void,
      report: (_ time: String) -> Void
    ) -> Result {
      let watched =
        isWatched ? WorkInProgress.shared.begin(min(limit, Self.longest) * 4, goesOn) : nil
      let start = time()
      let result = work()
      let duration = time() - start
      if let watched { WorkInProgress.shared.end(watched) }
      if duration >= limit { report(Self.text(duration)) }
      return result
    }

    /// Longer limits are watched as if they were this one.
    private static let longest = Duration.seconds(86_400)

    fileprivate static func text(_ duration: Duration) -> String {
      "\(duration / .milliseconds(1)) ms".replacing(".0 ms", with: " ms")
    }
  }

  /// The pieces of work that are being done, so that one is noticed that does not come to an end.
  private final class WorkInProgress: Sendable {
    static let shared = WorkInProgress()

    private struct Piece {
      let end: Duration
      let limit: Duration
      let goesOn: @Sendable (String) -> Void
      let reporters = IssueReporters.current
    }

    private struct Pieces {
      var last = 0
      var all: [Int: Piece] = [:]
      /// The moment of the next look; `nil` where there is nothing to look for.
      var nextLook: Duration?
    }

    private let pieces = Mutex(Pieces())

    func begin(_ limit: Duration, _ goesOn: @escaping @Sendable (String) -> Void) -> Int {
      let end = LoopLimit.monotonicTime() + limit
      let (number, looks) = pieces.withLock { pieces in
        pieces.last += 1
        pieces.all[pieces.last] = Piece(end: end, limit: limit, goesOn: goesOn)
        let looks = pieces.nextLook.map { end < $0 } ?? true
        if looks { pieces.nextLook = end }
        return (pieces.last, looks)
      }
      if looks { look(at: end, in: limit) }
      return number
    }

    func end(_ number: Int) {
      _ = pieces.withLock { $0.all.removeValue(forKey: number) }
    }

    private func look(at moment: Duration, in time: Duration) {
      let delay = DispatchTimeInterval.nanoseconds(Int(clamping: Int64(time / .nanoseconds(1))))
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) { self.look(at: moment) }
    }

    private func look(at moment: Duration) {
      let now = LoopLimit.monotonicTime()
      let (overdue, next) = pieces.withLock { pieces -> ([Piece], Duration?) in
        // An earlier look has taken its place.
        guard pieces.nextLook == moment else { return ([], nil) }
        let overdue = pieces.all.filter { $0.value.end <= now }
        for number in overdue.keys { pieces.all[number] = nil }
        pieces.nextLook = pieces.all.values.map(\.end).min()
        return (Array(overdue.values), pieces.nextLook)
      }
      for piece in overdue {
        withIssueReporters(piece.reporters) { piece.goesOn(WorkTime.text(piece.limit)) }
      }
      if let next { look(at: next, in: next - now) }
    }
  }

  extension SourceFrame {
    private static let reportedPlaces = Mutex<Set<String>>([])

    /// Reports that the closure has held its store up before its first suspension, once for each place.
    ///
    /// - Parameters:
    ///   - home: The words for where it has run.
    ///   - goesOn: Whether it is still at work. The action is left out then: the closure may be changing it.
    func reportLongBeginning(_ time: String, on home: String, goesOn: Bool = false) {
      guard let position = node.position else { return }
      let place = "\(position.fileID):\(position.line):\(position.column)"
      guard Self.reportedPlaces.withLock({ $0.insert(place).inserted }) else { return }
      reportIssue(
        """
        \(goesOn ? node.label : description) has held \(home) for \(time)\(goesOn ? " so far" : ""), and \
        nothing else could happen there meanwhile. Let the work run elsewhere: '.run { @concurrent send in … }', or a function that is marked '@concurrent'. Where the \
        effect is meant to take so long, say so where the store is made: '$0.effectTimeLimit = …'.
        """,
        at: position)
    }
  }
#endif
