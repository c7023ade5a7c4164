// The arguments of the program.

import Foundation
import PostgresJournal
import RondoDurable
import SQLiteJournal

/// A line about what is wrong with what the user has said.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

struct Arguments {
  static let help = """
    A server for matches of noughts and crosses that survive crashes.

      durable-matches                         answers the lines on standard input; the journal is the
                                              SQLite file matches.sqlite
      durable-matches --journal FILE          another file
      durable-matches --postgres URL          a PostgreSQL database, which several processes may use.
                                              DATABASE_URL in the environment says the same, and is not
                                              seen in the list of processes.
      durable-matches --socket PATH           answers on a Unix socket
      durable-matches bench [--seconds N]     actions a second, beside plain inserts; --stores N for so
                                              many stores at once and nothing else. --due N: N timers that are
                                              due when a process starts; --idle N: N stores in memory; --turns N:
                                              N turns of one store
      durable-matches load --sockets A,B …    plays matches, and checks them; see 'prove'
      durable-matches route --sockets A,B …   messages a second through workers that chance chooses
      durable-matches check                   reads all matches as this program would, and changes nothing
      durable-matches say --sockets A,B … --line LINE
                                              says a line to one of the workers after the other until one
                                              answers, and prints that; --seconds N gives up after so long

    More: --lease SECONDS, --announcements FILE. --trap PLAYER ends the process that lets the player join, and
    --set-aside stop or go-on says what becomes of the match: see 'poison'. --version N and --revision N are
    those that the feature says it has: see 'upgrade'. --deployment NAME keeps the journal for programs of that name.

    Lines:

      ID create MATCH SECONDS      ID move MATCH PLAYER CELL       show MATCH
      ID join MATCH PLAYER         ID resign MATCH PLAYER

    ID is any word. A line that is sent again with the same one is not handled again.
    """

  private(set) var command = "serve"
  private var values: [String: String] = [:]

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    if let first = rest.first, !first.hasPrefix("-") {
      command = first
      rest.removeFirst()
    }
    let known: Set = [
      "journal", "postgres", "socket", "seconds", "sockets", "lease", "announcements", "matches",
      "players", "seed", "memory", "recovery", "stores",
      "due", "idle", "turns", "line", "trap", "set-aside", "version", "revision",
      "deployment",
    ]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" {
        command = "help"
        continue
      }
      let name = String(option.dropFirst(2))
      guard option.hasPrefix("--"), known.contains(name) else {
        throw UsageError("There is no option '\(option)'; see --help.")
      }
      guard let value = rest.popFirst() else {
        throw UsageError("The option '\(option)' needs a value; see --help.")
      }
      values[name] = value
    }
  }

  func text(_ name: String) -> String? { values[name] }

  /// A number that any integer type can hold.
  func number(_ name: String, or standard: Double) throws(UsageError) -> Double {
    guard let text = values[name] else { return standard }
    guard let number = Double(text), number > 0, number <= 1_000_000_000 else {
      throw UsageError(
        "The option '--\(name)' needs a number greater than zero and at most 1000000000, not "
          + "'\(text)'.")
    }
    return number
  }

  /// The journal, and what it may be called.
  func journal() async throws -> (any Journal, String) {
    let environment = ProcessInfo.processInfo.environment["DATABASE_URL"]
    if let url = values["postgres"] ?? (values["journal"] == nil ? environment : nil) {
      return (try await PostgresJournal(url, deployment: values["deployment"]), "PostgreSQL")
    }
    let path = values["journal"] ?? "matches.sqlite"
    return (try SQLiteJournal(path: path, deployment: values["deployment"]), path)
  }
}
