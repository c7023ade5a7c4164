// Measurements as text.

import Foundation

enum Table {
  private static let columns = [
    ("workload", 24), ("size", -9), ("ns/op", -11), ("floor", -11), ("ratio", -7),
    ("alloc/op", -9), ("floor", -7), ("peak MiB", -9), ("kept KiB", -9),
  ]

  static var header: String {
    line(columns.map(\.0)) + "  reach"
  }

  static func row(_ measurement: Measurement, before: Measurement?) -> String {
    let row = line([
      measurement.name,
      "\(measurement.size)",
      number(measurement.nanoseconds, 1),
      measurement.floorNanoseconds.map { number($0, 1) } ?? "",
      measurement.ratio.map { number($0, 2) } ?? "",
      number(measurement.allocations, 2),
      measurement.floorAllocations.map { number($0, 2) } ?? "",
      number(Double(measurement.peakMemory) / 1_048_576, 1),
      number(Double(measurement.residue) / 1024, 1),
    ])
    let change = before.map {
      "  (\(number(measurement.nanoseconds / $0.nanoseconds, 2)) x before)"
    }
    return row + "  \(measurement.reach)" + (change ?? "")
  }

  private static func line(_ cells: [String]) -> String {
    zip(cells, columns).map { $0.padded($1.1) }.joined(separator: " ")
  }

  static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}

extension String {
  /// Filled with spaces to a width: on the right, or on the left where the width is negative.
  func padded(_ width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? spaces + self : self + spaces
  }
}
