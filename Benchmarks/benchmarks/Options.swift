// The command line.

import Foundation

struct Options {
  var filter: String?
  var json: String?
  var compare: String?
  var plots: String?
  /// The file to compare counts with, or to write them to.
  var counts: String?
  var updatesCounts = false

  static let usage = """
    usage: benchmarks [--filter TEXT] [--json FILE] [--compare FILE] [--plots DIR]
           benchmarks --counts FILE [--update] [--filter TEXT]

      --filter TEXT   only the workloads whose name contains TEXT
      --json FILE     write the measurements to FILE
      --compare FILE  print, per row, the ratio to the measurements in FILE
      --plots DIR     write a plot of cost against size for each sized workload
      --counts FILE   count allocations, instructions (where there is valgrind) and what is kept,
                      time nothing, and fail where FILE says that there was less
      --update        write the counts to FILE instead
    """

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" { throw UsageError(message: nil) }
      guard option != "--update" else {
        updatesCounts = true
        continue
      }
      guard ["--filter", "--json", "--compare", "--plots", "--counts"].contains(option) else {
        throw UsageError(message: "unknown option '\(option)'")
      }
      guard let value = rest.popFirst() else {
        throw UsageError(message: "'\(option)' needs a value")
      }
      switch option {
      case "--filter": filter = value
      case "--json": json = value
      case "--compare": compare = value
      case "--counts": counts = value
      default: plots = value
      }
    }
  }
}

struct UsageError: Error {
  /// What is wrong; `nil` when help was asked for.
  let message: String?
}
