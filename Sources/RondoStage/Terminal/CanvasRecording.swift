// Everything that the screen has shown in a run, to be written in one form or another.

import Foundation
import RondoStage

/// The frames of a run, in order, each with the time at which it was drawn.
public struct ScreenRecording: Sendable {
  public struct Frame: Sendable {
    public var time: Duration
    public var canvas: Canvas
  }

  public let size: ScreenSize
  public private(set) var frames: [Frame] = []

  public init(size: ScreenSize) {
    self.size = size
  }

  /// Adds a frame. One that nobody has seen, because the next is drawn at the same instant, is
  /// replaced by it; one that shows the same as the one before is left out.
  public mutating func add(_ canvas: Canvas, at time: Duration) {
    if frames.last?.time == time { frames.removeLast() }
    guard frames.last?.canvas != canvas else { return }
    frames.append(Frame(time: time, canvas: canvas))
  }

  /// What is seen at an instant; `nil` before the first frame.
  public func canvas(at time: Duration) -> Canvas? {
    frames.last { $0.time <= time }?.canvas
  }
}

extension ScreenRecording {
  /// The frames as text, each with the name of a file: `frame-001-0.000s.txt`. In the order of the
  /// names they are in the order of their times.
  public var textFiles: [(name: String, text: String)] {
    frames.enumerated().map { index, frame in
      let number = String(repeating: "0", count: max(0, 3 - "\(index + 1)".count)) + "\(index + 1)"
      return ("frame-\(number)-\(frame.time.inMilliseconds)s.txt", frame.canvas.text + "\n")
    }
  }
}

extension Duration {
  /// Seconds with three decimals: `0.537`.
  var inMilliseconds: String { decimal(3) }

  /// Seconds with six decimals: `0.537000`.
  var inMicroseconds: String { decimal(6) }

  private func decimal(_ digits: Int) -> String {
    let unit = (0..<digits).reduce(Int64(1_000_000_000_000_000_000)) { unit, _ in unit / 10 }
    let (seconds, attoseconds) = components
    let fraction = "\(attoseconds / unit)"
    return "\(seconds)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
