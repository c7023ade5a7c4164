// A check whether other threads of the process have been at work. It tells work that has left the
// store's queue from a task that waits for ever.
//
// The check is sound for this reason. A queue, a timer of Dispatch, `Task.sleep`, a thread, an
// actor elsewhere: each needs another thread to do a part, if only to set the alarm. The kernel
// counts a thread that was woken, or shows that it waits for a processor. So if no thread was
// active since before the effect began, nothing was handed over within the process. If any thread
// was active, the store waits, up to its timeout. There is one limit. An effect may write to a
// socket on the very thread of the test, and another process answers: that wakes no thread here.
// Clients of the network hand their work to a thread.

import Dispatch
import Foundation
import Synchronization

/// The activity of the threads of the process up to one moment.
///
/// A suspended task does not show what it waits for. But if it waits for something that is done
/// elsewhere (on a queue, by another thread, by a timer of the system), then that work was handed
/// over while the task was running, on the thread of the test. There are two ways:
///
/// - Another thread was woken for it. That thread has run since, or it waits for a processor now.
///   The kernel counts the first and shows the second.
/// - The work was put in a queue that the test's own thread serves when it is free: the queue of
///   the concurrent pool or the main queue. So the test gives up its thread, and another thread
///   watches it: whether it goes to sleep in its own waiting place, and not in the middle of some
///   work.
///
/// If neither is the case, no work was handed over, and nothing will come.
///
/// The reverse does not hold. In a process that is busy with other tests, some thread has always
/// been at work. Then the store waits although nothing may come: a verdict may be late.
struct ProcessActivity {
  private let switches: Int
  private let thread: UInt

  /// The activity up to now. Reading it takes about a microsecond.
  static var current: Self {
    // The first use of `isMeasurable` is an activity itself. It has to be over before the switches
    // are counted.
    _ = isMeasurable
    return Self(switches: switchesOfProcess() - switchesOfThread(), thread: threadIdentity())
  }

  /// Whether no other thread has been at work since then, or is about to be.
  ///
  /// Call it on the thread that recorded the activity; on another thread the result is `false`. It
  /// takes about a hundred microseconds.
  func isQuietSince() -> Bool {
    guard ProcessActivity.isMeasurable, thread == threadIdentity() else { return false }
    return isUnchanged(without: switchesOfThread) && busyThreads() == 1
      && isUnchanged(without: switchesOfThread)
  }

  /// Watches from another thread whether the current one goes to sleep with nothing to do. The
  /// current thread has to be the one that recorded the activity.
  ///
  /// - Parameter report: Called once, within some milliseconds.
  func watch(_ report: @escaping @Sendable (_ isQuiet: Bool) -> Void) {
    let thread = currentThread()
    Thread.detachNewThread {
      for _ in 0..<200 {
        usleep(50)
        guard busyThreads() == 1 else { continue }
        let isUnchanged = isUnchanged { switchesOfThread() + switchesOfThread(thread) }
        return report(isUnchanged && busyThreads() == 1)
      }
      report(false)
    }
  }

  /// Compares the number of switches with the recorded one. It leaves out the threads that may have
  /// been at work.
  private func isUnchanged(without own: () -> Int) -> Bool {
    var before = own()
    while true {
      let all = switchesOfProcess()
      let after = own()
      // If they differ, it is not known whether the last switches are part of the sum.
      if before == after { return all - after == switches }
      before = after
    }
  }

  /// Whether this system gives the needed numbers. It is found out once, by letting another thread
  /// do something.
  private static let isMeasurable: Bool = {
    let before = switchesOfProcess()
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      usleep(1)
      done.signal()
    }
    done.wait()
    return switchesOfProcess() > before && busyThreads() > 0
      && isCallTold(of: currentThread())
  }()
}

#if os(Linux)
  /// The system calls that idle threads wait in: `futex`, `epoll_wait`, `epoll_pwait`,
  /// `rt_sigsuspend`.
  #if arch(x86_64)
    private let idleCalls: Set<Int> = [202, 232, 281, 130]
  #elseif arch(arm64)
    private let idleCalls: Set<Int> = [98, 22, 133]
  #else
    private let idleCalls: Set<Int> = []
  #endif

  /// The number of times that threads have given up the processor, or lost it, since the process
  /// was started.
  private func switchesOfProcess() -> Int { switches(0) }  // RUSAGE_SELF
  private func switchesOfThread() -> Int { switches(1) }  // RUSAGE_THREAD

  private func switches(_ who: Int32) -> Int {
    var usage = rusage()
    getrusage(who, &usage)
    return usage.ru_nvcsw + usage.ru_nivcsw
  }

  /// The same number for another thread. If that thread has ended, the comparison always fails.
  private func switchesOfThread(_ thread: String) -> Int {
    content(of: "/proc/self/task/\(thread)/status")
      .split(separator: "\n")
      .filter { $0.contains("ctxt_switches") }
      .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }
      .reduce(0, +)
  }

  private func threadIdentity() -> UInt { UInt(pthread_self()) }

  /// The kernel's number of the current thread.
  private func currentThread() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = readlink("/proc/thread-self", buffer.baseAddress!, buffer.count)
      let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
      return path.split(separator: "/").last.map(String.init) ?? ""
    }
  }

  /// The number of busy threads: they run, wait for a processor, or are in the middle of some work.
  /// All others are asleep in a waiting place of their own. The current thread is busy.
  private func busyThreads() -> Int {
    guard let folder = opendir("/proc/self/task") else { return .max }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.first?.isNumber == true else { continue }
      let isIdle = isAsleep(name) && systemCall(of: name).map(idleCalls.contains) == true
      if !isIdle { count += 1 }
    }
    return count
  }

  /// Whether a thread is asleep. A thread that waits for a processor is not.
  private func isAsleep(_ thread: String) -> Bool {
    // "17 (name, which may contain anything) S 1 …"
    let status = content(of: "/proc/self/task/\(thread)/stat")
    let state = status.lastIndex(of: ")").map { status[$0...].dropFirst(2).first }
    return state == "S"
  }

  /// The number of the system call that a thread waits in, `nil` if it waits in none.
  private func systemCall(of thread: String) -> Int? {
    content(of: "/proc/self/task/\(thread)/syscall").split(separator: " ").first
      .flatMap { Int($0) }
  }

  /// Whether the system shows the calls that threads wait in. Not every container does.
  private func isCallTold(of thread: String) -> Bool {
    !content(of: "/proc/self/task/\(thread)/syscall").isEmpty
  }

  private func content(of path: String) -> String {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return "" }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
  }
#else
  private let idleCalls: Set<Int> = []
  private func switchesOfProcess() -> Int { 0 }
  private func switchesOfThread() -> Int { 0 }
  private func switchesOfThread(_ thread: String) -> Int { 0 }
  private func threadIdentity() -> UInt { 0 }
  private func currentThread() -> String { "" }
  private func busyThreads() -> Int { .max }
  private func isCallTold(of thread: String) -> Bool { false }
#endif
