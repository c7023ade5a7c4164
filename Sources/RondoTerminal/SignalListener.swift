// Signals as events on the main queue.
//
// A `DispatchSourceSignal` is set up some time after it has been activated, and a signal that comes
// before that is lost. A handler is there at once.

import Dispatch
import Foundation

/// Runs a closure on the main actor for every signal of some kinds.
///
/// ```swift
/// let listener = SignalListener([SIGINT, SIGTERM]) { number in stop() }
/// ```
@MainActor
public final class SignalListener {
  private let source: any DispatchSourceRead
  private let end: Int32

  /// Listens from now on. A signal that is listened to does nothing else any more.
  ///
  /// - Parameters:
  ///   - numbers: The signals.
  ///   - action: Runs for each of them, with its number.
  public init(_ numbers: [Int32], action: @escaping @MainActor (Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "A pipe cannot be made: \(String(cString: strerror(errno))).")
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    arrivals = ends[1]
    end = ends[0]
    let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .main)
    self.source = source
    source.setEventHandler { [end] in
      MainActor.assumeIsolated { Self.take(from: end).forEach(action) }
    }
    source.activate()
    unblock(numbers)
    for number in numbers {
      signal(number) { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(arrivals, &byte, 1)
        errno = before
      }
    }
  }

  /// Lets signals through that the parent process has blocked: that is inherited.
  private func unblock(_ numbers: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// The signals that have come and that the action has not been told about. It will not be.
  ///
  /// - Parameter milliseconds: The longest time to wait for the first of them. A thread of its own
  ///   takes note of signals, and may be late.
  func take(waiting milliseconds: Int32) -> [Int32] {
    var arrival = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    poll(&arrival, 1, milliseconds)
    return Self.take(from: end)
  }

  private static func take(from end: Int32) -> [Int32] {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = read(end, &buffer, buffer.count)
    return buffer.prefix(max(0, count)).map(Int32.init)
  }

  /// Runs the closure no more. The signals stay without effect.
  public func stop() {
    source.cancel()
  }
}

// nonisolated(unsafe): the owner is the newest listener, which writes it on the main actor before it
// installs the handlers that read it.
nonisolated(unsafe) private var arrivals: Int32 = -1
