// Whether anybody else in the process has been at work: how work that has left is told from a task
// that waits for ever.

import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A look at the threads of the process other than the current one.
///
/// A task that is suspended shows nobody what it waits for. But if it waits for something that is
/// done elsewhere (on a queue, by another thread, by a timer of the system), then a thread was given
/// that work while the task was running, and has been woken for it: it has had the processor since,
/// or stands in line for it now. The kernel counts the first and shows the second. If neither is the
/// case, then nobody has been given anything, and nothing will ever come.
///
/// The reverse does not hold. In a process that is busy with other tests somebody has always been at
/// work, and the store waits although nothing may come. So a verdict may be late, but is never wrong.
struct ProcessActivity {
  private let switches: Int
  private let thread: UInt

  /// The activity up to now. It takes about a microsecond.
  static var current: Self {
    Self(switches: switchesOfOtherThreads, thread: currentThread)
  }

  /// Whether no other thread has been at work since, or is about to be.
  ///
  /// It has to be asked on the thread that took the first look; on another one the answer is no. It
  /// takes about a hundred microseconds.
  func isQuietSince() -> Bool {
    guard ProcessActivity.isMeasurable, isUnchanged, !isAnotherThreadReady else { return false }
    return isUnchanged
  }

  private var isUnchanged: Bool {
    thread == currentThread && switches == switchesOfOtherThreads
  }
}

#if os(Linux)
  private var currentThread: UInt { UInt(pthread_self()) }

  /// How often other threads have given up the processor, or lost it, since the process was started.
  private var switchesOfOtherThreads: Int {
    var all = rusage()
    var own = rusage()
    getrusage(0, &all)  // RUSAGE_SELF: all threads, those that have ended included.
    getrusage(1, &own)  // RUSAGE_THREAD
    return all.ru_nvcsw + all.ru_nivcsw - own.ru_nvcsw - own.ru_nivcsw
  }

  /// Whether a thread other than the current one runs, or would if there were a processor for it.
  private var isAnotherThreadReady: Bool {
    guard let folder = opendir("/proc/self/task") else { return true }
    defer { closedir(folder) }
    var ready = 0
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.first?.isNumber == true else { continue }
      if state(ofThread: name) != "S" { ready += 1 }
    }
    // The current thread is one of them.
    return ready > 1
  }

  /// The letter of a thread's state, as in `ps`. A thread that has just ended counts as running.
  private func state(ofThread name: String) -> Character {
    let file = open("/proc/self/task/\(name)/stat", O_RDONLY)
    guard file >= 0 else { return "R" }
    defer { close(file) }
    let line = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
    // "17 (name, which may contain anything) S 1 …"
    guard let end = line.lastIndex(of: ")") else { return "R" }
    return line[end...].dropFirst(2).first ?? "R"
  }

  extension ProcessActivity {
    /// Whether this system tells what is needed, found out once by having another thread do
    /// something.
    fileprivate static let isMeasurable: Bool = {
      let before = switchesOfOtherThreads
      var thread = pthread_t()
      let status = pthread_create(&thread, nil, { _ in usleep(1); return nil }, nil)
      guard status == 0 else { return false }
      pthread_join(thread, nil)
      return switchesOfOtherThreads > before
    }()
  }
#else
  private var currentThread: UInt { 0 }
  private var switchesOfOtherThreads: Int { 0 }
  private var isAnotherThreadReady: Bool { true }

  extension ProcessActivity {
    fileprivate static var isMeasurable: Bool { false }
  }
#endif
