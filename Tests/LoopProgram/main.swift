// A program whose first thread runs a loop of its own, which tests run in a process of its own.
//
//   loop-program TASK

import Dispatch
import Glibc
import RondoScheduling

/// The events of the run, in their order.
var log: [String] = []

switch CommandLine.arguments.dropFirst().first {
case "everything": everything()
case "early": early()
case "wake-ups": wakeUps()
case "idle": idle()
case "nested": nested()
case "nested-in-work": nestedInWork()
case "endless": endless()
case "elsewhere": elsewhere()
case "poll": pollLoop()
default: exit(64)
}

/// Waits with `poll` for the main queue and runs its work, until something has come true.
///
/// - Returns: The number of times that the descriptor could be read.
@discardableResult
@MainActor
func run(until isDone: () -> Bool) -> Int {
  var source = pollfd(fd: MainQueue.fileDescriptor, events: Int16(POLLIN), revents: 0)
  var wakeUps = 0
  while !isDone() {
    wakeUps += Int(poll(&source, 1, -1))
    MainQueue.runPending()
  }
  return wakeUps
}

/// The times that the main queue's descriptor can be read in so many milliseconds.
func waitInVain(milliseconds: Int32) -> Int32 {
  var source = pollfd(fd: MainQueue.fileDescriptor, events: Int16(POLLIN), revents: 0)
  return poll(&source, 1, milliseconds)
}

/// The processor time that the process has taken, in milliseconds.
var processorTime: Double {
  var usage = rusage()
  getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
  let times = [usage.ru_utime, usage.ru_stime]
  return times.reduce(0) { $0 + Double($1.tv_sec) * 1e3 + Double($1.tv_usec) / 1e3 }
}

/// All that brings work to the main queue.
@MainActor func everything() {
  Task { @MainActor in
    log.append("task")
    try? await Task.sleep(for: .milliseconds(1))
    log.append("sleep")
    await Task.detached {}.value
    log.append("elsewhere and back")
  }
  DispatchQueue.main.async { MainActor.assumeIsolated { log.append("queue") } }
  DispatchQueue.main.schedule(after: DispatchQueue.main.now.advanced(by: .milliseconds(1))) {
    MainActor.assumeIsolated { log.append("scheduler") }
  }
  let timer = DispatchQueue.main.schedule(
    after: DispatchQueue.main.now, interval: .milliseconds(1)
  ) {
    MainActor.assumeIsolated { if !log.contains("timer") { log.append("timer") } }
  }
  Task { @MainActor in
    for await _ in ContinuousClock().timer(interval: .milliseconds(1)).prefix(2) {}
    log.append("clock")
  }
  run { log.count == 7 }
  timer.cancel()
  print(log.sorted().joined(separator: ", "))
}

/// Work that is there before anybody has asked for the descriptor.
@MainActor func early() {
  DispatchQueue.main.async { MainActor.assumeIsolated { log.append("early") } }
  print(run { !log.isEmpty }, log)
}

/// Pieces of work that come one after the other, and the wake-ups for them.
@MainActor func wakeUps() {
  Task { @MainActor in
    for number in 1...10 {
      await Task.detached {}.value
      log.append("\(number)")
    }
  }
  let wakeUps = run { log.count == 10 }
  print(log.count, wakeUps <= 22 ? "at most two each" : "\(wakeUps)", waitInVain(milliseconds: 0))
}

/// The processor time of waiting for nothing, after there was something.
@MainActor func idle() {
  Task { @MainActor in log.append("task") }
  run { !log.isEmpty }
  let start = processorTime
  let wakeUps = waitInVain(milliseconds: 400)
  print(wakeUps, processorTime - start < 100 ? "asleep" : "awake")
}

/// A loop that an event of the outer loop runs.
@MainActor func nested() {
  Task { @MainActor in log.append("outer") }
  run { !log.isEmpty }
  func dialog() {
    Task { @MainActor in
      await Task.detached {}.value
      log.append("inner")
    }
    run { log.last == "inner" }
  }
  dialog()
  Task { @MainActor in log.append("outer") }
  run { log.count == 3 }
  print(log)
}

/// A loop that a piece of the main queue's work runs.
@MainActor func nestedInWork() {
  DispatchQueue.main.async {
    MainActor.assumeIsolated {
      Task { @MainActor in log.append("task") }
      DispatchQueue.main.async { MainActor.assumeIsolated { log.append("queue") } }
      for _ in 1...10 where waitInVain(milliseconds: 0) == 1 { MainQueue.runPending() }
      log.append("end of the work, still readable: \(waitInVain(milliseconds: 0))")
    }
  }
  run { log.count == 3 }
  print(log)
}

/// Work that always adds more of itself.
@MainActor func endless() {
  @MainActor func again() {
    log.append("again")
    Task { @MainActor in again() }
  }
  Task { @MainActor in again() }
  var turns = 0
  run {
    turns += 1
    return turns > 100
  }
  print(log.count <= 100 ? "every turn returned" : "\(log.count)")
}

/// A call on a thread that serves nothing.
@MainActor func elsewhere() {
  Task { @MainActor in log.append("task") }
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    MainQueue.runPending()
    done.signal()
  }
  done.wait()
  print(log)
  run { !log.isEmpty }
  print(log)
}

/// The loop of the documentation, on a pipe that the main actor writes to and closes.
@MainActor func pollLoop() {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { exit(71) }
  let output = ends[1]
  Task { @MainActor in
    for byte in "Hello".utf8 {
      try? await Task.sleep(for: .milliseconds(1))
      var byte = byte
      write(output, &byte, 1)
    }
    close(output)
  }
  runLoop(reading: ends[0]) { log.append(String(decoding: $0, as: UTF8.self)) }
  print(log.joined())
}
