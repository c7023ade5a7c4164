// The operator's tool: looks into a journal, and mends what stands still.

import Foundation
import PostgresJournal
import RondoDurable
import SQLiteJournal

@main struct Main {
  static func main() async {
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      guard arguments.command != "help" else { return print(Arguments.help) }
      try await Operator(arguments).run()
    } catch let error as UsageError {
      fail(error, status: 64)
    } catch {
      fail(error, status: 1)
    }
  }

  private static func fail(_ error: any Error, status: Int32) -> Never {
    FileHandle.standardError.write(Data("durable: \(error)\n".utf8))
    exit(status)
  }
}

/// A line about what is wrong with what the user has said.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A line about why something was not done that the user may ask for.
struct NotDone: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

struct Arguments {
  static let help = """
    Looks into a journal of durable stores, and mends what stands still.

      durable ls                    kinds: shards, messages that wait, stores that have failed
      durable ls KIND               stores: last turn, whether they have failed; --failed for these alone
      durable show KIND/STORE       the last state that was stored, work in flight, messages that wait
      durable log KIND/STORE        turns, one a line
      durable retry KIND/STORE      lets the owner try again
      durable discard KIND/STORE MESSAGE
                                    leaves a message out, and lets the owner try again
      durable abandon KIND/STORE WORK
                                    ends a timer or an effect, by its id or key, without an answer
      durable delete KIND/STORE     puts the store into its initial state
      durable quarantine [KIND]     what was set aside, and stores that have failed
      durable metrics               figures of the journal, as Prometheus reads them

      --journal URL     a PostgreSQL address (postgresql://…, or words with '='), or the path of an SQLite
                        file. DATABASE_URL in the environment says the same, and is not seen in the list of
                        processes.
      --json            a JSON object for each line
      --after NAME      begins behind a store, or behind the number of a turn
      --limit N         at most so many lines, 100 at first
      --wait SECONDS    the time to wait until the owner has done it, 10 at first

    A store is owned by a process of its program, which does what 'abandon' and 'delete' ask for. An SQLite file is
    that of one process: end the program first; it does it when it is started again.
    """

  let command: String
  let operands: [String]
  private(set) var isJSON = false
  private(set) var isFailedOnly = false
  private var values: [String: String] = [:]

  init(_ arguments: [String]) throws(UsageError) {
    var words: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": words = ["help"]
      case "--json": isJSON = true
      case "--failed": isFailedOnly = true
      case "--journal", "--after", "--limit", "--wait":
        guard let value = rest.popFirst() else {
          throw UsageError("The option '\(word)' needs a value; see --help.")
        }
        values[String(word.dropFirst(2))] = value
      default:
        guard !word.hasPrefix("--") else {
          throw UsageError("There is no option '\(word)'; see --help.")
        }
        words.append(word)
      }
      if words == ["help"] { break }
    }
    command = words.first ?? "help"
    operands = Array(words.dropFirst())
    let counts = [
      "help": 0...0, "ls": 0...1, "show": 1...1, "log": 1...1, "retry": 1...1, "discard": 2...2,
      "abandon": 2...2, "delete": 1...1, "quarantine": 0...1, "metrics": 0...0,
    ]
    guard let count = counts[command] else {
      throw UsageError("There is no command '\(command)'; see --help.")
    }
    guard count.contains(operands.count) else {
      throw UsageError("The command '\(command)' has other operands; see --help.")
    }
  }

  var after: String? { values["after"] }

  func number(_ name: String, or standard: Int) throws(UsageError) -> Int {
    guard let text = values[name] else { return standard }
    guard let number = Int(text), number >= 0, number <= 1_000_000_000 else {
      throw UsageError("The option '--\(name)' needs a whole number, not '\(text)'.")
    }
    return number
  }

  /// The store that the first operand names.
  func store() throws(UsageError) -> StoreKey {
    let words = operands[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
      throw UsageError("A store is named by KIND/STORE, not '\(operands[0])'.")
    }
    return StoreKey(kind: String(words[0]), name: String(words[1]))
  }

  func journal() async throws -> any OperableJournal {
    guard let url = values["journal"] ?? ProcessInfo.processInfo.environment["DATABASE_URL"] else {
      throw UsageError("Say which journal, with '--journal URL' or DATABASE_URL; see --help.")
    }
    let isAddress = ["postgres://", "postgresql://"].contains { url.hasPrefix($0) }
    if isAddress || url.contains("=") { return try await PostgresJournal(ofAnyDeployment: url) }
    // A tool that looks makes no file.
    guard FileManager.default.fileExists(atPath: url) else {
      throw UsageError("There is no journal '\(url)'.")
    }
    return try SQLiteJournal(ofAnyDeployment: url)
  }
}
