// A recording for terminal players: asciicast, version 2.

import RondoStage

import enum RondoHomeFeature.JSONText

extension CanvasRecording {
  /// The recording in the asciicast format, version 2: a header, then a line for every change, as
  /// it is sent to a terminal. The last line changes nothing: the end stays for three seconds before all begins anew.
  public var asciicast: String {
    var lines = [
      "{\"version\": 2, \"width\": \(width), \"height\": \(height), "
        + "\"title\": \"isowords-home\"}"
    ]
    var shown: Canvas?
    for frame in frames {
      let change = frame.canvas.ansi(from: shown, ability: .full)
      let data = shown == nil ? "\u{1b}[?25l\u{1b}[2J" + change : change
      lines.append("[\(frame.time.inMicroseconds), \"o\", \(JSONText.quoted(data))]")
      shown = frame.canvas
    }
    if let last = frames.last {
      lines.append("[\((last.time + .seconds(3)).inMicroseconds), \"o\", \"\"]")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Duration {
  /// Seconds with six decimals: `0.537000`.
  fileprivate var inMicroseconds: String {
    let (seconds, attoseconds) = components
    let microseconds = "\(attoseconds / 1_000_000_000_000)"
    return "\(seconds)." + String(repeating: "0", count: 6 - microseconds.count) + microseconds
  }
}
