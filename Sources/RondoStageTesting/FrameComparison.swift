// A picture of the difference of frames: before on the left, now on the right, with what differs in boxes.

import RondoStage

/// Frames before and now, as a picture.
struct FrameComparison {
  let pairs: [(before: FramePicture?, now: FramePicture?)]

  private var columns: Int { pairs.flatMap(rows).map(\.count).max() ?? 0 }

  private func rows(_ pair: (before: FramePicture?, now: FramePicture?)) -> [[FramePicture.Cell]] {
    (pair.before?.rows ?? []) + (pair.now?.rows ?? [])
  }

  var svg: String {
    let width = columns * 9 + 30
    var (y, body) = (24, "")
    for pair in pairs {
      let height = max(pair.before?.rows.count ?? 0, pair.now?.rows.count ?? 0)
      for (side, (picture, other)) in [(pair.before, pair.now), (pair.now, pair.before)]
        .enumerated()
      {
        let x = 15 + side * width
        let title = picture.map { "\(side == 0 ? "before" : "now"), at \($0.title)" } ?? "no frame"
        body += "<text x=\"\(x)\" y=\"\(y)\" fill=\"#8a8fa3\">\(title)</text>\n"
        for (row, cells) in (picture?.rows ?? []).enumerated() {
          for (column, cell) in cells.enumerated() {
            let (left, top) = (x + column * 9, y + 8 + row * 18)
            body += draw(cell, left, top, differs: other?.cell(row, column) != cell)
          }
        }
      }
      y += height * 18 + 44
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(2 * width)" height="\(y)" \
      font-family="monospace" font-size="15">
      <title>What a test expects to be shown, and what is shown</title>
      <rect width="100%" height="100%" fill="#15151f"/>
      \(body)</svg>

      """
  }

  private func draw(_ cell: FramePicture.Cell, _ x: Int, _ y: Int, differs: Bool) -> String {
    let parts = cell.colors.components(separatedBy: "on ")
    let ink = parts[0].isEmpty ? "#ffffff" : String(parts[0].prefix(7))
    var result = ""
    if parts.count > 1 {
      result += "<rect x=\"\(x)\" y=\"\(y)\" width=\"9\" height=\"18\" fill=\"\(parts[1])\"/>\n"
    }
    if cell.glyph != " " {
      let glyph = SVG.escape(String(cell.glyph))
      result += "<text x=\"\(x)\" y=\"\(y + 14)\" fill=\"\(ink)\">\(glyph)</text>\n"
    }
    if differs {
      result +=
        "<rect x=\"\(x)\" y=\"\(y)\" width=\"9\" height=\"18\" fill=\"none\" stroke=\"#ff3b30\"/>\n"
    }
    return result
  }
}
