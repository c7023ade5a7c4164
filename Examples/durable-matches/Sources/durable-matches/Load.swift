// A load: matches that are played against workers which may be killed at any time, and a model of them.

import Foundation
import MatchFeature

/// Plays matches, one request after the other, and tries again until each is answered. Then it compares each
/// match with a model that knows of no database.
struct Load {
  private let sockets: [String]
  private let matches: Int
  private let players: Int
  private let seed: UInt64
  private let announcements: String?

  init(_ arguments: Arguments) throws(UsageError) {
    guard let sockets = arguments.text("sockets")?.split(separator: ","), !sockets.isEmpty else {
      throw UsageError("The load needs '--sockets A,B'.")
    }
    self.sockets = sockets.map(String.init)
    matches = Int(try arguments.number("matches", or: 100))
    players = Int(try arguments.number("players", or: 8))
    seed = UInt64(try arguments.number("seed", or: 1))
    announcements = arguments.text("announcements")
  }

  /// Runs it, and prints a table.
  ///
  /// - Returns: Whether nothing was lost and nothing doubled.
  func run() -> Bool {
    let results = Results()
    let began = Date()
    let group = DispatchGroup()
    let next = Numbers(below: matches)
    for player in 0..<players {
      group.enter()
      let (sockets, seed) = (sockets, seed)
      Thread.detachNewThread {
        var client = Client(sockets, seed: seed &* 31 &+ UInt64(player))
        while let number = next.next() {
          var match = PlayedMatch(number, seed: seed)
          match.play(&client)
          results.add(match, client.takeCounts())
        }
        group.leave()
      }
    }
    group.wait()
    return results.table(after: Date().timeIntervalSince(began), announced: announced())
  }

  /// The announcements that the world has heard, by match.
  private func announced() -> [String: [String]]? {
    guard let announcements,
      let text = try? String(contentsOfFile: announcements, encoding: .utf8)
    else { return nil }
    var heard: [String: [String]] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "/", maxSplits: 2)
      if parts.count == 3 { heard[String(parts[1]), default: []].append(String(line)) }
    }
    return heard
  }
}

/// Numbers that several threads take.
// @unchecked: guarded by its lock.
private final class Numbers: @unchecked Sendable {
  private let lock = NSLock()
  private var last = 0
  private let end: Int

  init(below end: Int) {
    self.end = end
  }

  func next() -> Int? {
    lock.withLock {
      guard last < end else { return nil }
      last += 1
      return last
    }
  }
}

/// Talks to any of the workers, and tries again until there is an answer.
struct Client {
  struct Counts {
    var requests = 0
    var attempts = 0
    var duplicates = 0
    var givenUp = 0
  }

  private let sockets: [String]
  private var connections: [String: LineConnection] = [:]
  private(set) var random: SystemLikeRandomness
  private var counts = Counts()

  init(_ sockets: [String], seed: UInt64) {
    self.sockets = sockets
    random = SystemLikeRandomness(state: seed)
  }

  mutating func takeCounts() -> Counts {
    defer { counts = Counts() }
    return counts
  }

  /// Sends a request until it is answered, by whichever worker. Some are sent twice on purpose.
  mutating func request(_ line: String) {
    counts.requests += 1
    guard ask(line) != nil else {
      counts.givenUp += 1
      return
    }
    if Int.random(in: 0..<10, using: &random) == 0, ask(line) == "duplicate" {
      counts.duplicates += 1
    }
  }

  /// Asks until there is an answer that is no error; `nil` after two minutes.
  mutating func ask(_ line: String) -> String? {
    let end = Date().addingTimeInterval(120)
    while Date() < end {
      counts.attempts += 1
      let socket = sockets[Int.random(in: 0..<sockets.count, using: &random)]
      if let connection = connections[socket] ?? LineConnection(path: socket, timeout: 20) {
        connections[socket] = connection
        if connection.write(line), let answer = connection.readLine() {
          if !answer.hasPrefix("error") { return answer }
        } else {
          connections[socket] = nil
        }
      }
      usleep(UInt32.random(in: 5_000..<60_000, using: &random))
    }
    return nil
  }
}

/// SplitMix64.
struct SystemLikeRandomness: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// One match of the load, and what must become of it.
struct PlayedMatch {
  let name: String
  private let forfeits: Bool
  private var random: SystemLikeRandomness
  private var sent = 0
  private(set) var expected = Expected()
  private(set) var found: Match.State?

  /// The model: what was sent, and a board.
  struct Expected {
    var requests: [String] = []
    var board: [Character] = Array(repeating: ".", count: 9)
    var result: Match.Result?
  }

  init(_ number: Int, seed: UInt64) {
    name = "m\(seed)-\(number)"
    random = SystemLikeRandomness(state: seed &* 1_000_003 &+ UInt64(number))
    forfeits = number % 10 == 0
  }

  mutating func play(_ client: inout Client) {
    request("create", forfeits ? "1" : "600", &client)
    request("join", "ada", &client)
    request("join", "bob", &client)
    if forfeits {
      expected.result = .forfeited(by: "ada")
    } else {
      playMoves(&client)
    }
    // The clock has to run out, and the announcement to come back.
    for _ in 0..<600 {
      if let answer = client.ask("show \(name)"),
        let state = try? JSONDecoder().decode(Match.State.self, from: Data(answer.utf8))
      {
        found = state
        if state.announcements > 0 { break }
      }
      usleep(100_000)
    }
  }

  private mutating func playMoves(_ client: inout Client) {
    var turn = 0
    while expected.result == nil {
      let player = turn == 0 ? "ada" : "bob"
      if Int.random(in: 0..<20, using: &random) == 0 {
        expected.result = .resigned(by: player)
        return request("resign", player, &client)
      }
      let free = (0..<9).filter { expected.board[$0] == "." }
      let cell = free[Int.random(in: 0..<free.count, using: &random)]
      expected.board[cell] = turn == 0 ? "X" : "O"
      if Match.hasLine(expected.board) {
        expected.result = .won(by: player)
      } else if free.count == 1 {
        expected.result = .drawn
      }
      request("move", "\(player) \(cell)", &client)
      turn = 1 - turn
    }
  }

  private mutating func request(_ verb: String, _ words: String, _ client: inout Client) {
    sent += 1
    let id = "\(name).\(sent)"
    expected.requests.append(id)
    client.request("\(id) \(verb) \(name) \(words)")
  }

  /// The differences from the model; empty if there are none.
  var faults: [String] {
    guard let found else { return ["\(name): it cannot be read"] }
    var faults: [String] = []
    if found.requests != expected.requests {
      faults.append("\(name): handled \(found.requests), sent \(expected.requests)")
    }
    if String(expected.board) != found.board {
      faults.append("\(name): the board is \(found.board), not \(String(expected.board))")
    }
    if found.result != expected.result {
      faults.append(
        "\(name): the result is \(found.result.map { "\($0)" } ?? "none"), not "
          + (expected.result.map { "\($0)" } ?? "none"))
    }
    if found.announcements != 1 {
      faults.append("\(name): announced \(found.announcements) times by its own count")
    }
    return faults
  }
}

/// The results of all matches.
// @unchecked: guarded by its lock.
private final class Results: @unchecked Sendable {
  private let lock = NSLock()
  private var matches: [PlayedMatch] = []
  private var counts = Client.Counts()

  func add(_ match: PlayedMatch, _ counts: Client.Counts) {
    lock.withLock {
      matches.append(match)
      self.counts.requests += counts.requests
      self.counts.attempts += counts.attempts
      self.counts.duplicates += counts.duplicates
      self.counts.givenUp += counts.givenUp
    }
  }

  func table(after seconds: Double, announced: [String: [String]]?) -> Bool {
    lock.withLock {
      let sent = matches.flatMap(\.expected.requests)
      let handled = matches.flatMap { $0.found?.requests ?? [] }
      var times: [String: Int] = [:]
      for id in handled { times[id, default: 0] += 1 }
      let once = sent.count { times[$0] == 1 }
      let lost = sent.count { times[$0] == nil }
      let doubled = times.values.count { $0 > 1 }
      var faults = matches.flatMap(\.faults)
      let equal = matches.count { $0.faults.isEmpty }
      var heard = 0
      var again = 0
      if let announced {
        for match in matches {
          let lines = announced[match.name] ?? []
          heard += lines.isEmpty ? 0 : 1
          again += max(0, lines.count - 1)
          if Set(lines).count != 1 {
            faults.append(
              "\(match.name): the world heard \(Set(lines).count) different announcements")
          }
        }
      }
      let outcomes = matches.count { $0.found?.announcements == 1 }
      for fault in faults.prefix(10) { print(fault) }
      print(
        """
        actions sent              \(sent.count)
          attempts                \(counts.attempts)
          given up                \(counts.givenUp)
          handled once            \(once)
          lost                    \(lost)
          handled twice           \(doubled)
          sent twice, refused     \(counts.duplicates)
        effects
          outcome recorded once   \(outcomes) of \(matches.count)
          heard by the world      \(announced == nil ? "not looked at" : "\(heard)")
          heard again             \(announced == nil ? "not looked at" : "\(again)")
        states equal to the model \(equal) of \(matches.count)
        seconds                   \(Int(seconds))
        """)
      return faults.isEmpty && lost == 0 && doubled == 0 && once == sent.count
        && counts.givenUp == 0
    }
  }
}
