// The files that a run of the program reads and writes.

import Foundation

/// The files that the command line names.
///
/// A run takes minutes, so problems with the files are found before it.
struct Output {
  private let json: URL?
  private let plots: URL?
  private let compared: [Measurement]

  init(_ options: Options) throws {
    json = options.json.map { URL(filePath: $0) }
    plots = options.plots.map { URL(filePath: $0) }
    compared =
      try options.compare.map { path in
        do {
          return try JSONDecoder().decode(
            [Measurement].self, from: Data(contentsOf: URL(filePath: path)))
        } catch is DecodingError {
          throw Failure(description: "'\(path)' holds no measurements; --json writes some")
        }
      } ?? []
    if let json {
      let isThere = FileManager.default.fileExists(atPath: json.path)
      // Opened rather than written: the old content stays until there are new measurements.
      guard let file = fopen(json.path, "a") else {
        throw Failure(
          description: "'\(json.path)' cannot be written: \(String(cString: strerror(errno)))")
      }
      fclose(file)
      if !isThere { unlink(json.path) }
    }
    if let plots {
      try FileManager.default.createDirectory(at: plots, withIntermediateDirectories: true)
    }
  }

  /// The earlier measurement of the same row, to compare with.
  func earlier(_ measurement: Measurement) -> Measurement? {
    compared.first { $0.name == measurement.name && $0.size == measurement.size }
  }

  func write(_ measurements: [Measurement]) throws {
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(measurements).write(to: json)
    }
    if let plots {
      for (name, rows) in Dictionary(grouping: measurements, by: \.name) where rows.count > 1 {
        try Data(Plot.svg(name, rows).utf8).write(to: plots.appending(path: "\(name).svg"))
      }
    }
  }

  struct Failure: LocalizedError {
    let description: String

    var errorDescription: String? { description }
  }
}
