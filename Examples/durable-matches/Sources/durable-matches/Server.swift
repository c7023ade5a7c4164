// The server: lines in, lines out.

import Foundation
import MatchFeature
import RondoDurable

/// Matches on a journal, and the lines that they are asked by.
struct Server: Sendable {
  let matches: DurableStores<Match.State, Match.Action>

  init(_ arguments: Arguments, journal: any Journal) throws(UsageError) {
    var options = DurableOptions()
    options.lease = .milliseconds(Int(try arguments.number("lease", or: 10) * 1000))
    options.pollInterval = .milliseconds(50)
    options.snapshotInterval = 8
    let announcements = try Announcements(path: arguments.text("announcements"))
    let decision: SetAsideDecision
    switch arguments.text("set-aside") ?? "stop" {
    case "stop": decision = .stop
    case "go-on": decision = .goOn
    case let word:
      throw UsageError("The option '--set-aside' is 'stop' or 'go-on', not '\(word)'.")
    }
    matches = DurableStores(
      journal: journal,
      feature: .match(
        trap: arguments.text("trap"), version: Int(try arguments.number("version", or: 1)),
        revision: Int(try arguments.number("revision", or: 1))
      ) { result, key in
        try await announcements.announce(result, key)
      }.whenSetAside(decision),
      options: options)
  }

  /// Answers one line with one line.
  func answer(_ line: String) async -> String {
    let words = line.split(separator: " ").map(String.init)
    do {
      if words.count == 2, words[0] == "show" { return try await show(words[1]) }
      guard words.count >= 3 else {
        throw UsageError("That is no line of this server; see --help.")
      }
      let (id, name) = (words[0], words[2])
      let request = try Server.request(words[1], Array(words[3...]))
      let delivery = try await matches[name].send(.request(request, id: id), id: id)
      return delivery == .duplicate ? "duplicate" : "ok"
    } catch {
      return "error \(error)".split(separator: "\n").joined(separator: " ")
    }
  }

  private static func request(
    _ verb: String, _ words: [String]
  ) throws(UsageError) -> Match.Request {
    switch (verb, words.count) {
    case ("create", 1):
      guard let seconds = Double(words[0]), seconds > 0, seconds <= Match.longestMove else {
        throw UsageError(
          "A match needs a number of seconds for each move, more than 0 and at most "
            + "\(Int(Match.longestMove)), not '\(words[0])'.")
      }
      return .create(secondsPerMove: seconds)
    case ("join", 1): return .join(player: words[0])
    case ("move", 2):
      guard let cell = Int(words[1]) else {
        throw UsageError("A move needs a cell from 0 to 8, not '\(words[1])'.")
      }
      return .move(player: words[0], cell: cell)
    case ("resign", 1): return .resign(player: words[0])
    default: throw UsageError("There is no request '\(verb)' with \(words.count) words behind it.")
    }
  }

  private func show(_ name: String) async throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(try await matches[name].state), as: UTF8.self)
  }

  /// Answers on standard input until it ends.
  func answerStandardInput() async {
    while let line = readLine() {
      guard !line.isEmpty else { continue }
      FileHandle.standardOutput.write(Data((await answer(line) + "\n").utf8))
    }
  }

  /// Answers on a socket, for ever. Each connection has a thread, which waits for one answer at a time.
  func answer(on socket: ListeningSocket) {
    var hasFailed = false
    while true {
      guard let connection = socket.accept() else {
        let reason = String(cString: strerror(errno))
        if !hasFailed {
          FileHandle.standardError.write(
            Data("durable-matches: no connection can be accepted: \(reason); trying again\n".utf8))
        }
        hasFailed = true
        // The failure may last, as that of too many open files does.
        usleep(100_000)
        continue
      }
      let line = Connection(connection)
      let server = self
      Thread.detachNewThread {
        while let text = line.connection.readLine() {
          let done = DispatchSemaphore(value: 0)
          let reply = Reply()
          Task {
            reply.text = await server.answer(text)
            done.signal()
          }
          done.wait()
          guard line.connection.write(reply.text) else { return }
        }
      }
    }
  }

  // @unchecked: handed from one thread to another, which uses it alone from then on.
  private final class Connection: @unchecked Sendable {
    let connection: LineConnection
    init(_ connection: LineConnection) { self.connection = connection }
  }

  // @unchecked: written before a semaphore is signalled, and read after it was waited for.
  private final class Reply: @unchecked Sendable {
    var text = ""
  }
}

/// The world that hears of results: a file with a line for each announcement.
struct Announcements: Sendable {
  private let descriptor: Int32

  init(path: String?) throws(UsageError) {
    guard let path else {
      descriptor = -1
      return
    }
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw UsageError(
        "The file '\(path)' cannot be written: \(String(cString: strerror(errno))).")
    }
  }

  func announce(_ result: Match.Result, _ key: String) async throws {
    guard descriptor >= 0 else { return }
    // One call appends the whole line, also while another process writes.
    let bytes = Array("\(key) \(result)\n".utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw UsageError("An announcement cannot be written: \(String(cString: strerror(errno))).")
    }
    // The world is slow to answer: a worker may end after it was heard and before it knows that.
    try await Task.sleep(for: .milliseconds(50))
  }
}
