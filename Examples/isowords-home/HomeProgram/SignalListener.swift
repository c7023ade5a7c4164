// Signals as events on the main queue, from the instant on at which somebody asks for them.
//
// A `DispatchSourceSignal` is set up some time after it has been activated, and a signal that comes
// before that is lost. A handler is there at once.

import Dispatch
import Foundation

/// Tells about signals.
@MainActor
final class SignalListener {
  private let source: any DispatchSourceRead
  private let end: Int32

  /// Listens from now on. A signal that is listened to does nothing else any more.
  ///
  /// - Parameters:
  ///   - numbers: The signals.
  ///   - action: What to do when one of them comes.
  init(_ numbers: [Int32], action: @escaping @MainActor (Int32) -> Void) {
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

  /// Whoever has started the program may have blocked the signals, which is inherited.
  private func unblock(_ numbers: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// The signals that have come and that the action has not been told about. It will not be.
  ///
  /// - Parameter milliseconds: How long to wait for the first of them. A thread of its own takes note
  ///   of signals, and may be late.
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

  func stop() {
    source.cancel()
  }
}

// nonisolated(unsafe): written before the handlers that read it are there.
nonisolated(unsafe) private var arrivals: Int32 = -1
