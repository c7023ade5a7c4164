// A recording as a picture that moves: one SVG file, without scripts and without other files.

extension CanvasRecording {
  /// The colour behind everything in a picture: the one to mix translucent things with.
  public static let ground = Color(0x15151F)

  /// The recording as an animated SVG.
  ///
  /// Cells beside one another in the same colours are a piece of the picture. A piece is there from
  /// the frame in which it appears to the one in which it has gone, so a cell that stays is written
  /// once, and pieces that come and go together do so as one. Where nothing is animated the last
  /// frame is seen.
  ///
  /// - Parameters:
  ///   - title: The title, for readers who do not see the picture.
  ///   - pause: How long the last frame stays until all begins anew.
  public func animatedSVG(title: String? = nil, pause: Duration = .seconds(3)) -> String {
    let picture = SVGPicture(
      width: width, height: height, duration: (frames.last?.time ?? .zero) + pause, title: title
    )
    let groups = lifetimes().map { spans, pieces in
      picture.element(pieces, times(spans, of: picture.duration))
    }
    return ([picture.opening] + groups + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// The pieces that are seen, by the frames from and before which they are; in the order in which
  /// the first of them appears.
  private func lifetimes() -> [([Range<Int>], [SVGPiece])] {
    var spans: [SVGPiece: [Range<Int>]] = [:]
    var order: [SVGPiece] = []
    for (index, frame) in frames.enumerated() {
      for piece in frame.canvas.pieces {
        if let last = spans[piece]?.last, last.upperBound == index {
          spans[piece]![spans[piece]!.count - 1] = last.lowerBound..<index + 1
        } else {
          if spans[piece] == nil { order.append(piece) }
          spans[piece, default: []].append(index..<index + 1)
        }
      }
    }
    var groups: [[Range<Int>]: Int] = [:]
    var lifetimes: [([Range<Int>], [SVGPiece])] = []
    for piece in order {
      if let group = groups[spans[piece]!] {
        lifetimes[group].1.append(piece)
      } else {
        groups[spans[piece]!] = lifetimes.count
        lifetimes.append((spans[piece]!, [piece]))
      }
    }
    return lifetimes
  }
}

extension CanvasRecording {
  /// When pieces appear and disappear, as fractions of the whole duration.
  fileprivate func times(_ spans: [Range<Int>], of duration: Duration) -> [(Double, Double?)] {
    spans.map { span in
      let end = span.upperBound < frames.count ? frames[span.upperBound].time / duration : nil
      return (frames[span.lowerBound].time / duration, end)
    }
  }
}

/// Cells beside one another that have the same colours.
private struct SVGPiece: Hashable {
  var column: Int
  var row: Int
  var cells: Int
  var text = ""
  var foreground: RGB?
  var background: RGB?
  /// The only glyph of the piece, where it is drawn as a shape.
  var shape: Character?
}

extension Canvas {
  /// The pieces that the canvas consists of, without those that are blank.
  fileprivate var pieces: [SVGPiece] {
    var pieces: [SVGPiece] = []
    for row in 0..<height {
      var piece: SVGPiece?
      for column in 0..<width {
        let cell = self[column: column, row: row]
        if piece?.continues(with: cell) != true {
          if let piece, !piece.isBlank { pieces.append(piece) }
          piece = SVGPiece(
            column: column, row: row, cells: 0, foreground: cell.foreground,
            background: cell.background, shape: cell.shape)
        }
        piece?.cells += 1
        if let glyph = cell.glyph { piece?.text.append(glyph) }
      }
      if let piece, !piece.isBlank { pieces.append(piece) }
    }
    return pieces
  }
}

extension SVGPiece {
  /// A blank has no colour of its own, and a glyph that is drawn as a shape is a piece by itself.
  func continues(with cell: Canvas.Cell) -> Bool {
    guard cell.background == background, cell.shape == shape else { return false }
    return cell.glyph == nil || cell.glyph == " " || cell.foreground == foreground
  }

  var isBlank: Bool {
    text.allSatisfy { $0 == " " } && (background == nil || background == SVGPicture.ground)
  }
}

extension Canvas.Cell {
  /// The glyph where fonts differ too much in how they draw it.
  fileprivate var shape: Character? {
    guard let glyph, !glyph.isASCII, "▌█━─".contains(glyph) else { return nil }
    return glyph
  }
}

/// Turns cells into coordinates, and pieces into elements.
private struct SVGPicture {
  /// The colour of the whole screen.
  static let ground = RGB(CanvasRecording.ground)

  /// The extent of a cell: that of a glyph at 14 px, with some space between lines.
  let cell = (width: 8.4, height: 18.0)
  let margin = 10.0
  let width: Int
  let height: Int
  let duration: Duration
  let title: String?

  var opening: String {
    let width = Double(self.width) * cell.width + 2 * margin
    let height = Double(self.height) * cell.height + 2 * margin
    return """
      <svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 \(spell(width)) \(spell(height))" \
      font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
      \(SVG.title(title))<style>text { white-space: pre }</style>
      <rect width="100%" height="100%" rx="8" fill="\(Self.ground.hexadecimal)"/>
      """
  }

  /// - Parameter times: From when on and until when the pieces are there, as parts of the duration.
  func element(_ pieces: [SVGPiece], _ times: [(Double, Double?)]) -> String {
    let isAlways = times.count == 1 && times[0].0 == 0 && times[0].1 == nil
    let content = pieces.map { background($0) + glyphs($0) }.joined(separator: "\n")
    guard !isAlways else { return content }
    let visibility = times.last?.1 == nil ? "visible" : "hidden"
    return "<g visibility=\"\(visibility)\">\(animation(times))\(content)</g>"
  }

  /// When the pieces are visible, again and again.
  private func animation(_ times: [(Double, Double?)]) -> String {
    var values: [String] = []
    var keys: [Double] = []
    if times[0].0 > 0 {
      values.append("hidden")
      keys.append(0)
    }
    for (start, end) in times {
      values.append("visible")
      keys.append(start)
      guard let end else { continue }
      values.append("hidden")
      keys.append(end)
    }
    return "<animate attributeName=\"visibility\" calcMode=\"discrete\" "
      + "dur=\"\(duration.inMilliseconds)s\" repeatCount=\"indefinite\" "
      + "values=\"\(values.joined(separator: ";"))\" "
      + "keyTimes=\"\(keys.map { SVG.spell($0, digits: 5) }.joined(separator: ";"))\"/>"
  }

  private func background(_ piece: SVGPiece) -> String {
    guard let color = piece.background, color != Self.ground else { return "" }
    return rectangle(piece, y: 0, height: cell.height, color)
  }

  private func glyphs(_ piece: SVGPiece) -> String {
    let color = piece.foreground ?? RGB(red: 255, green: 255, blue: 255)
    switch piece.text.first {
    case "█": return rectangle(piece, y: 0, height: cell.height, color)
    case "▌": return rectangle(piece, y: 0, height: cell.height, color, part: 0.4)
    case "━": return rectangle(piece, y: 8, height: 3, color)
    case "─": return rectangle(piece, y: 9, height: 1, color)
    default: return text(piece, color)
    }
  }

  private func rectangle(
    _ piece: SVGPiece,
    y: Double,
    height: Double,
    _ color: RGB,
    part: Double = 1
  ) -> String {
    "<rect x=\"\(spell(x(piece)))\" y=\"\(spell(self.y(piece) + y))\" "
      + "width=\"\(spell(Double(piece.cells) * cell.width * part))\" "
      + "height=\"\(spell(height))\" fill=\"\(color.hexadecimal)\"/>"
  }

  private func text(_ piece: SVGPiece, _ color: RGB) -> String {
    let leading = piece.text.prefix { $0 == " " }.count
    let trailing = piece.text.reversed().prefix { $0 == " " }.count
    guard leading < piece.text.count else { return "" }
    let text = SVG.escape(String(piece.text.dropFirst(leading).dropLast(trailing)))
    // The length keeps the columns where they belong, whatever the font.
    return
      "<text x=\"\(spell(x(piece) + Double(leading) * cell.width))\" y=\"\(spell(y(piece) + 13.5))\" "
      + "textLength=\"\(spell(Double(piece.cells - leading - trailing) * cell.width))\" fill=\"\(color.hexadecimal)\">"
      + "\(text)</text>"
  }

  private func x(_ piece: SVGPiece) -> Double { margin + Double(piece.column) * cell.width }
  private func y(_ piece: SVGPiece) -> Double { margin + Double(piece.row) * cell.height }

  /// A coordinate or an extent.
  private func spell(_ number: Double) -> String { SVG.spell(number, digits: 1) }
}
