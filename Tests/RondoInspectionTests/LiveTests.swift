// The page of a program that is running: its file, its server, and attacks on it.

import Foundation
import RondoProcesses
import Testing

@testable import RondoInspection
@testable import RondoRecording

// V12
@Suite struct LiveTests {
  /// A recording in a folder of its own, and the server of its page.
  private final class Live {
    private let folder = TemporaryFolder()
    let path: String
    let tail: RecordingTail
    let server: LiveServer

    init(_ text: String? = nil) throws {
      path = folder.path("a.jsonl")
      if let text { try folder.write(text, to: "a.jsonl") }
      tail = RecordingTail(path)
      server = try LiveServer(tail)
    }

    /// Writes to the file that is there, as a program does that goes on.
    func append(_ text: String) throws {
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }

    func connect() throws -> Client { try Client(server) }

    /// The answer to a request, which has everything up to the end of the connection.
    func answer(_ request: String) throws -> String {
      let client = try connect()
      client.send(request)
      return client.rest(turns: 2_000)
    }

    func get(_ path: String, host: String? = nil, _ more: String = "") throws -> String {
      try answer(
        "GET \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(server.port)")\r\n\(more)\r\n")
    }

    /// A page that follows.
    func follow() throws -> Client {
      let client = try connect()
      client.send("GET /\(server.token)/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
      return client
    }
  }

  /// The other side of a connection, on the same thread: the server takes a turn whenever nothing is there.
  private final class Client {
    let descriptor: Int32
    private let server: LiveServer
    private var bytes: [UInt8] = []
    /// The place behind what was found last.
    private var found = 0
    var text: String { String(decoding: bytes, as: UTF8.self) }

    init(_ server: LiveServer) throws {
      self.server = server
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = server.port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try #require(result == 0)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
      let bytes = Array(text.utf8)
      _ = bytes.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      server.turn(timeout: 0)
    }

    /// Reads until the server has nothing more for so many turns.
    @discardableResult
    func rest(turns: Int = 20) -> String {
      _ = reads("\u{1}", turns: turns)
      return text
    }

    /// Whether a text comes, behind what an earlier call has found.
    func reads(_ part: String, turns: Int = 2_000) -> Bool {
      let part = Array(part.utf8)
      var turns = turns
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let end = bytes.withUnsafeBytes { all -> Int? in
          guard let base = all.baseAddress else { return nil }
          var place = found
          while place + part.count <= all.count,
            let next = memchr(base + place, Int32(part[0]), all.count - place)
          {
            place = UnsafeRawPointer(next) - base + 1
            guard place - 1 + part.count <= all.count else { return nil }
            if memcmp(base + place - 1, part, part.count) == 0 { return place - 1 + part.count }
          }
          return nil
        }
        if let end {
          found = end
          return true
        }
        let searched = max(found, bytes.count - part.count)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
          bytes += buffer.prefix(count)
        } else {
          guard count < 0, errno == EAGAIN, turns > 0 else { return false }
          turns -= 1
          server.turn(timeout: 0)
        }
        found = searched
      }
    }
  }

  private let lines = searchRecording().text.split(separator: "\n").map { "\($0)\n" }

  // MARK: What may be asked for

  @Test func thePageIsThereForWhoKnowsItsAddress() throws {
    let live = try Live(lines.joined())
    let page = try live.get("/\(live.server.token)/")
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(page.contains("<!doctype html>") && page.hasSuffix("</html>\n"))
    #expect(page.contains("connect-src 'self'; script-src 'sha256-"))
    #expect(page.contains("Referrer-Policy: no-referrer"))
    #expect(live.server.token.count == 32)
    #expect(try Live().server.token != live.server.token)
  }

  @Test(arguments: ["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "", "[::1]"])
  func aForeignHostIsRefused(host: String) throws {
    let live = try Live(lines.joined())
    for path in ["/\(live.server.token)/", "/\(live.server.token)/events"] {
      let answer = try live.get(path, host: host)
      #expect(answer.hasPrefix("HTTP/1.1 403 "))
      #expect(!answer.contains("doctype") && !answer.contains("queryChanged"))
    }
  }

  @Test func twoHostsAForeignOriginAndNoHostAreRefused() throws {
    let live = try Live(lines.joined())
    let path = "/\(live.server.token)/"
    #expect(try live.get(path, "Host: evil.example\r\n").hasPrefix("HTTP/1.1 403 "))
    #expect(try live.get(path, "Origin: http://evil.example\r\n").hasPrefix("HTTP/1.1 403 "))
    #expect(try live.get(path, "Origin: null\r\n").hasPrefix("HTTP/1.1 403 "))
    #expect(try live.answer("GET \(path) HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 403 "))
    let own = "Origin: http://127.0.0.1:\(live.server.port)\r\n"
    #expect(try live.get(path, own).hasPrefix("HTTP/1.1 200 "))
  }

  @Test(arguments: [
    "/", "", "//", "/events", "/favicon.ico", "/0123456789abcdef0123456789abcdef/",
    "/0123456789abcdef0123456789abcdef/events", "/../../etc/passwd", "/%2e%2e/etc/passwd", "*",
    "http://127.0.0.1/", "/\u{0}/",
  ])
  func withoutTheTokenNothingIsThere(path: String) throws {
    let live = try Live(lines.joined())
    #expect(try live.get(path).hasPrefix("HTTP/1.1 403 "))
  }

  @Test(arguments: [
    "/../../../etc/passwd", "/..%2f..%2fetc/passwd", "/a.jsonl", "/events/", "/events?a", "/./",
    "//etc/passwd", "/%2e%2e", "/..",
  ])
  func noOtherFileCanBeAskedFor(rest: String) throws {
    let live = try Live(lines.joined())
    let answer = try live.get("/\(live.server.token)\(rest)")
    #expect(answer.hasPrefix("HTTP/1.1 404 ") || answer.hasPrefix("HTTP/1.1 403 "))
    #expect(!answer.contains("root:") && !answer.contains("queryChanged"))
  }

  @Test(arguments: ["POST", "PUT", "OPTIONS", "HEAD", ""])
  func onlyGetIsUnderstood(method: String) throws {
    let live = try Live(lines.joined())
    let answer = try live.answer(
      "\(method) /\(live.server.token)/ HTTP/1.1\r\nHost: 127.0.0.1:\(live.server.port)\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 405 "))
  }

  @Test func aRequestWithoutAnEndIsCutOff() throws {
    let live = try Live()
    let client = try live.connect()
    client.send("GET / HTTP/1.1\r\n" + String(repeating: "a", count: 20_000))
    #expect(client.reads("HTTP/1.1 431 "))
  }

  @Test func bytesThatAreNoRequestAreRefused() throws {
    let live = try Live()
    #expect(try live.answer("\u{16}\u{3}\u{1}\r\n\r\n").hasPrefix("HTTP/1.1 403 "))
    #expect(try live.answer("\r\n\r\n").hasPrefix("HTTP/1.1 403 "))
  }

  // MARK: Acting on the program

  /// A request of the page to the program.
  private func post(
    _ live: Live, _ body: String, _ more: String? = nil, type: String = "application/json",
    length: Int? = nil, path: String? = nil
  ) throws -> String {
    let host = "127.0.0.1:\(live.server.port)"
    return try live.answer(
      "POST \(path ?? "/\(live.server.token)/control") HTTP/1.1\r\nHost: \(host)\r\n"
        + (more ?? "Origin: http://\(host)\r\n")
        + "Content-Type: \(type)\r\nContent-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)")
  }

  private let look = #"{"deed":"look"}"#

  // V13
  @Test func onlyThePageMayAskTheProgram() throws {
    let live = try Live(lines.joined())
    #expect(try post(live, look).hasPrefix("HTTP/1.1 200 "))
    for origin in ["", "Origin: null\r\n", "Origin: http://evil.example\r\n"] {
      #expect(try post(live, look, origin).hasPrefix("HTTP/1.1 403 "), "\(origin)")
    }
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
      #expect(try post(live, look, type: type).hasPrefix("HTTP/1.1 403 "), "\(type)")
    }
    let path = "/0123456789abcdef0123456789abcdef/control"
    #expect(try post(live, look, path: path).hasPrefix("HTTP/1.1 403 "))
    #expect(try post(live, look, path: "/control").hasPrefix("HTTP/1.1 403 "))
    #expect(try live.get("/\(live.server.token)/control").hasPrefix("HTTP/1.1 404 "))
    #expect(try post(live, look, length: 2 << 20).hasPrefix("HTTP/1.1 413 "))
    #expect(try post(live, look, length: -1).hasPrefix("HTTP/1.1 413 "))
  }

  /// A recording that names a socket.
  private func recording(naming path: String) throws -> String {
    var begin = try RecordingFile(Data(lines[0].utf8)).begin
    begin.control = path
    return String(decoding: LineText(.begin(begin)).bytes, as: UTF8.self)
  }

  // V13
  @Test func aProgramThatCannotBeReachedIsSaidInOneLine() throws {
    func problem(_ live: Live) throws -> String? {
      live.server.turn(timeout: 0)
      let answer = try post(live, look)
      let body = answer.components(separatedBy: "\r\n\r\n").last ?? ""
      return try JSONDecoder().decode(ControlAnswer.self, from: Data(body.utf8)).problem
    }
    #expect(
      try problem(Live(lines.joined()))
        == "The program lets nobody act on it: record it with 'control: .inDebugBuilds'.")
    #expect(try problem(Live(recording(naming: "/none/s"))) == "/none/s: the program has ended.")
    #expect(try problem(Live(recording(naming: "/tmp"))) == "/tmp: it is no socket.")
    #expect(try problem(Live(recording(naming: "/etc/passwd"))) == "/etc/passwd: it is no socket.")
    // A socket of this user that is none of Rondo's: nothing is written to it.
    let path = NSTemporaryDirectory() + "/s\(UInt32.random(in: 0 ... .max))"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(listener)
      unlink(path)
    }
    var address = try #require(sockaddr_un(path: path))
    #expect(address.withSocketAddress { bind(listener, $0, $1) } == 0)
    #expect(try problem(Live(recording(naming: path))) == "\(path): the program has ended.")
    let result = InspectionCommand.run(arguments: ["live", path])
    #expect(result.status == .noInput)
    #expect(result.problem == "\(path): the program has ended.")
    #expect(listen(listener, 4) == 0)
    let live = try Live(recording(naming: path))
    #expect(
      try problem(live) == "The program does not answer. It may be busy, or stopped in a debugger.")
    let peer = accept(listener, nil, nil)
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(recv(peer, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == 0)
    close(peer)
  }

  // MARK: Programs that are started anew

  /// The same file is emptied and filled between two looks, and the first line differs behind its first pages.
  @Test func anotherRecordingInTheSameFileIsNoticedByAllOfItsFirstLine() throws {
    func text(_ end: String, _ count: Int) -> String {
      let pad = String(repeating: "x", count: 10_000)
      return "{\"pad\":\"\(pad)\"," + lines[0].dropFirst().dropLast(2) + ",\"end\":\"\(end)\"}\n"
        + lines.dropFirst().prefix(count).joined()
    }
    let live = try Live(text("a", 3))
    func refill(_ text: String) throws {
      let file = try FileHandle(forWritingTo: URL(filePath: live.path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
      live.tail.update()
    }
    live.tail.update()
    #expect(live.tail.generation == 1)
    try live.append(lines[4])
    live.tail.update()
    #expect(live.tail.generation == 1)
    try refill(text("b", 5))
    #expect(live.tail.generation == 2)
    // What has become smaller was begun anew, even with the same first line.
    try refill(text("b", 1))
    #expect(live.tail.generation == 3)
  }

  // MARK: Many, and slow ones

  @Test func idleConnectionsMakeWay() throws {
    let live = try Live(lines.joined())
    var idle: [Client] = []
    for _ in 0..<(3 * LiveServer.connectionLimit) {
      idle.append(try live.connect())
      live.server.turn(timeout: 0)
      #expect(live.server.connectionCount <= LiveServer.connectionLimit)
    }
    #expect(try live.get("/\(live.server.token)/").hasPrefix("HTTP/1.1 200 "))
  }

  @Test func tooManyPagesAreToldSo() throws {
    let live = try Live(lines.joined())
    var pages: [Client] = []
    for _ in 0..<LiveServer.connectionLimit {
      let page = try live.follow()
      #expect(page.reads("found"))
      pages.append(page)
    }
    #expect(try live.connect().reads("HTTP/1.1 503 "))
    pages.removeLast()
    #expect(try live.get("/\(live.server.token)/").hasPrefix("HTTP/1.1 200 "))
  }

  @Test func whoReadsNothingKeepsNobodyWaiting() throws {
    let live = try Live(lines.dropLast().joined())
    let slow = try live.follow()
    let fast = try live.follow()
    let issue =
      "{\"event\":\"issue\",\"at\":1,\"message\":\"\(String(repeating: "x", count: 60_000))\"}\n"
    for _ in 0..<50 {
      try live.append(issue)
      live.server.turn(timeout: 0)
    }
    try live.append("{\"event\":\"issue\",\"at\":1,\"message\":\"last\"}\n")
    #expect(fast.reads("\"last\""))
    #expect(slow.text.isEmpty)
    // It gets all of it when it reads at last.
    #expect(slow.reads("\"last\""))
    #expect(slow.text.components(separatedBy: "xxx\"}").count == 51)
  }

  @Test func whoHasGoneIsForgotten() throws {
    let live = try Live(lines.joined())
    for _ in 0..<10 {
      let page = try live.follow()
      #expect(page.reads("found"))
      #expect(live.server.connectionCount == 1)
      shutdown(page.descriptor, Int32(SHUT_RDWR))
      live.server.turn(timeout: 0)
      #expect(live.server.connectionCount == 0)
    }
  }

  @Test func aPortThatIsTakenIsSaidInOneLine() throws {
    let live = try Live(lines.joined())
    let result = InspectionCommand.run(
      arguments: ["live", live.path, "--port", "\(live.server.port)"])
    #expect(result.status == .unavailable)
    #expect(
      result.problem
        == "port \(live.server.port) of 127.0.0.1 is taken; name another one, or leave '--port' out"
    )
  }

  // MARK: A recording that grows

  @Test func linesComeWhenTheyAreWhole() throws {
    let live = try Live()
    let page = try live.follow()
    #expect(page.reads("Waiting for the first line"))
    try Data(lines[0].dropLast(9).utf8).write(to: URL(filePath: live.path))
    page.rest()
    #expect(!page.text.contains("data: {\"actionCases"))
    try live.append(String(lines[0].suffix(9)))
    #expect(page.reads("\"recording\":2"))
    try live.append(lines[1] + String(lines[2].prefix(20)))
    #expect(page.reads("queryChanged"))
    page.rest()
    #expect(!page.text.contains("data: \(lines[2].prefix(20))"))
    try live.append(lines[2].dropFirst(20) + lines[3...].joined())
    #expect(page.reads("The recording has ended."))
    let data = page.text.split(separator: "\n").filter { $0.hasPrefix("data: ") }.map {
      $0.dropFirst(6)
    }
    #expect(
      data.filter { $0.contains("\"event\"") || $0.contains("\"recording\":") }.map { "\($0)\n" }
        == lines)
  }

  @Test func aPageThatComesLaterGetsAllOfIt() throws {
    let live = try Live(lines.joined())
    #expect(try live.follow().reads("found"))
    let second = try live.follow()
    #expect(second.reads("The recording has ended."))
    #expect(second.text.contains("event: start\n") && second.text.contains("queryChanged"))
  }

  @Test func aProgramThatIsKilledAndStartedAnewShowsAsThat() throws {
    let live = try Live()
    let page = try live.follow()
    var writer: RecordingWriter? = try RecordingWriter(URL(filePath: live.path))
    for case let (_, line) in try RecordingFile(Data(lines.joined().utf8)).lines.dropLast() {
      writer?.write(line)
    }
    #expect(page.reads("found"))
    #expect(page.reads("The program is running."))
    writer = nil
    #expect(page.reads("without its last line: the program was killed"))
    let before = page.text.components(separatedBy: "event: start\n").count
    // The file is emptied, and becomes longer than it was.
    let again = try RecordingWriter(URL(filePath: live.path))
    var begin = try RecordingFile(Data(lines[0].utf8)).begin
    begin.date += 1
    again.write(.begin(begin))
    for _ in 0..<40 { again.write(.issue(RecordingLine.Issue(at: 0, message: "anew"))) }
    #expect(page.reads("anew"))
    #expect(page.text.components(separatedBy: "event: start\n").count == before + 1)
    again.end(at: 1)
    #expect(page.reads("The recording has ended."))
  }

  @Test func aFileThatIsReplacedByAnotherIsReadAnew() throws {
    let live = try Live(lines.joined())
    let page = try live.follow()
    #expect(page.reads("found"))
    let other = lines.joined().replacing("queryChanged", with: "typed")
    // A name for another file, in one step.
    try Data(other.utf8).write(to: URL(filePath: live.path), options: .atomic)
    #expect(page.reads("typed"))
    try FileManager.default.removeItem(atPath: live.path)
    page.rest()
    try Data(lines.joined().utf8).write(to: URL(filePath: live.path))
    #expect(page.reads("event: start\n") && page.reads("queryChanged"))
  }

  @Test func aTruncatedFileIsReadAgain() throws {
    let live = try Live(lines.joined())
    let page = try live.follow()
    #expect(page.reads("The recording has ended."))
    #expect(truncate(live.path, 10) == 0)
    #expect(page.reads("Waiting for the first line"))
    #expect(truncate(live.path, 0) == 0)
    try live.append(lines.joined().replacing("queryChanged", with: "typed"))
    #expect(page.reads("typed"))
  }

  @Test(arguments: [
    ("{\"recording\":3}\n", "Use a newer version of Rondo."),
    ("hello\n", "this is not the beginning of a recording."),
    ("{\"recording\":2}\n", "'host' is missing."), ("\n", "not the beginning"),
  ])
  func whatIsNoRecordingIsSaidOnThePage(text: String, problem: String) throws {
    let live = try Live(text)
    let page = try live.follow()
    #expect(page.reads(problem))
    try Data(lines.joined().utf8).write(to: URL(filePath: live.path))
    #expect(page.reads("found"))
  }

  @Test func controlsInALineCannotMakeAnEvent() throws {
    let live = try Live(
      lines[0] + "{\"event\":\"issue\",\r\"at\":0,\"message\":\"a\"}\r\revent: state\rdata: {}\n")
    let page = try live.follow()
    #expect(page.reads("\"a\"}"))
    #expect(!page.text.contains("\revent: state"))
  }

  @Test func aLineOfManyChunksComesWhole() throws {
    let long = String(repeating: "y", count: 1_000_000)
    let live = try Live(lines[0] + "{\"event\":\"issue\",\"at\":0,\"message\":\"\(long)\"}\n")
    #expect(try live.follow().reads("\(long)\"}\n"))
  }

  // MARK: The command

  @Test(
    arguments: [
      ([], "'live' takes one recording, or a program behind '--', and only one of these"),
      (
        ["a", "--", "b"],
        "'live' takes one recording, or a program behind '--', and only one of these"
      ),
      (["a", "b"], "'live' takes one recording, or a program behind '--', and only one of these"),
      (["-o", "a", "b"], "-o is where the program behind '--' records to; leave it out"),
      (["-"], "'live' follows a file; '-' is none"),
      (["a", "--port", "0"], "--port 0: expected a number from 1 to 65535"),
      (["a", "--port", "65536"], "--port 65536: expected a number from 1 to 65535"),
    ] as [([String], String)])
  func aMisuseIsSaidInOneLine(arguments: [String], problem: String) {
    let result = InspectionCommand.run(arguments: ["live"] + arguments)
    #expect(result.status == .usage)
    #expect(result.problem == problem)
  }

  @Test func aMissingFileAndAMissingProgramAreNamed() {
    let file = InspectionCommand.run(arguments: ["live", "/none/a.jsonl"])
    #expect(file.status == .noInput)
    #expect(file.problem == "/none/a.jsonl cannot be read: No such file or directory")
    let program = InspectionCommand.run(arguments: ["live", "--", "/none/program"])
    #expect(program.status == .noInput)
    #expect(program.problem == "/none/program cannot be started: No such file or directory")
  }

  @Test func aProgramGetsTheNameOfItsRecordingAndItsArguments() throws {
    let live = try Live()
    let command = [
      "/bin/sh", "-c", "printf '%s ' \"$@\" >\"$RONDO_RECORD\"; kill -9 $$", "sh", "a b", "c",
    ]
    var program = try LiveProgram(command, recordingTo: live.path, signals: sigset_t())
    var end: String?
    while end == nil {
      end = program.update()
      sched_yield()
    }
    #expect(end == "/bin/sh was ended by signal 9: Killed.")
    #expect(try String(contentsOfFile: live.path, encoding: .utf8) == "a b c ")
    live.server.programState = end
    #expect(try live.follow().reads("was ended by signal 9"))
  }
}
