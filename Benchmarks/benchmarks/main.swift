// Runs the workloads and prints the table.

import BenchmarkCounts
import Foundation

if CommandLine.arguments.dropFirst().first == Callgrind.argument {
  await Callgrind.runWorkloads()
  exit(0)
}
do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  if let path = options.counts {
    exit(try await Counts.run(options, path) ? 0 : 1)
  }
  let earlier = try options.compare.map { path in
    try JSONDecoder().decode([Measurement].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
  let workloads = allWorkloads.filter { workload in
    options.filter.map { workload.name.contains($0) } ?? true
  }
  var measurements: [Measurement] = []
  print(Table.header)
  for workload in workloads {
    for size in workload.sizes {
      let measurement = await workload.measure(size: size)
      measurements.append(measurement)
      var row = Table.row(measurement)
      if let before = earlier?.first(where: { $0.name == workload.name && $0.size == size }) {
        row += "  (\(Table.number(measurement.nanoseconds / before.nanoseconds, 2)) x before)"
      }
      print(row)
      fflush(nil)
    }
  }
  if let path = options.json {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(measurements).write(to: URL(fileURLWithPath: path))
  }
  if let directory = options.plots {
    for workload in workloads where workload.sizes.count > 1 {
      let rows = measurements.filter { $0.name == workload.name }
      let url = URL(fileURLWithPath: directory).appendingPathComponent("\(workload.name).svg")
      try Data(Plot.svg(workload.name, rows).utf8).write(to: url)
    }
  }
} catch let error as UsageError {
  if let message = error.message {
    FileHandle.standardError.write(Data("benchmarks: \(message); see --help\n".utf8))
    exit(64)
  }
  print(Options.usage)
} catch {
  FileHandle.standardError.write(Data("benchmarks: \(error.localizedDescription)\n".utf8))
  exit(74)
}
