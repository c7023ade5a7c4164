// Everything that a canvas has shown in a while, to be written in one form or another.

/// The canvases of a run, in order, each with the time at which it was drawn.
///
/// ```swift
/// var recording = CanvasRecording(width: 80, height: 24)
/// recording.add(Canvas(stage.frame(at: now), width: 80, height: 24), at: now)
/// print(recording.animatedSVG())
/// ```
public struct CanvasRecording: Sendable {
  /// A canvas, and when it was drawn.
  public struct Frame: Sendable {
    /// The time since the start of the recording.
    public var time: Duration
    /// The picture at this time.
    public var canvas: Canvas
  }

  /// The number of columns.
  public let width: Int

  /// The number of rows.
  public let height: Int

  /// The frames so far, in ascending order of time.
  public private(set) var frames: [Frame] = []

  /// A recording of nothing yet.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Adds a frame. One that nobody has seen, because the next is drawn at the same instant, is
  /// replaced by it; one that shows the same as the one before is left out.
  public mutating func add(_ canvas: Canvas, at time: Duration) {
    if frames.last?.time == time { frames.removeLast() }
    guard frames.last?.canvas != canvas else { return }
    frames.append(Frame(time: time, canvas: canvas))
  }

  /// The canvas at an instant; `nil` before the first frame.
  public func canvas(at time: Duration) -> Canvas? {
    frames.last { $0.time <= time }?.canvas
  }

  /// The frames as text, each with the name of a file: `frame-001-0.000s.txt`. In the order of the
  /// names they are in the order of their times: all numbers are as long as the last one, and have three
  /// digits at least.
  public var textFiles: [(name: String, text: String)] {
    let digits = max(3, "\(frames.count)".count)
    return frames.enumerated().map { index, frame in
      let number = "\(index + 1)"
      let zeros = String(repeating: "0", count: digits - number.count)
      return ("frame-\(zeros)\(number)-\(frame.time.inMilliseconds)s.txt", frame.canvas.text + "\n")
    }
  }
}

extension Duration {
  /// Seconds with three decimals: `0.537`. Less than none are none.
  package var inMilliseconds: String {
    let (seconds, attoseconds) = max(.zero, self).components
    let milliseconds = "\(attoseconds / 1_000_000_000_000_000)"
    return "\(seconds)." + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
  }
}
