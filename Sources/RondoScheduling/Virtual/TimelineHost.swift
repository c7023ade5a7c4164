// Those whose tasks run only when they are told to, and who therefore have to be told when time has
// woken one.

import RondoAnimation

/// The owner of a queue that tasks of a test wait in until the test runs them.
///
/// What is put on a timeline while a host is at work on the same thread is the host's: when it is due,
/// the host is given the chance to run what that has let go on, before time goes further.
package protocol TimelineHost: AnyObject, Sendable {
  /// Tells of the first thing of the host that is put on a timeline, while the host is at work.
  func didPutSomething(on timeline: TestTimeline)

  /// Runs what is in the queue, if the calling task is the one that the queue belongs to.
  func runWhatWoke()
}

package enum TimelineHosts {
  private static let slot = ThreadSlot()

  /// The host at work on this thread.
  static var atWork: UnsafeMutableRawPointer? { slot.pointer }

  /// Marks a host as being at work for as long as a body runs.
  package static func whileAtWork<Result>(
    _ host: some TimelineHost, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = slot.pointer
    slot.pointer = Unmanaged.passUnretained(host as AnyObject).toOpaque()
    defer { slot.pointer = outer }
    return try body()
  }
}

/// A host that a timeline has something of.
struct KnownHost: Sendable {
  private let address: UInt
  private(set) weak var host: (any TimelineHost)?

  init(_ pointer: UnsafeMutableRawPointer) {
    address = UInt(bitPattern: pointer)
    host =
      Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? any TimelineHost
  }

  func isAlive(at pointer: UnsafeMutableRawPointer) -> Bool {
    address == UInt(bitPattern: pointer) && host != nil
  }
}

extension TestTimeline.State {
  /// Takes note of the host at work, whose something is put on the timeline.
  ///
  /// - Returns: The host, if it was not known.
  mutating func rememberHost() -> (any TimelineHost)? {
    guard let pointer = TimelineHosts.atWork, !hosts.contains(where: { $0.isAlive(at: pointer) })
    else { return nil }
    hosts.removeAll { $0.host == nil }
    let known = KnownHost(pointer)
    hosts.append(known)
    return known.host
  }
}

extension TestTimeline {
  /// Has hosts run what time has woken.
  func runHosts() {
    for known in knownHosts { known.host?.runWhatWoke() }
  }
}
