// Those whose tasks run only when they are told to, and who therefore have to be told when time has
// woken one.

import RondoAnimation

/// The owner of a queue that tasks of a test wait in until the test runs them.
///
/// What is put on a timeline while a host is at work on the same thread is the host's: when it is due,
/// the host is given the chance to run what that has let go on, before time goes further.
package protocol TimelineHost: AnyObject, Sendable {
  /// The timeline that sleeps on immediate clocks are put on, all of them due now, while the host is at
  /// work: they go on when the host runs them. `nil` where they go on by themselves.
  var timelineOfImmediateSleeps: TestTimeline? { get }

  /// Tells of something that is put on a timeline while the host is at work.
  func didPutSomething(on timeline: TestTimeline)

  /// Runs what is in the queue, if the calling task is the one that the queue belongs to.
  ///
  /// - Returns: Whether every task that was run has ended, or sleeps on a timeline. `false` where the
  ///   queue belongs to another task.
  func runWhatWoke() -> Bool

  /// Waits for tasks that have gone to the main actor, if the queue belongs to the calling task.
  nonisolated(nonsending) func settle() async
}

package enum TimelineHosts {
  private static var host: ThreadLocalObject<AnyObject> { ThreadLocalObject(\.timelineHost) }

  /// The host at work on this thread.
  package static var atWork: AnyObject? { host.current }

  /// The timeline of sleeps on immediate clocks of the host at work.
  static var timelineOfImmediateSleeps: TestTimeline? {
    (atWork as? any TimelineHost)?.timelineOfImmediateSleeps
  }

  /// Marks a host as being at work for as long as a body runs.
  package static func whileAtWork<Result>(
    _ host: some TimelineHost, _ body: () throws -> Result
  ) rethrows -> Result {
    try self.host.with(host, body)
  }
}

/// A host that a timeline has something of.
struct KnownHost: Sendable {
  private let id: ObjectIdentifier
  private(set) weak var host: (any TimelineHost)?

  init(_ object: AnyObject) {
    id = ObjectIdentifier(object)
    host = object as? any TimelineHost
  }

  func isAlive(as object: AnyObject) -> Bool {
    id == ObjectIdentifier(object) && host != nil
  }
}

extension TestTimeline.State {
  /// Takes note of the host at work, whose something is put on the timeline, or of there being none.
  ///
  /// - Returns: The host.
  mutating func rememberHost() -> (any TimelineHost)? {
    guard let object = TimelineHosts.atWork else {
      isOnlyOfHosts = false
      return nil
    }
    if let known = hosts.first(where: { $0.isAlive(as: object) }) { return known.host }
    hosts.removeAll { $0.host == nil }
    let known = KnownHost(object)
    hosts.append(known)
    return known.host
  }
}

extension TestTimeline {
  /// Has hosts run what time has woken.
  ///
  /// - Returns: Whether all that was ever put on this timeline is of hosts, and every task of theirs
  ///   that was run has ended, or sleeps on a timeline.
  @discardableResult
  func runHosts() -> Bool {
    let (known, isOnlyOfHosts) = state.withLock { ($0.hosts, $0.isOnlyOfHosts) }
    var areAsleep = isOnlyOfHosts && !known.isEmpty
    for known in known {
      if let host = known.host, !host.runWhatWoke() { areAsleep = false }
    }
    return areAsleep
  }

}
