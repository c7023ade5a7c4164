// Measurements as text.

import Foundation

enum Table {
  private static let columns = [
    ("workload", 24), ("size", 9), ("ns/op", 11), ("floor", 11), ("ratio", 7),
    ("alloc/op", 9), ("floor", 7), ("peak MiB", 9), ("kept KiB", 9),
  ]

  static var header: String {
    let cells = columns.enumerated().map { index, column in
      index == 0 ? left(column.0, column.1) : right(column.0, column.1)
    }
    return cells.joined(separator: " ") + "  reach"
  }

  static func row(_ measurement: Measurement) -> String {
    let texts = [
      measurement.name,
      "\(measurement.size)",
      number(measurement.nanoseconds, 1),
      measurement.floorNanoseconds.map { number($0, 1) } ?? "",
      measurement.ratio.map { number($0, 2) } ?? "",
      number(measurement.allocations, 2),
      measurement.floorAllocations.map { number($0, 2) } ?? "",
      number(Double(measurement.peakMemory) / 1_048_576, 1),
      number(Double(measurement.residue) / 1024, 1),
    ]
    let cells = zip(texts, columns).enumerated().map { index, cell in
      index == 0 ? left(cell.0, cell.1.1) : right(cell.0, cell.1.1)
    }
    return cells.joined(separator: " ") + "  \(measurement.reach)"
  }

  static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
