// Cost against size, as a picture.

import Foundation

enum Plot {
  /// A plot of nanoseconds per operation against size, both logarithmic, for one workload and its
  /// floor, as SVG.
  static func svg(_ name: String, _ rows: [Measurement]) -> String {
    let costs = rows.flatMap { [$0.nanoseconds, $0.floorNanoseconds].compactMap { $0 } }
    let x = Axis(rows.map { Double($0.size) }, from: 70, to: 520)
    let y = Axis(costs, from: 250, to: 40)
    let own = rows.map { (x.place(Double($0.size)), y.place($0.nanoseconds)) }
    let floor = rows.compactMap { row in
      row.floorNanoseconds.map { (x.place(Double(row.size)), y.place($0)) }
    }
    var lines: [String] = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="560" height="300" \#(font)>"#,
      #"<rect width="560" height="300" fill="white"/>"#,
      #"<text x="70" y="22" font-size="14">\#(name): ns per operation</text>"#,
      #"<text x="520" y="288" text-anchor="end">size</text>"#,
    ]
    for tick in x.ticks {
      let place = x.place(tick)
      lines.append(#"<text x="\#(place)" y="270" text-anchor="middle">\#(label(tick))</text>"#)
    }
    for tick in y.ticks {
      let place = y.place(tick)
      lines.append(#"<text x="62" y="\#(place + 4)" text-anchor="end">\#(label(tick))</text>"#)
      lines.append(##"<path d="M70 \##(place)H520" stroke="#ddd"/>"##)
    }
    lines.append(curve(floor, "#999"))
    lines.append(curve(own, "#06c"))
    lines.append(##"<text x="520" y="22" text-anchor="end" fill="#999">floor</text>"##)
    lines.append(##"<text x="470" y="22" text-anchor="end" fill="#06c">\##(name)</text>"##)
    lines.append("</svg>\n")
    return lines.joined(separator: "\n")
  }

  private static let font = #"font-family="sans-serif" font-size="12""#

  private static func curve(_ points: [(Double, Double)], _ color: String) -> String {
    let path = points.map { "\(Int($0.0)),\(Int($0.1))" }.joined(separator: " ")
    let line = #"<polyline points="\#(path)" fill="none" stroke="\#(color)" stroke-width="2"/>"#
    let dots = points.map { x, y in
      #"<circle cx="\#(Int(x))" cy="\#(Int(y))" r="3.5" fill="\#(color)"/>"#
    }
    return ([line] + dots).joined(separator: "\n")
  }

  private static func label(_ value: Double) -> String {
    value >= 1 ? "\(Int(value))" : "\(value)"
  }

  /// A logarithmic axis over whole powers of ten.
  private struct Axis {
    let low: Double
    let high: Double
    let from: Double
    let to: Double

    init(_ values: [Double], from: Double, to: Double) {
      low = (log10(values.min() ?? 1)).rounded(.down)
      high = max(low + 1, (log10(values.max() ?? 10)).rounded(.up))
      self.from = from
      self.to = to
    }

    var ticks: [Double] {
      stride(from: low, through: high, by: 1).map { pow(10, $0) }
    }

    func place(_ value: Double) -> Double {
      (from + (log10(value) - low) / (high - low) * (to - from)).rounded()
    }
  }
}
