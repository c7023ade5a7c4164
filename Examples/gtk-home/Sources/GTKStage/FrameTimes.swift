// The processor time that frames take, and the time between them.

import Foundation
import RondoStage

/// The processor time that frames take, and the time between them.
///
/// Processor time says what a frame costs, whatever else the machine does meanwhile.
public struct FrameTimes {
  private var instants: [Duration] = []
  private var ticks: [Duration] = []
  private var drawings: [Duration] = []
  /// The processor time of the whole program between two frames, with GTK's drawing.
  private var totals: [Duration] = []
  private var last = processorTime(of: CLOCK_PROCESS_CPUTIME_ID)

  init() {}

  /// The processor time of the current thread.
  static var ofThread: Duration { processorTime(of: CLOCK_THREAD_CPUTIME_ID) }

  private static func processorTime(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  mutating func addTick(at instant: Duration, taking time: Duration) {
    instants.append(instant)
    ticks.append(time)
    let now = Self.processorTime(of: CLOCK_PROCESS_CPUTIME_ID)
    totals.append(now - last)
    last = now
  }

  mutating func addDrawing(taking time: Duration) { drawings.append(time) }

  /// The number of frames of the clock.
  public var count: Int { instants.count }

  /// The distances of frames and what they cost, in a line each: the median, the 95th of a hundred,
  /// and the longest. The last line says how many frames came in time for 60 in a second.
  public var report: String {
    let distances = zip(instants.dropFirst(), instants).map { $0.0 - $0.1 }
    return [
      ("from one frame to the next", distances),
      ("processor time of resolving a frame", ticks),
      ("processor time of handing it to GTK", drawings),
      ("processor time of all of it, with GTK's drawing", totals),
    ].map { Self.line($0.0, $0.1) }.joined(separator: "\n") + "\n" + Self.share(distances)
  }

  /// The share of frames that came in time. The clock of a window ticks every sixtieth of a second.
  private static func share(_ distances: [Duration]) -> String {
    guard !distances.isEmpty else { return "in time for 60 frames a second: none" }
    let count = distances.count { $0 < .milliseconds(17) }
    let tenths = (Double(count) / Double(distances.count) * 1000).rounded()
    return "in time for 60 frames a second: \(tenths / 10) % of \(distances.count)"
  }

  private static func line(_ name: String, _ times: [Duration]) -> String {
    let sorted = times.sorted()
    guard !sorted.isEmpty else { return "\(name): none" }
    func at(_ part: Double) -> String {
      let time = sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
      return "\((time / .milliseconds(1) * 100).rounded() / 100) ms"
    }
    return "\(name): median \(at(0.5)), 95 % \(at(0.95)), longest \(at(1)) of \(sorted.count)"
  }
}
