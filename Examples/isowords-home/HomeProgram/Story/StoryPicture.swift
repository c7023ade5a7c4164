// The story of the launch as an animated SVG.

import Foundation
import RondoStage

/// The picture of a story: on the left the code, whose lines light up as they run; on the right the screen; below what
/// runs and waits, and what was answered with which tag.
///
/// It moves by itself, without scripts. A reader who wants no motion sees its end. Its colours follow the reader's choice
/// of light or dark.
struct StoryPicture {
  let story: LaunchStory
  /// The screen, at the times of the picture.
  let screen: CanvasRecording
  /// The time from the beginning of the picture to the launch, and its whole length, in seconds.
  let lead: Double
  let length: Double
  /// The seconds of the picture for a second of the launch.
  let slowness: Double

  private static let size = (width: 830.0, height: 604.0)
  private static let glyph = 7.25
  private static let lane = (top: 394.0, height: 25.0, left: 214.0, right: 806.0)

  /// The last time that the lanes show, in seconds of the launch.
  private var end: Double {
    let last = story.work.flatMap(\.answers).map { $0.time + ($0.duration ?? 0) }.max() ?? 1
    return (last * 20).rounded(.up) / 20
  }

  var svg: String {
    let (w, h) = (spell(Self.size.width), spell(Self.size.height))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(w) \(h)" width="\(w)" height="\(h)" role="img" \
      aria-labelledby="title description">
      <title id="title">The launch of the home screen, at a fifth of its speed</title>
      <desc id="description">\(SVG.escape(description))</desc>
      \(style)
      <defs>\(patterns)</defs>
      <rect class="paper" x="0.5" y="0.5" width="\(spell(Self.size.width - 1))" height="\(spell(Self.size.height - 1))" rx="10"/>
      <g class="moving">
      \(content(moving: true))
      </g>
      <g class="still">
      \(content(moving: false))
      </g>
      </svg>

      """
  }

  /// A hatch in the colour of each part.
  private var patterns: String {
    (0..<4).map { part in
      "<pattern id=\"waits\(part)\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        + "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" class=\"p\(part) pale\"/>"
        + "<rect width=\"1.5\" height=\"6\" class=\"p\(part)\"/></pattern>"
    }.joined()
  }

  private var description: String {
    "Three steps, one behind the other: the saved games are read; the player signs in; then the server and the matches "
      + "are asked side by side. The saved games are untagged, and just there. What is received on "
      + "mainQueue.animation() is tagged .default, and shown with an animation. A dotted line is what has not "
      + "begun, a hatched bar what waits for its answer."
  }

  private var style: String {
    """
    <style>
    svg { --paper: #ffffff; --line: #d0d7de; --text: #1f2328; --dim: #59636e; --tag: #f4c95d;
      --p0: #0969da; --p1: #8250df; --p2: #0b7a75; --p3: #bc4c00 }
    @media (prefers-color-scheme: dark) {
      svg { --paper: #0d1117; --line: #30363d; --text: #e6edf3; --dim: #9198a1; --tag: #f4c95d;
        --p0: #58a6ff; --p1: #bc8cff; --p2: #39c5bb; --p3: #f0883e }
    }
    .code, .words { white-space: pre; fill: var(--text); font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace }
    .words { font-family: system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif }
    .small { font-size: 11px }
    .head { font-size: 11px; font-weight: 600; letter-spacing: 0.04em; fill: var(--dim) }
    .dim { fill: var(--dim) }
    .paper { fill: var(--paper); stroke: var(--line) }
    .rule { stroke: var(--line) }
    .later { stroke: var(--dim); stroke-width: 1.5; stroke-dasharray: 1.5 4 }
    .pale { opacity: 0.3 }
    .tag { fill: var(--tag) } .ontag { fill: #15151f }
    .untagged { fill: none; stroke: var(--dim); stroke-dasharray: 2 2 }
    .now { stroke: var(--text); stroke-width: 1.5 }
    .p0 { fill: var(--p0) } .p1 { fill: var(--p1) } .p2 { fill: var(--p2) } .p3 { fill: var(--p3) }
    .lit { opacity: 0.2 }
    .still { display: none }
    @media (prefers-reduced-motion: reduce) { .moving { display: none } .still { display: inline } }
    </style>
    """
  }

  private func content(moving: Bool) -> String {
    [codeElements(moving), captions(moving), screenElement(moving), lanes(moving), legend].joined(
      separator: "\n")
  }

  // MARK: Time

  /// A time of the launch as a part of the whole picture.
  private func part(_ time: Double) -> Double { (lead + time * slowness) / length }

  /// A group that is seen from a time of the launch on, and until another one.
  private func shown(
    _ moving: Bool, from start: Double, until end: Double? = nil, _ content: String
  ) -> String {
    // At the end nothing runs any more.
    guard moving else { return end == nil ? "<g>\(content)</g>" : "" }
    let values = ["hidden", "visible"] + (end == nil ? [] : ["hidden"])
    let keys = [0, part(start)] + (end.map { [part($0)] } ?? [])
    return "<g visibility=\"\(end == nil ? "visible" : "hidden")\">"
      + animate("visibility", values, keys, isDiscrete: true) + content + "</g>"
  }

  private func animate(
    _ attribute: String, _ values: [String], _ keys: [Double], isDiscrete: Bool = false
  ) -> String {
    "<animate attributeName=\"\(attribute)\"\(isDiscrete ? " calcMode=\"discrete\"" : "") "
      + "dur=\"\(spell(length))s\" repeatCount=\"indefinite\" values=\"\(values.joined(separator: ";"))\" "
      + "keyTimes=\"\(keys.map { spell($0, digits: 4) }.joined(separator: ";"))\"/>"
  }

  // MARK: The code

  private func codeElements(_ moving: Bool) -> String {
    var elements = [words("THE LAUNCH IS ONE EFFECT", x: 18, y: 30, "head")]
    for (index, line) in LaunchStory.code.enumerated() {
      let y = 54 + 18.5 * Double(index)
      let code = text(line.text, x: 34, y: y, advance: Self.glyph)
      guard let number = line.part, story.parts.indices.contains(number) else {
        elements.append(code)
        continue
      }
      let times = story.parts[number]
      let lit = rectangle("p\(number) lit", x: 28, y: y - 13.5, width: 322, height: 18.5)
      let bar = rectangle("p\(number)", x: 24, y: y - 13.5, width: 4, height: 18.5)
      elements.append(shown(moving, from: times.lowerBound, until: times.upperBound, lit))
      elements.append(shown(moving, from: times.lowerBound, bar))
      let isFirst = LaunchStory.code[..<index].last?.part != number
      if isFirst {
        elements.append(text("\(number + 1)", x: 10, y: y, classes: "p\(number)"))
        elements.append(
          shown(moving, from: times.upperBound, text("✓", x: 344, y: y, classes: "p\(number)")))
      }
      elements.append(dimmed(moving, until: times.lowerBound, code))
    }
    let below = 54 + 18.5 * Double(LaunchStory.code.count)
    elements.append(
      words(
        "Beside it, and not shown: a listener to turns, and a clock.", x: 34, y: below,
        "words small dim"))
    return elements.joined(separator: "\n")
  }

  /// Something that is dim until a time of the launch.
  private func dimmed(_ moving: Bool, until time: Double, _ content: String) -> String {
    guard moving else { return content }
    return "<g>" + animate("opacity", ["0.45", "1"], [0, part(time)], isDiscrete: true) + content
      + "</g>"
  }

  /// The events in words, which become bright when they happen.
  private func captions(_ moving: Bool) -> String {
    let sentences = [
      ("1  The saved games are read. Untagged: just there.", 0),
      ("2  Sign-in: its end is waited for, its answer dropped.", 1),
      ("3, 4  Then server and matches, side by side. What is", 2),
      ("received on an animated queue is tagged: animated.", 2),
    ]
    return sentences.enumerated().map { index, sentence in
      let start =
        story.parts.indices.contains(sentence.1) ? story.parts[sentence.1].lowerBound : 0
      return dimmed(
        moving, until: start,
        words(sentence.0, x: 18, y: 286 + 18 * Double(index)))
    }.joined(separator: "\n")
  }

  // MARK: The screen

  private func screenElement(_ moving: Bool) -> String {
    var shown = screen
    if !moving, let last = screen.frames.last {
      shown = CanvasRecording(width: screen.width, height: screen.height)
      shown.add(last.canvas, at: .zero)
    }
    let pause = length - (shown.frames.last?.time ?? .zero) / .seconds(1)
    let (width, height) = (Double(screen.width) * 8.4 + 20, Double(screen.height) * 18 + 20)
    // A group, which has the time of the whole picture; an SVG inside of another has one of its own in some browsers.
    let content = shown.animatedSVG(pause: .seconds(pause)).split(separator: "\n").dropFirst()
      .dropLast().joined(separator: "\n")
      .replacing(
        "<rect width=\"100%\" height=\"100%\"",
        with: "<rect width=\"\(spell(width))\" height=\"\(spell(height))\"", maxReplacements: 1)
    let scale = spell(450 / width, digits: 4)
    return words("THE SCREEN", x: 362, y: 30, "head")
      + "\n<g transform=\"translate(362 40) scale(\(scale))\" xml:space=\"preserve\" "
      + "font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\">"
      + "\n\(content)\n</g>"
  }

  // MARK: The lanes

  private func x(_ time: Double) -> Double {
    Self.lane.left + (Self.lane.right - Self.lane.left) * time / end
  }

  private func lanes(_ moving: Bool) -> String {
    let (top, height) = (Self.lane.top, Self.lane.height)
    let bottom = top + height * Double(story.work.count)
    var elements = [words("WHAT WAITS FOR WHAT", x: 18, y: top - 10, "head")]
    for step in stride(from: 0.0, through: end - 0.05, by: 0.2) {
      elements.append(
        "<path class=\"rule\" d=\"M\(spell(x(step))) \(spell(top))V\(spell(bottom))\"/>"
          + (step == 0
            ? "" : words("\(spell(step)) s", x: x(step) + 3, y: top - 10, "words small dim")))
    }
    var bars: [String] = []
    var tags: [String] = []
    for (index, work) in story.work.enumerated() {
      let y = top + height * Double(index)
      elements.append(
        "<path class=\"rule\" d=\"M18 \(spell(y))H\(spell(Self.lane.right))\"/>"
          + text("\(work.part + 1)", x: 7, y: y + 17, advance: 6.7, classes: "small p\(work.part)")
          + text(work.name, x: 18, y: y + 17, advance: 6.7, classes: "small p\(work.part)"))
      if work.start > 0 {
        var from = x(0) + 2
        if let before = work.waitsFor {
          let names = [before.name, String(before.name.split(separator: ".").last ?? "")]
          let reason = names.map { "after \($0)" }.first {
            5.9 * Double($0.count) < x(work.start) - from - 16
          }
          if let reason {
            bars.append(words(reason, x: from + 2, y: y + 16, "words small p\(before.part)"))
            from += 5.9 * Double(reason.count) + 6
          }
        }
        bars.append(
          "<path class=\"later\" d=\"M\(spell(from)) \(spell(y + 12.5))H\(spell(x(work.start) - 3))\"/>"
        )
      }
      bars.append(
        work.end > work.start
          ? rectangle(
            "", fill: work.part, x: x(work.start), y: y + 5, width: x(work.end) - x(work.start),
            height: 15, radius: 3)
          : dot(work.part, x: x(work.start), y: y + 12.5))
      for answer in work.answers { tags.append(tag(answer, y: y, moving)) }
    }
    elements.append("<path class=\"rule\" d=\"M18 \(spell(bottom))H\(spell(Self.lane.right))\"/>")
    let all = bars.joined()
    elements.append(
      moving ? "<g clip-path=\"url(#past)\">\(all)</g>" : all)
    elements += tags
    if moving {
      let keys = [0, part(0), part(end), 1]
      let width = spell(x(end) - x(0))
      elements.append(
        "<clipPath id=\"past\"><rect x=\"\(spell(x(0)))\" y=\"\(spell(top))\" width=\"\(width)\" "
          + "height=\"\(spell(bottom - top))\">" + animate("width", ["0", "0", width, width], keys)
          + "</rect></clipPath>")
      elements.append(
        "<path class=\"now\" d=\"M0 \(spell(top - 4))V\(spell(bottom + 4))\">"
          + "<animateTransform attributeName=\"transform\" type=\"translate\" dur=\"\(spell(length))s\" "
          + "repeatCount=\"indefinite\" values=\"\([x(0), x(0), x(end), x(end)].map { spell($0) }.joined(separator: ";"))\" "
          + "keyTimes=\"\(keys.map { spell($0, digits: 4) }.joined(separator: ";"))\"/></path>")
    }
    return elements.joined(separator: "\n")
  }

  /// The tag of an answer, the action that it is, and for how long it moves the screen.
  private func tag(_ answer: LaunchStory.Answer, y: Double, _ moving: Bool) -> String {
    let isTagged = answer.duration != nil
    let left = x(answer.time) + 5
    let width = 6.4 * Double(answer.tag.count) + 10
    var elements = ""
    if let duration = answer.duration {
      elements += rectangle(
        "tag", x: x(answer.time), y: y + 21, width: x(answer.time + duration) - x(answer.time),
        height: 2.5)
    }
    elements += rectangle(
      isTagged ? "tag" : "untagged", x: left, y: y + 4, width: width, height: 15, radius: 4)
    elements += text(
      answer.tag, x: left + 5, y: y + 15.5, advance: 6.4,
      classes: isTagged ? "small ontag" : "small dim")
    elements += text(
      answer.action, x: left + width + 6, y: y + 15.5, advance: 6.4, classes: "small")
    return shown(moving, from: answer.time, elements)
  }

  private var legend: String {
    let y = Self.size.height - 14
    return "<path class=\"later\" d=\"M18 \(spell(y - 4))H40\"/>"
      + words("not begun", x: 45, y: y, "words small dim")
      + rectangle("", fill: 0, x: 112, y: y - 10, width: 22, height: 12, radius: 3)
      + words("waits for its answer", x: 139, y: y, "words small dim")
      + dot(0, x: 258, y: y - 4) + words("at once", x: 268, y: y, "words small dim")
      + rectangle("tag", x: 322, y: y - 4, width: 22, height: 2.5)
      + words("moves the screen: 0.35 s", x: 349, y: y, "words small dim")
      + words(
        "\(spell(end, digits: 2)) s, shown at a fifth of their speed", x: 496, y: y,
        "words small dim")
  }

  // MARK: Elements

  /// A text in a fixed font, of which each character takes its room whatever the font.
  private func text(
    _ text: String, x: Double, y: Double, advance: Double? = nil, classes: String = ""
  ) -> String {
    let spaces = text.prefix { $0 == " " }.count
    let rest = text.dropFirst(spaces)
    let left = x + Double(spaces) * (advance ?? 0)
    let length = advance.map { " textLength=\"\(spell(Double(rest.count) * $0))\"" } ?? ""
    let style = " class=\"code\(classes.isEmpty ? "" : " " + classes)\""
    return
      "<text\(style) x=\"\(spell(left))\" y=\"\(spell(y))\"\(length)>\(SVG.escape(String(rest)))</text>"
  }

  private func words(
    _ text: String, x: Double, y: Double, _ classes: String = "words"
  ) -> String {
    "<text class=\"\(classes.contains("words") ? classes : "words \(classes)")\" x=\"\(spell(x))\" "
      + "y=\"\(spell(y))\">\(SVG.escape(text))</text>"
  }

  private func dot(_ part: Int, x: Double, y: Double) -> String {
    "<circle class=\"p\(part)\" cx=\"\(spell(x))\" cy=\"\(spell(y))\" r=\"4.5\"/>"
  }

  /// - Parameter fill: The part whose hatch it has; `nil` for the colour of its class.
  private func rectangle(
    _ classes: String, fill: Int? = nil, x: Double, y: Double, width: Double, height: Double,
    radius: Double = 0
  ) -> String {
    "<rect \(fill.map { "fill=\"url(#waits\($0))\"" } ?? "class=\"\(classes)\"") x=\"\(spell(x))\" y=\"\(spell(y))\" width=\"\(spell(width))\" "
      + "height=\"\(spell(height))\"\(radius > 0 ? " rx=\"\(spell(radius))\"" : "")/>"
  }

  private func spell(_ number: Double, digits: Int = 1) -> String {
    SVG.spell(number, digits: digits)
  }
}
