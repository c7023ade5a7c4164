// The command line.

import Foundation

struct Options {
  var filter: String?
  var json: String?
  var compare: String?
  var plots: String?

  static let usage = """
    usage: benchmarks [--filter TEXT] [--json FILE] [--compare FILE] [--plots DIR]

      --filter TEXT   only the workloads whose name contains TEXT
      --json FILE     write the measurements to FILE
      --compare FILE  print, per row, the ratio to the measurements in FILE
      --plots DIR     write a plot of cost against size for each sized workload
    """

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" { throw UsageError(message: nil) }
      guard ["--filter", "--json", "--compare", "--plots"].contains(option) else {
        throw UsageError(message: "unknown option '\(option)'")
      }
      guard let value = rest.popFirst() else {
        throw UsageError(message: "'\(option)' needs a value")
      }
      switch option {
      case "--filter": filter = value
      case "--json": json = value
      case "--compare": compare = value
      default: plots = value
      }
    }
  }
}

struct UsageError: Error {
  /// What is wrong; `nil` when help was asked for.
  let message: String?
}
