// The time that frames take, and the time between them.

import RondoStage

/// The time that frames take, and the time between them.
public struct FrameTimes {
  private var instants: [Duration] = []
  private var ticks: [Int] = []
  private var drawings: [Int] = []

  init() {}

  mutating func addTick(at instant: Duration, taking microseconds: Int) {
    instants.append(instant)
    ticks.append(microseconds)
  }

  mutating func addDrawing(taking microseconds: Int) { drawings.append(microseconds) }

  /// The number of frames of the clock.
  public var count: Int { instants.count }

  /// The distances, the resolving and the drawing of frames in a line each: the median, the 95th of
  /// a hundred, and the longest.
  public var report: String {
    let gaps = zip(instants.dropFirst(), instants).map {
      Int(($0.0 - $0.1) / .microseconds(1))
    }
    return [
      ("from one frame to the next", gaps), ("resolving a frame", ticks),
      ("handing it to GTK", drawings),
    ].map { Self.line($0.0, $0.1) }.joined(separator: "\n")
  }

  private static func line(_ name: String, _ microseconds: [Int]) -> String {
    let sorted = microseconds.sorted()
    guard !sorted.isEmpty else { return "\(name): none" }
    func at(_ part: Double) -> String {
      let value = sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
      return "\(Double(value / 10) / 100) ms"
    }
    return "\(name): median \(at(0.5)), 95 % \(at(0.95)), longest \(at(1)) of \(sorted.count)"
  }
}
