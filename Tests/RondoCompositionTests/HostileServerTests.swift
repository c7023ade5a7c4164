// Tests that no answer of a server ends a program that has a `URLSession`.

import Foundation
import RondoSeededRandomness
import Testing

/// Tests run one at a time: processes that are started side by side inherit one another's pipes.
@Suite(.serialized) struct HostileServerTests {
  private typealias Answer = HostileServer.Answer

  private static let valid =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\nhello"

  // H20
  @Test(arguments: ["data", "delegate", "download"])
  func noBeginningOfAnAnswerEndsAProgram(way: String) throws {
    let bytes = Array(Self.valid.utf8)
    let outcomes = try ask(by: way, (0...bytes.count).map { Answer(Array(bytes.prefix($0))) })
    for (count, outcome) in outcomes.enumerated() {
      if count == bytes.count {
        #expect(outcome == "200 5")
      } else if count < bytes.count - 5 {
        #expect(outcome.hasPrefix("-1011 "), "\(count): \(outcome)")
      } else {
        #expect(outcome.hasPrefix("-"), "\(count): \(outcome)")
      }
    }
  }

  // H20
  @Test(arguments: ["data", "delegate", "download"])
  func trailersAreNoAnswerOfTheirOwn(way: String) throws {
    let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"
    let outcomes = try ask(
      by: way, ["A: b\r\n\r\n", "HTTP/1.1 500 No\r\n\r\n", "\r\n"].map { Answer(chunks + $0) })
    #expect(outcomes[0] == "200 5" && outcomes[2] == "200 5")
    // A line that looks like another answer is none of this one.
    #expect(outcomes[1].hasPrefix("-"))
  }

  // H20
  @Test(arguments: ["data", "delegate", "download"])
  func aHostileAnswerIsAnErrorInWords(way: String) throws {
    let outcomes = try ask(by: way, Self.hostile.map(\.answer))
    for (outcome, hostile) in zip(outcomes, Self.hostile) {
      #expect(outcome.hasPrefix(hostile.outcome), "\(hostile.name): \(outcome)")
    }
  }

  // H20
  @Test func randomAnswersEndNoProgram() throws {
    var random = Randomness.one()
    let answers = (0..<Soak.count(30, long: 20_000)).map { _ in Answer(Self.answer(using: &random))
    }
    _ = try ask(by: "delegate", answers, "\(random)")
    _ = try ask(by: "data", answers, "\(random)")
  }

  private struct Hostile {
    var name: String
    var answer: Answer
    /// The expected beginning of the line that ``ask(by:_:_:)`` returns.
    var outcome: String

    init(_ name: String, _ text: String, _ outcome: String, isHeld: Bool = false) {
      self.name = name
      answer = Answer(text, isHeld: isHeld)
      self.outcome = outcome
    }
  }

  private static func header(_ lines: String...) -> String {
    (["HTTP/1.1 200 OK"] + lines + ["Content-Length: 0", "", ""]).joined(separator: "\r\n")
  }

  private static func redirect(to location: String) -> String {
    // The next request must not come on a connection that the server is about to close.
    "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: \(location)\r\n"
      + "Content-Length: 0\r\n\r\n"
  }

  private static let long = String(repeating: "a", count: 200_000)

  private static let hostile: [Hostile] = [
    Hostile("nothing", "", "-1011 "),
    Hostile("a status", "HTTP/1.1 200 OK\r\n", "-1011 The HTTP header has no end"),
    Hostile("half a field", "HTTP/1.1 200 OK\r\nConte", "-1011 The HTTP header has no end"),
    Hostile("informational", "HTTP/1.1 100 Continue\r\n\r\n", "-1011 "),
    Hostile(
      "informational, then half a header", "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\n",
      "-1011 The HTTP header has no end"),
    Hostile(
      "informational, then all", "HTTP/1.1 103 Early\r\nA: b\r\n\r\n\(header())", "200 0"),
    Hostile(
      "informational without end",
      String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1000),
      "-1011 The server sends HTTP headers without end", isHeld: true),
    Hostile(
      "another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
      "-1011 The server left HTTP unasked", isHeld: true),
    Hostile("a long field", header("A: \(long)"), "-1011 The HTTP header is too long"),
    Hostile("a long name", header("\(long): a"), "-1011 The HTTP header is too long"),
    Hostile("a long status", "HTTP/1.1 200 \(long)\r\n\r\n", "-1011 The HTTP header is too long"),
    Hostile("a line without end", "HTTP/1.1 200 OK\r\nA: \(long)\(long)", "-1011 ", isHeld: true),
    Hostile(
      "many fields", header(String(repeating: "a:b\r\n", count: 60_000)),
      "-1011 The HTTP header is too long"),
    Hostile(
      "many trailers",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        + String(repeating: "a:b\r\n", count: 60_000) + "\r\n",
      "-"),
    Hostile(
      "a long location", redirect(to: "/" + long.prefix(90_000)),
      "-1011 The location in the HTTP header is too long"),
    Hostile("a location of two words", redirect(to: "/a b"), "-1007 "),
    Hostile("a location without end", redirect(to: "/"), "-1007 "),
    Hostile("a location of another kind", redirect(to: "ftp://127.0.0.1/x"), "-1002 "),
    Hostile("a location on the disk", redirect(to: "file:///etc/passwd"), "-"),
    Hostile("a location without a host", redirect(to: "//"), "-"),
    Hostile("a location with half a query", redirect(to: "/?%"), "-"),
    Hostile("a length without bounds", header("Content-Length: 9223372036854775807"), "-1011 "),
    Hostile("a length of many digits", header("Content-Length: \(long.prefix(40))"), "-"),
    Hostile("a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "-"),
    Hostile("a line that is no field", header("abc"), "-"),
    Hostile("a field without a name", header(": a"), "-"),
    Hostile("a field that goes on from nothing", header(" a"), "-"),
    Hostile("a field with a zero", header("A: x\0y"), "-"),
    Hostile("a status without words", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "200 0"),
    Hostile("a status of letters", "HTTP/1.1 abc\r\n\r\n", "-"),
    Hostile("the status 0", "HTTP/1.1 000 X\r\n\r\n", "-"),
    Hostile("a version from the future", "HTTP/9.9 200 OK\r\n\r\n", "-"),
    Hostile("no header", "hello", "-"),
    Hostile(
      "cookies", header("Set-Cookie: ;=;=", "Set-Cookie: a=b; Max-Age=99999999999999999999; d="),
      "200 0"),
    Hostile(
      "names and types",
      header("Content-Disposition: attachment; filename=\"", "Content-Type: ;;=\""), "200 0"),
    Hostile(
      "a challenge that asks for nothing",
      "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n", "401 0"),
    Hostile(
      "packed nonsense", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnonsense", "-"),
    Hostile(
      "a chunk without bounds",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx", "-"),
    Hostile(
      "a chunk of no size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "-"),
    Hostile(
      "half a body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", "-"),
  ]

  /// An answer of parts in any order, some of them damaged.
  private static func answer(using random: inout Randomness) -> [UInt8] {
    let signs = Array("/?#%:@[]&=.-+~é 0aZ\\\"<")
    let location = String(
      (0..<random.int(in: 0..<16)).map { _ in
        signs[random.int(in: 0..<signs.count)]
      })
    let parts = [
      "Location: \(location)\r\n", "Location: //\(location)\r\n", "Location: http:\(location)\r\n",
      "HTTP/1.1 200 OK\r\n", "HTTP/1.0 404 No\r\n", "HTTP/1.1 302 F\r\n", "HTTP/1.1 100 C\r\n",
      "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Location: /0?%é#\r\n",
      "Location: //[::1\r\n", "Location: http://u:p@127.0.0.1:-1/\r\n", "Set-Cookie: a=b; path\r\n",
      "Connection: close\r\n", "Content-Encoding: gzip\r\n", "Content-Range: bytes 0-\r\n",
      "Content-Type: text/html; charset=\r\n", "Cache-Control: max-age=99999999999999999999\r\n",
      "Date: x\r\n", "\r\n", "5\r\nhello\r\n", "0\r\n", "0\r\n\r\n", "hello", " folded\r\n",
    ]
    let first = random.int(in: 0..<8) == 0 ? "" : parts[random.int(in: 3..<7)]
    let text = (0..<random.int(in: 0..<8)).reduce(first) { text, _ in
      text + parts[random.int(in: 0..<parts.count)]
    }
    var bytes = Array(text.utf8)
    for _ in 0..<random.int(in: 0..<4) where !bytes.isEmpty {
      let index = random.int(in: 0..<bytes.count)
      switch random.int(in: 0..<3) {
      case 0: bytes[index] = UInt8(random.int(in: 0..<256))
      case 1: bytes.removeSubrange(index...)
      default: bytes.insert(UInt8(random.int(in: 0..<256)), at: index)
      }
    }
    return bytes
  }

  /// Starts a program that asks a server for each of the answers.
  ///
  /// - Returns: A line for each answer: a status and the length of the body, or the code of an error
  ///   and its message.
  private func ask(
    by way: String, _ answers: [Answer], _ comment: Comment = ""
  ) throws -> [Substring] {
    let server = try HostileServer(answers)
    let outcome = try LiveProgram().run("ask", way, server.url, "\(answers.count)")
    #expect(outcome.status == 0, comment)
    let lines = outcome.output.split(separator: "\n")
    try #require(lines.count == answers.count, "\(comment) \(outcome.errors)")
    return lines
  }
}
