// The command line.

import Foundation

struct Options {
  var filter: String?
  /// The one size to measure at.
  var size: Int?
  /// The time for which each workload, or each floor, runs, for a profiler to watch.
  var profiledTime: Duration?
  var profilesFloors = false
  var json: String?
  var compare: String?
  var plots: String?
  /// The file to compare counts with, or to write them to.
  var counts: String?
  var updatesCounts = false

  static let usage = """
    usage: benchmarks [--filter TEXT] [--size N] [--json FILE] [--compare FILE] [--plots DIR]
           benchmarks --counts FILE [--update] [--filter TEXT]
           benchmarks --profile SECONDS [--floors] [--filter TEXT] [--size N]

      --filter TEXT   only the workloads whose name contains TEXT
      --size N        only the rows of this size
      --json FILE     write the measurements to FILE
      --compare FILE  print, per row, the ratio to the measurements in FILE
      --plots DIR     write a plot of cost against size for each sized workload
      --counts FILE   count allocations, instructions (where there is valgrind) and what is kept,
                      time nothing, and fail where FILE says that there was less
      --update        write the counts to FILE instead
      --profile SECS  run each row for so long, without its floor, for a profiler to watch
      --floors        run the floors alone instead
    """

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" { throw UsageError(message: nil) }
      if option == "--update" {
        updatesCounts = true
        continue
      }
      if option == "--floors" {
        profilesFloors = true
        continue
      }
      guard Self.optionsWithValue.contains(option) else {
        throw UsageError(message: "unknown option '\(option)'")
      }
      guard let value = rest.popFirst() else {
        throw UsageError(message: "'\(option)' needs a value")
      }
      switch option {
      case "--filter": filter = value
      case "--size": size = try Self.number(value, option)
      case "--profile": profiledTime = .seconds(try Self.number(value, option))
      case "--json": json = value
      case "--compare": compare = value
      case "--counts": counts = value
      default: plots = value
      }
    }
    try rejectWhatHasNoEffect()
    _ = try rows
  }

  /// Rejects an option that has no effect beside another one.
  private func rejectWhatHasNoEffect() throws(UsageError) {
    let writes = json != nil || compare != nil || plots != nil
    let message: String? =
      if counts != nil, size != nil || profiledTime != nil || writes {
        "'--counts' goes with '--update' and '--filter' only"
      } else if profiledTime != nil, writes {
        "'--profile' measures nothing: leave out '--json', '--compare' and '--plots'"
      } else if profilesFloors, profiledTime == nil {
        "'--floors' goes with '--profile' only"
      } else if updatesCounts, counts == nil {
        "'--update' goes with '--counts' only"
      } else {
        nil
      }
    if let message { throw UsageError(message: message) }
  }

  private static let optionsWithValue = [
    "--filter", "--size", "--json", "--compare", "--plots", "--counts", "--profile",
  ]

  private static func number(_ value: String, _ option: String) throws(UsageError) -> Int {
    guard let number = Int(value), number > 0 else {
      throw UsageError(message: "'\(option)' needs a whole number above 0, not '\(value)'")
    }
    return number
  }
}

extension Options {
  /// Whether a workload is asked for.
  func picks(_ workload: Workload) -> Bool {
    filter.map(workload.name.contains) ?? true
  }

  /// The rows of the table that are asked for.
  var rows: [(workload: Workload, size: Int)] {
    get throws(UsageError) {
      let rows = allWorkloads.filter(picks).flatMap { workload in
        workload.sizes.filter { size == nil || size == $0 }.map { (workload, $0) }
      }
      guard !rows.isEmpty else {
        throw UsageError(message: "no workload has such a name and size")
      }
      return rows
    }
  }
}

struct UsageError: Error {
  /// The text of the error; `nil` when help was asked for.
  let message: String?
}
