// Signals as events on the main queue.
//
// A `DispatchSourceSignal` is set up some time after it has been activated, and a signal that comes
// before that is lost. A handler is there at once.

import Dispatch
import Foundation

/// Runs a closure on the main actor for every signal of some kinds.
///
/// ```swift
/// let listener = try SignalListener([SIGINT, SIGTERM]) { number in stop() }
/// ```
///
/// The signals do nothing else until ``stop()``, or until the listener is released. Of two listeners at
/// the same time the newer one gets all signals that both listen to.
@MainActor
public final class SignalListener {
  private let source: any DispatchSourceRead
  private let end: Int32
  /// The end of the pipe that handlers write to, and the one that they wrote to before.
  private let ours: Int32
  private let before: Int32
  /// The actions of the signals before this listener.
  private var replaced: [(number: Int32, action: sigaction)] = []

  /// Listens from now on.
  ///
  /// - Parameters:
  ///   - numbers: The signals.
  ///   - action: Runs for each of them, with its number.
  /// - Throws: The reason of the system, if the program has too many files open.
  public init(
    _ numbers: [Int32],
    action: @escaping @MainActor (Int32) -> Void
  ) throws(TerminalFailure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    before = arrivals
    ours = ends[1]
    arrivals = ends[1]
    end = ends[0]
    let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .main)
    self.source = source
    source.setEventHandler { [end] in
      MainActor.assumeIsolated { Self.take(from: end).forEach(action) }
    }
    source.setCancelHandler { [ends] in ends.forEach { close($0) } }
    source.activate()
    Self.unblock(numbers)
    for number in numbers {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(arrivals, &byte, 1)
        errno = before
      }
      action.sa_flags = SA_RESTART
      var old = sigaction()
      sigaction(number, &action, &old)
      replaced.append((number, old))
    }
  }

  isolated deinit { stop() }

  /// Lets signals through that the parent process has blocked: that is inherited.
  private static func unblock(_ numbers: [Int32]) {
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

  /// Runs the closure no more. From now on the signals do what they did before.
  public func stop() {
    guard !source.isCancelled else { return }
    for (number, action) in replaced {
      var action = action
      sigaction(number, &action, nil)
    }
    if arrivals == ours { arrivals = before }
    source.cancel()
  }

  /// Ends the program by a signal, as if nothing had listened to it. So the shell sees why it has ended.
  public static func endProgram(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    // Threads of Dispatch, which the main actor may be on, block signals.
    unblock([number])
    raise(number)
    // A signal that ends no program by itself.
    exit(128 + number)
  }
}

// nonisolated(unsafe): the owner is the newest listener, which writes it on the main actor before it
// installs the handlers that read it, and after it has removed them.
nonisolated(unsafe) private var arrivals: Int32 = -1
