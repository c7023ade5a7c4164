// Instructions, counted by running this program again under callgrind.

import Dispatch
import Foundation

/// Counts the instructions of workloads that one thread does.
enum Callgrind {
  /// The argument with which the program runs what is to be counted, and no more.
  static let argument = "--under-callgrind"

  /// Runs every workload whose instructions are counted, each size twice: once to fill caches.
  ///
  /// Callgrind writes down what it has counted whenever a stopwatch starts or stops.
  @MainActor
  static func runWorkloads() async {
    for (workload, size) in rows {
      for _ in 0..<2 { _ = await workload.run(workload.body, size) }
    }
  }

  /// Instructions per operation, by workload and size; `nil` where there is no valgrind.
  static func count() throws -> [String: Double]? {
    guard let valgrind = path(of: "valgrind") else { return nil }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "benchmarks-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let process = Process()
    process.standardError = FileHandle.nullDevice
    process.executableURL = valgrind
    process.arguments = [
      "--tool=callgrind", "--dump-before=measurement_*", "-q",
      "--callgrind-out-file=\(folder.path)/part",
      try programWithoutDebugInformation(in: folder), argument,
    ]
    // Hashes that differ from run to run would, too.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    try process.run()
    // A workload that does not end is a failure, not a pipeline that hangs.
    let limit = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(600), execute: limit)
    process.waitUntilExit()
    limit.cancel()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "callgrind ended with status \(process.terminationStatus)")
    }

    let runs = try measuredParts(in: folder)
    guard runs.count == rows.count * 2 else {
      throw Failure(description: "callgrind has seen \(runs.count) of \(rows.count * 2) runs")
    }
    return Dictionary(
      uniqueKeysWithValues: rows.enumerated().map { index, row in
        (key(row.0.name, row.1), Double(runs[2 * index + 1]) / Double(row.0.operations(row.1)))
      })
  }

  /// Why nothing could be counted.
  struct Failure: LocalizedError {
    let description: String

    var errorDescription: String? { description }
  }

  static func key(_ workload: String, _ size: Int) -> String { "\(workload) \(size)" }

  private static var rows: [(Workload, Int)] {
    allWorkloads.filter(\.isSingleThreaded).flatMap { workload in
      workload.counted.map { (workload, $0) }
    }
  }

  /// The instructions between a start and a stop, in the order of the runs.
  private static func measuredParts(in folder: URL) throws -> [Int] {
    var totals: [Int] = []
    for part in 1... {
      guard
        let text = try? String(contentsOf: folder.appending(path: "part.\(part)"), encoding: .utf8)
      else { break }
      let lines = text.split(separator: "\n")
      guard lines.contains(where: { $0.contains("Trigger: --dump-before=measurement_ends") }),
        let total = lines.last(where: { $0.hasPrefix("totals:") || $0.hasPrefix("summary:") }),
        let count = total.split(separator: " ").last.flatMap({ Int($0) })
      else { continue }
      totals.append(count)
    }
    return totals
  }

  /// A copy of this program that valgrind can read: it ends at debug information that is newer than itself.
  ///
  /// Where no tool makes such a copy, it is the program itself.
  private static func programWithoutDebugInformation(in folder: URL) throws -> String {
    let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    guard let objcopy = path(of: "llvm-objcopy") ?? path(of: "objcopy") else { return program }
    let copy = folder.appending(path: "program").path
    let process = try Process.run(objcopy, arguments: ["--strip-debug", program, copy])
    process.waitUntilExit()
    return process.terminationStatus == 0 ? copy : program
  }

  private static func path(of program: String) -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { URL(filePath: String($0)).appending(path: program) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
