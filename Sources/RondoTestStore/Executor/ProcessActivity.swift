// Whether anybody else in the process has been at work: how work that has left is told from a task
// that waits for ever.
//
// Why that is sound: a queue, a timer of Dispatch, `Task.sleep`, a thread, an actor elsewhere, each has
// another thread do its part, if only to set the alarm, and a thread that is woken is counted by the
// kernel or seen to stand in line. So silence since before the effect began means that nothing was
// handed over within the process, and any activity at all means that the store waits, up to its
// timeout. The limit: an effect that writes to a socket on the very thread of the test, to be answered
// by another process, has woken nobody here. Clients of the network hand their work to a thread.

import Dispatch
import Foundation
import Synchronization

/// A look at the threads of the process.
///
/// A task that is suspended shows nobody what it waits for. But if it waits for something that is
/// done elsewhere (on a queue, by another thread, by a timer of the system), then that was handed
/// over while the task was running, on the thread of the test. There are two ways:
///
/// - Another thread was woken for it. Then that one has had the processor since, or stands in line
///   for it now. The kernel counts the first and shows the second.
/// - It was put in a queue that the test's own thread serves when it is free, that of the concurrent
///   pool or the main queue. So the test gives its thread back, while a third one watches: whether it
///   goes to sleep in its own waiting place, and not in the middle of some work.
///
/// If neither is the case, nobody has been given anything, and nothing will come.
///
/// The reverse does not hold. In a process that is busy with other tests somebody has always been at
/// work, and the store waits although nothing may come: a verdict may be late.
struct ProcessActivity {
  private let switches: Int
  private let thread: UInt

  /// The activity up to now. It takes about a microsecond.
  static var current: Self {
    // Finding that out is an activity itself, so it has to be over by now.
    _ = isMeasurable
    return Self(switches: switchesOfProcess() - switchesOfThread(), thread: threadIdentity())
  }

  /// Whether no other thread has been at work since, or is about to be.
  ///
  /// It has to be asked on the thread that took the first look; on another one the answer is no. It
  /// takes about a hundred microseconds.
  func isQuietSince() -> Bool {
    guard ProcessActivity.isMeasurable, thread == threadIdentity() else { return false }
    return isUnchanged(without: switchesOfThread) && busyThreads() == 1
      && isUnchanged(without: switchesOfThread)
  }

  /// Watches, from another thread, whether the current one, which is that of the first look, goes to
  /// sleep with nothing to do.
  ///
  /// - Parameter report: Told once, within some milliseconds.
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

  /// Compares with the first look, taking off the threads that may have been at work.
  private func isUnchanged(without own: () -> Int) -> Bool {
    var before = own()
    while true {
      let all = switchesOfProcess()
      let after = own()
      // Otherwise it is not known on which side of the sum a switch was counted.
      if before == after { return all - after == switches }
      before = after
    }
  }

  /// Whether this system tells what is needed, found out once by having another thread do something.
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

  /// How often threads have given up the processor, or lost it, since the process was started.
  private func switchesOfProcess() -> Int { switches(0) }  // RUSAGE_SELF
  private func switchesOfThread() -> Int { switches(1) }  // RUSAGE_THREAD

  private func switches(_ who: Int32) -> Int {
    var usage = rusage()
    getrusage(who, &usage)
    return usage.ru_nvcsw + usage.ru_nivcsw
  }

  /// The same of another thread; it never fits when that has ended.
  private func switchesOfThread(_ thread: String) -> Int {
    content(of: "/proc/self/task/\(thread)/status")
      .split(separator: "\n")
      .filter { $0.contains("ctxt_switches") }
      .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }
      .reduce(0, +)
  }

  private func threadIdentity() -> UInt { UInt(pthread_self()) }

  /// The number of the current thread, as the kernel has it.
  private func currentThread() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = readlink("/proc/thread-self", buffer.baseAddress!, buffer.count)
      let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
      return path.split(separator: "/").last.map(String.init) ?? ""
    }
  }

  /// How many threads are not asleep in a waiting place of their own: they run, or would if there were
  /// a processor for them, or are in the middle of some work. The current one is one of them.
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

  /// Whether a thread waits, and not for a processor.
  private func isAsleep(_ thread: String) -> Bool {
    // "17 (name, which may contain anything) S 1 …"
    let status = content(of: "/proc/self/task/\(thread)/stat")
    let state = status.lastIndex(of: ")").map { status[$0...].dropFirst(2).first }
    return state == "S"
  }

  /// The number of the system call that a thread waits in, if it does.
  private func systemCall(of thread: String) -> Int? {
    content(of: "/proc/self/task/\(thread)/syscall").split(separator: " ").first
      .flatMap { Int($0) }
  }

  /// Whether the system tells what threads wait in; not every container does.
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
