// Signals as events on the main queue.
//
// A `DispatchSourceSignal` is set up some time after it has been activated, and a signal that comes
// before that is lost. A handler is there at once.

import Dispatch
import Foundation
import Synchronization

/// Runs a closure on the main actor for every signal of some kinds.
///
/// ```swift
/// let listener = try SignalListener([SIGINT, SIGTERM]) { number in stop() }
/// ```
///
/// The signals do nothing else until ``stop()``, or until the listener is released. Of two listeners at
/// the same time the newer one gets all signals that both listen to. They may stop in any order.
///
/// A signal that comes again before the closure has run for it counts once. Of signals that have come
/// meanwhile, those with smaller numbers are first, which are those that end programs.
@MainActor
public final class SignalListener {
  private let source: any DispatchSourceRead
  private let numbers: [Int32]
  /// The ends of a pipe: the one to read from, and the one that the handler writes to.
  private let end: Int32
  private let writeEnd: Int32

  /// The listeners that have not stopped, from the oldest to the newest.
  private static var live: [(numbers: [Int32], writeEnd: Int32)] = []
  /// The actions of the signals before anything listened to them.
  private static var replaced: [Int32: sigaction] = [:]

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
    self.numbers = numbers
    end = ends[0]
    writeEnd = ends[1]
    let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .main)
    self.source = source
    source.setEventHandler { [end] in
      MainActor.assumeIsolated { Self.take(from: end).forEach(action) }
    }
    source.setCancelHandler { [ends] in ends.forEach { close($0) } }
    source.activate()
    Self.unblock(numbers)
    Self.live.append((numbers, writeEnd))
    Self.direct(numbers)
  }

  isolated deinit { stop() }

  /// Directs signals to the newest listener to each of them. A signal that nothing listens to does again
  /// what it did before.
  private static func direct(_ numbers: [Int32]) {
    for number in numbers where writeEnds.indices.contains(Int(number)) {
      if let newest = live.last(where: { $0.numbers.contains(number) }) {
        let before = writeEnds[Int(number)].exchange(newest.writeEnd, ordering: .relaxed)
        guard before != newest.writeEnd else { continue }
        // A byte that has not been read is in the pipe of another listener.
        isWritten[Int(number)].store(false, ordering: .relaxed)
        if let old = handle(number), replaced[number] == nil { replaced[number] = old }
      } else {
        if var action = replaced.removeValue(forKey: number) { sigaction(number, &action, nil) }
        writeEnds[Int(number)].store(-1, ordering: .relaxed)
      }
    }
  }

  /// Handles a signal from now on.
  ///
  /// - Returns: The action before; `nil` if the signal cannot be handled.
  nonisolated private static func handle(_ number: Int32) -> sigaction? {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      // A storm of signals would fill the pipe, and keep others waiting behind it.
      guard !isWritten[Int(number)].exchange(true, ordering: .relaxed) else { return }
      let before = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(writeEnds[Int(number)].load(ordering: .relaxed), &byte, 1)
      errno = before
    }
    action.sa_flags = SA_RESTART
    var old = sigaction()
    return sigaction(number, &action, &old) == 0 ? old : nil
  }

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

  /// Whether one of some signals has come that a listener has not been told about.
  static func hasCome(_ numbers: [Int32]) -> Bool {
    numbers.contains { isWritten[Int($0)].load(ordering: .relaxed) }
  }

  private static func take(from end: Int32) -> [Int32] {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(end, &buffer, buffer.count)
    let numbers = Set(buffer.prefix(max(0, count)))
    // From here on a signal is told about anew.
    for number in numbers { isWritten[Int(number)].store(false, ordering: .relaxed) }
    return numbers.sorted().map(Int32.init)
  }

  /// Runs the closure no more. From now on the signals do what they did before.
  public func stop() {
    guard !source.isCancelled else { return }
    Self.live.removeAll { $0.writeEnd == writeEnd }
    Self.direct(numbers)
    source.cancel()
  }

  /// Stops the program by a signal, as if nothing had listened to it, until it goes on. Where nobody could let it go
  /// on, the system does not stop it.
  static func stopProgram(by number: Int32) {
    var (standard, listening) = (sigaction(), sigaction())
    sigaction(number, &standard, &listening)
    unblock([number])
    raise(number)
    sigaction(number, &listening, nil)
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

/// The end of a pipe that the handler of each signal writes to: that of the newest listener to it. A handler
/// runs at any moment and on any thread, and may read this.
private let writeEnds = InlineArray<65, Atomic<Int32>> { _ in Atomic(-1) }

/// Whether the handler of each signal has written it, and the listener has not read it.
private let isWritten = InlineArray<65, Atomic<Bool>> { _ in Atomic(false) }
