// Runs the workloads and prints the table.

import RondoBenchmarkCounts
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
  let rows = try options.rows
  if let time = options.profiledTime {
    for (workload, size) in rows {
      await workload.profile(size: size, for: time, floor: options.profilesFloors)
    }
    exit(0)
  }
  let output = try Output(options)
  var measurements: [Measurement] = []
  print(Table.header)
  for (workload, size) in rows {
    let measurement = await workload.measure(size: size)
    measurements.append(measurement)
    print(Table.row(measurement, before: output.earlier(measurement)))
    fflush(nil)
  }
  try output.write(measurements)
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
