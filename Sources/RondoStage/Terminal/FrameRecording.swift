// Frames as a vector picture that moves: shapes and texts that glide, turn and fade between cells.

import Foundation
import RondoAnimation

/// The frames of a run, in order, as a vector picture.
///
/// Unlike a ``CanvasRecording`` it knows no cells: a node moves by parts of them, turns by any angle
/// and fades by any amount.
///
/// ```swift
/// var recording = FrameRecording(width: 40, height: 20)
/// for index in 0...60 { recording.add(stage.frame(at: .milliseconds(40) * index)) }
/// print(recording.animatedSVG())
/// ```
///
/// A cell is a square of 10 units, and a text is set in a fixed font that is as wide as its
/// cells. Coordinates and times are rounded, so that the same frames give the same bytes.
public struct FrameRecording: Sendable {
  /// The number of columns.
  public let width: Int

  /// The number of rows.
  public let height: Int

  /// The frames, in ascending order of time.
  public private(set) var frames: [StageFrame] = []

  /// A recording of nothing yet.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Adds a frame. One at the same instant as the last one replaces it.
  public mutating func add(_ frame: StageFrame) {
    if frames.last?.instant == frame.instant { frames.removeLast() }
    frames.append(frame)
  }

  /// The recording as an animated SVG without scripts, which begins anew when it is over.
  ///
  /// Where nothing is animated the first frame is seen.
  ///
  /// - Parameters:
  ///   - title: The title, for readers who do not see the picture.
  ///   - pause: The time for which the last frame stays.
  ///   - background: The colour of the picture.
  ///   - foreground: The colour of what has none.
  ///
  /// Complexity: O(*n* · *m*) for *n* frames and *m* things in all of them. A text that becomes another one is
  /// two things.
  public func animatedSVG(
    title: String? = nil,
    pause: Duration = .seconds(1),
    background: Color = CanvasRecording.ground,
    foreground: Color = .white
  ) -> String {
    let start = frames.first?.instant ?? .zero
    let end = (frames.last?.instant ?? .zero) - start + pause
    let writer = VectorWriter(
      times: frames.map { ($0.instant - start) / end }, duration: end, foreground: foreground)
    let (w, h) = (SVG.spell(Double(width) * 10), SVG.spell(Double(height) * 10))
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 \(w) \(h)\" "
        + "font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" "
        + "font-size=\"16\" dominant-baseline=\"central\">" + SVG.title(title),
      "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"\(background)\"/>",
    ]
    for (number, track) in tracks().enumerated() {
      lines.append(contentsOf: writer.write(track, name: "c\(number)"))
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// The things that are drawn, back to front, with their states in the frames.
  ///
  /// A thing that is new in a frame comes right above the one that is drawn before it there.
  fileprivate func tracks() -> [VectorTrack] {
    var tracks: [VectorTrack] = []
    // The place of each thing in the list, from 1, and the place of the thing right above it. Below all is 0,
    // and so is above all.
    var places: [VectorTrack.Key: Int] = [:]
    var next = [0]
    for (index, frame) in frames.enumerated() {
      var last = 0
      var occurrences: [Int: Int] = [:]
      for node in frame.nodes {
        let occurrence = occurrences[node.track, default: 0]
        occurrences[node.track] = occurrence + 1
        for content in VectorContent.contents(of: node) {
          let key = VectorTrack.Key(track: node.track, occurrence: occurrence, content: content)
          let place = places[key] ?? next.count
          if place == next.count {
            places[key] = place
            tracks.append(
              VectorTrack(key: key, states: Array(repeating: nil, count: frames.count)))
            next.append(next[last])
            next[last] = place
          }
          last = place
          tracks[place - 1].states[index] = VectorState(node, content, clips: frame.clips)
        }
      }
    }
    var drawn: [VectorTrack] = []
    var place = next[0]
    while place > 0 {
      let track = tracks[place - 1]
      if track.states.contains(where: { $0.map { $0.opacity > 0.001 } ?? false }) {
        drawn.append(track)
      }
      place = next[place]
    }
    return drawn
  }
}

/// One thing that is drawn: its outline or its text, which stay the same.
private struct VectorContent: Hashable {
  enum Form: Hashable {
    case text(String, font: String?)
    /// Outlines of the same kinds of pieces, which move into one another.
    case path(pieces: String, lineWidth: Double?)
    case background
  }

  var form: Form

  static func contents(of node: ResolvedNode) -> [VectorContent] {
    var result: [VectorContent] = []
    if node.appearance.background != nil { result.append(VectorContent(form: .background)) }
    switch node.content {
    case .group: break
    case .text(let text):
      if !text.allSatisfy(\.isWhitespace) {
        result.append(VectorContent(form: .text(text, font: node.appearance.font)))
      }
    case .shape(let shape):
      let pieces = outline(of: shape, node.appearance.size).pieces
      result.append(VectorContent(form: .path(pieces: pieces, lineWidth: shape.lineWidth)))
    }
    return result
  }

  /// The outline about the origin, in units.
  static func outline(of shape: some Shape, _ size: Size) -> Path {
    let (width, height) = (size.width * 10, size.height * 10)
    let rect = CGRect(x: -width / 2, y: -height / 2, width: width, height: height)
    let unit = CGRect(x: 0, y: 0, width: size.width, height: size.height)
    let path = shape.path(in: unit)
    guard path.isUnknown else { return path.mapped { ($0 - size.middle) * Point(x: 10, y: 10) } }
    // Strips of the points that are inside.
    var sampled = Path()
    let rows = 24
    for row in 0..<rows {
      var start: Int?
      for column in 0...48 {
        let isInside =
          column < 48
          && shape.draws(
            UnitPoint(x: (Double(column) + 0.5) / 48, y: (Double(row) + 0.5) / Double(rows)),
            size: size)
        if isInside, start == nil { start = column }
        if !isInside, let first = start {
          start = nil
          let strip = rect.height / CGFloat(rows)
          sampled.addRect(
            CGRect(
              x: rect.minX + rect.width * CGFloat(first) / 48, y: rect.minY + strip * CGFloat(row),
              width: rect.width * CGFloat(column - first) / 48, height: strip))
        }
      }
    }
    return sampled
  }
}

/// A thing that is drawn, and its states in the frames.
private struct VectorTrack {
  struct Key: Hashable {
    var track: Int
    var occurrence: Int
    var content: VectorContent
  }

  let key: Key
  /// `nil` in frames in which it is not there.
  var states: [VectorState?]
}

/// The state of a thing in one frame, in units.
private struct VectorState: Hashable {
  var center: Point
  var rotation: Double
  var shear: Double
  var scale: Point
  var size: Size
  var opacity: Double
  var color: Color?
  var path = Path()
  var clips: [Clip]

  struct Clip: Hashable {
    var path: Path
    var transform: CGAffineTransform
  }

  init(_ node: ResolvedNode, _ content: VectorContent, clips: [StageFrame.Clip]) {
    let appearance = node.appearance
    center = appearance.center * Point(x: 10, y: 10)
    rotation = appearance.rotation
    shear = appearance.shear
    scale = appearance.scale
    size = Size(width: appearance.size.width * 10, height: appearance.size.height * 10)
    opacity = min(max(appearance.opacity, 0), 1)
    color = content.form == .background ? appearance.background : appearance.foreground
    if case .path = content.form, case .shape(let shape) = node.content {
      path = VectorContent.outline(of: shape, appearance.size)
    }
    var index = node.clip
    self.clips = []
    while index >= 0 {
      let clip = clips[index]
      let size = clip.appearance.size
      let path = clip.shape.path(in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
      self.clips.append(
        Clip(
          path: path.isUnknown
            ? Path(CGRect(x: 0, y: 0, width: size.width, height: size.height)) : path,
          transform: clip.appearance.transform))
      index = clip.outer
    }
  }
}

/// Writes tracks as elements.
private struct VectorWriter {
  /// The times of the frames, as parts of the whole duration.
  let times: [Double]
  let duration: Duration
  let foreground: Color

  /// - Parameter name: The name of the clip around the track, which no other has.
  func write(_ track: VectorTrack, name: String) -> [String] {
    guard let first = track.states.lazy.compactMap(\.self).first else { return [] }
    // A thing that is not there keeps its last state, and is invisible.
    var filled: [VectorState] = []
    var last = first
    for state in track.states {
      if let state { last = state }
      filled.append(last)
    }
    let opacities = track.states.map { SVG.spell($0?.opacity ?? 0, digits: 3) }
    var open = ""
    var close = ""
    func wrap(_ attributes: String, _ animation: String) {
      open += "<g\(attributes)>\(animation)"
      close = "</g>" + close
    }
    let clip = clipping(filled.map(\.clips), name)
    open += clip
    wrap(
      (clip.isEmpty ? "" : " clip-path=\"url(#\(name))\"")
        + (opacities[0] == "1" ? "" : " opacity=\"\(opacities[0])\""),
      animate("attributeName=\"opacity\"", opacities, isStep: track.states.map { $0 == nil }))
    transform(
      filled.map { "\(SVG.spell($0.center.x)) \(SVG.spell($0.center.y))" }, "translate", "0 0", wrap
    )
    transform(filled.map { SVG.spell($0.rotation) }, "rotate", "0", wrap)
    transform(
      filled.map { SVG.spell(atan($0.shear) * 180 / .pi) }, "skewX", "0", wrap)
    transform(
      filled.map { "\(SVG.spell($0.scale.x, digits: 3)) \(SVG.spell($0.scale.y, digits: 3))" },
      "scale", "1 1", wrap)
    return [open + element(track.key.content, filled) + close]
  }

  private func transform(
    _ values: [String],
    _ type: String,
    _ identity: String,
    _ wrap: (String, String) -> Void
  ) {
    guard values.contains(where: { $0 != identity }) else { return }
    wrap(
      " transform=\"\(type)(\(values[0]))\"",
      animate("attributeName=\"transform\" type=\"\(type)\"", values, element: "animateTransform"))
  }

  private func element(_ content: VectorContent, _ states: [VectorState]) -> String {
    let fills = states.map { ($0.color ?? foreground).description }
    switch content.form {
    case .background:
      let widths = states.map { SVG.spell($0.size.width) }
      let heights = states.map { SVG.spell($0.size.height) }
      let xs = states.map { SVG.spell(-$0.size.width / 2) }
      let ys = states.map { SVG.spell(-$0.size.height / 2) }
      return "<rect x=\"\(xs[0])\" y=\"\(ys[0])\" width=\"\(widths[0])\" height=\"\(heights[0])\" "
        + "fill=\"\(fills[0])\">" + animate("attributeName=\"x\"", xs)
        + animate("attributeName=\"y\"", ys) + animate("attributeName=\"width\"", widths)
        + animate("attributeName=\"height\"", heights) + animate("attributeName=\"fill\"", fills)
        + "</rect>"
    case .path(_, let lineWidth):
      let outlines = states.map { data($0.path) }
      let paint =
        lineWidth.map {
          "fill=\"none\" stroke=\"\(fills[0])\" stroke-width=\"\(SVG.spell($0 * 10))\""
        } ?? "fill=\"\(fills[0])\""
      let attribute = lineWidth == nil ? "fill" : "stroke"
      return "<path d=\"\(outlines[0])\" \(paint)>" + animate("attributeName=\"d\"", outlines)
        + animate("attributeName=\"\(attribute)\"", fills) + "</path>"
    case .text(let text, let font):
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let style = font.map { " style=\"font: \(SVG.escape($0))\"" } ?? ""
      let size = TextMeasure.size(of: text)
      return lines.enumerated().map { index, line in
        let y = (Double(index) - (size.height - 1) / 2) * 10
        return "<text x=\"\(SVG.spell(-size.width * 5))\" y=\"\(SVG.spell(y))\" "
          + "textLength=\"\(SVG.spell(TextMeasure.size(of: String(line)).width * 10))\" "
          + "lengthAdjust=\"spacingAndGlyphs\" fill=\"\(fills[0])\"\(style)>\(SVG.escape(String(line)))"
          + animate("attributeName=\"fill\"", fills) + "</text>"
      }.joined()
    }
  }

  /// The clips around a thing, as definitions: the innermost has the name, and is clipped by the next.
  private func clipping(_ states: [[VectorState.Clip]], _ name: String) -> String {
    let depth = states.map(\.count).max() ?? 0
    // Counted from the outermost, which stays when one inside of it comes or goes.
    return (0..<depth).map { level in
      let paths = states.map { clips in
        level < clips.count
          ? data(clips[clips.count - 1 - level].path, by: clips[clips.count - 1 - level].transform)
          : "M-10000 -10000L10000 -10000L10000 10000L-10000 10000Z"
      }
      let id = level == depth - 1 ? name : "\(name)-\(level)"
      let outer = level == 0 ? "" : " clip-path=\"url(#\(name)-\(level - 1))\""
      return "<clipPath id=\"\(id)\"\(outer)><path d=\"\(paths[0])\">"
        + animate("attributeName=\"d\"", paths) + "</path></clipPath>"
    }.joined()
  }

  /// An animation through the values of all frames, without those between which nothing changes.
  private func animate(
    _ attributes: String,
    _ values: [String],
    element: String = "animate",
    isStep: [Bool]? = nil
  ) -> String {
    guard values.contains(where: { $0 != values[0] }) else { return "" }
    var kept: [(time: Double, value: String)] = []
    for index in values.indices {
      let isFirst = index == 0
      let isLast = index == values.count - 1
      let differs =
        isFirst || isLast || values[index] != values[index - 1]
        || values[index] != values[index + 1]
      guard differs else { continue }
      // A thing that comes or goes at once does so between two frames.
      if let isStep, index > 0, isStep[index] != isStep[index - 1] {
        let before = isStep[index] ? values[index - 1] : "0"
        let place = times[index] - 0.000_01
        if kept.last.map({ $0.time < place }) ?? true { kept.append((place, before)) }
      }
      kept.append((times[index], values[index]))
    }
    if let last = kept.last, last.time < 1 { kept.append((1, last.value)) }
    return "<\(element) \(attributes) dur=\"\(duration.inMilliseconds)s\" "
      + "repeatCount=\"indefinite\" values=\"\(kept.map(\.value).joined(separator: ";"))\" "
      + "keyTimes=\"\(kept.map { SVG.spell($0.time, digits: 5) }.joined(separator: ";"))\"/>"
  }

  private func data(_ path: Path, by transform: CGAffineTransform? = nil) -> String {
    func place(_ point: Point) -> String {
      let point = transform.map { $0.apply(point) * Point(x: 10, y: 10) } ?? point
      return "\(SVG.spell(point.x)) \(SVG.spell(point.y))"
    }
    return path.elements.map { element in
      switch element {
      case .move(let point): "M\(place(point))"
      case .line(let point): "L\(place(point))"
      case .curve(let end, let one, let two): "C\(place(one)) \(place(two)) \(place(end))"
      case .closeSubpath: "Z"
      }
    }.joined()
  }
}

extension Size {
  fileprivate var middle: Point { Point(x: width / 2, y: height / 2) }
}

extension Path {
  /// The outline with all points mapped.
  fileprivate func mapped(_ map: (Point) -> Point) -> Path {
    var path = self
    path.map(map)
    return path
  }
}

extension Path.Element {
  func mapped(_ map: (Point) -> Point) -> Path.Element {
    switch self {
    case .move(let point): .move(to: map(point))
    case .line(let point): .line(to: map(point))
    case .curve(let end, let one, let two):
      .curve(to: map(end), control1: map(one), control2: map(two))
    case .closeSubpath: .closeSubpath
    }
  }
}

extension Path {
  /// The kinds of the pieces, one character each.
  fileprivate var pieces: String {
    String(
      elements.map { element -> Character in
        switch element {
        case .move: "M"
        case .line: "L"
        case .curve: "C"
        case .closeSubpath: "Z"
        }
      })
  }
}
