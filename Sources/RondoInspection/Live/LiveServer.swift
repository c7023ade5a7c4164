// The page of a recording that grows, served to this machine alone.

import Foundation
import RondoHistory
import RondoRecording

/// A server for one page and what is new in its recording.
///
/// It listens on 127.0.0.1, answers only who names that address as the host and knows the token, and has three
/// resources: the page, its events, and what the page asks of the program. Everything happens in ``turn(timeout:)``, on the thread that calls it.
final class LiveServer {
  /// The greatest number of connections.
  static let connectionLimit = 64
  private static let headerLimit = 16 << 10
  /// The longest request to the program.
  private static let bodyLimit = 1 << 20
  private static let chunkSize = 256 << 10

  let port: UInt16
  let token: String
  /// The address of the page.
  var address: String { "http://127.0.0.1:\(port)/\(token)/" }
  /// A sentence on the program, besides that on its recording; `nil` where nothing is known.
  var programState: String?

  private let tail: RecordingTail
  private let page: [UInt8]
  private let listener: FileHandle
  private var connections: [Connection] = []
  /// The connection to the program, once the page has asked something of it.
  private var control: ControlClient?
  var connectionCount: Int { connections.count }

  /// - Parameter port: The port to listen on; 0 for any that is free.
  init(_ tail: RecordingTail, port: UInt16 = 0) throws(CommandFailure) {
    func failure(_ number: Int32) -> CommandFailure {
      CommandFailure(
        .unavailable,
        number == EADDRINUSE
          ? "port \(port) of 127.0.0.1 is taken; name another one, or leave '--port' out"
          : "127.0.0.1:\(port) cannot be listened on: \(String(cString: strerror(number)))")
    }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw failure(errno) }
    listener = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    descriptor.setNonblockingAndPrivate()
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, SOMAXCONN) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isBound else { throw failure(errno) }
    self.port = UInt16(bigEndian: address.sin_port)
    var random = SystemRandomNumberGenerator()
    token = (0..<2).map { _ in random.next() }.map { (number: UInt64) in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    page = Array(Page(live: URL(filePath: tail.path).lastPathComponent.spelledOut).html.utf8)
    self.tail = tail
  }

  /// Serves what is ready, after at most so many milliseconds.
  func turn(timeout: Int32) {
    tail.update()
    for connection in connections { fill(connection) }
    var polled = [pollfd(fd: listener.fileDescriptor, events: Int16(POLLIN), revents: 0)]
    polled += connections.map { connection in
      let events = POLLIN | (connection.output.isEmpty ? 0 : POLLOUT)
      return pollfd(fd: connection.descriptor, events: Int16(events), revents: 0)
    }
    guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return }
    for (connection, state) in zip(connections, polled.dropFirst()) where state.revents != 0 {
      connection.receive(limit: Self.headerLimit + Self.bodyLimit)
      if !connection.isAnswered { answer(connection) }
      connection.send()
    }
    connections.removeAll(where: \.isClosed)
    if polled[0].revents != 0 { accept() }
  }

  /// Takes new connections. Where there are too many, those that have not asked anything make way, the oldest first.
  private func accept() {
    while true {
      let descriptor = Foundation.accept(listener.fileDescriptor, nil, nil)
      guard descriptor >= 0 else { return }
      descriptor.setNonblockingAndPrivate()
      let connection = Connection(descriptor)
      if connections.count == Self.connectionLimit {
        if let idle = connections.firstIndex(where: { !$0.isAnswered }) {
          connections.remove(at: idle)
        } else {
          connection.respond("503 Service Unavailable", "There are too many connections.")
          connection.send()
          continue
        }
      }
      connections.append(connection)
    }
  }

  private func answer(_ connection: Connection) {
    guard let request = connection.request else {
      if connection.isTooLong || connection.isHeaderLonger(than: Self.headerLimit) {
        connection.respond("431 Request Header Fields Too Large", "The request is too long.")
      }
      return
    }
    let ownHost = "127.0.0.1:\(port)"
    let isOurs =
      request.hosts == [ownHost] && request.origins.allSatisfy { $0 == "http://\(ownHost)" }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
    guard isOurs, parts.count == 3, parts[0].isEmpty, isToken(parts[1]) else {
      connection.respond(
        "403 Forbidden", "This address needs the token that 'rondo live' has printed.")
      return
    }
    if parts[2] == "control", request.method == "POST" {
      // A form of another page can send a body, but not of this type.
      guard request.type == "application/json", request.origins.count == 1 else {
        connection.respond("403 Forbidden", "Only the page may ask this.")
        return
      }
      guard let length = request.length, length <= Self.bodyLimit else {
        connection.respond("413 Content Too Large", "The request is too long.")
        return
      }
      guard let body = connection.body(length) else { return }
      let answer = ask(body)
      connection.respond("200 OK", type: "application/json", Array(answer))
      return
    }
    guard request.method == "GET" else {
      connection.respond("405 Method Not Allowed", "Only GET is understood.")
      return
    }
    switch parts[2] {
    case "": connection.respond("200 OK", type: "text/html", page)
    case "events":
      connection.stream = Connection.Stream()
      connection.respond("200 OK", type: "text/event-stream", nil)
    default: connection.respond("404 Not Found", "There is only the page.")
    }
  }

  /// Passes a request of the page on to the program.
  private func ask(_ request: Data) -> Data {
    do throws(ControlClient.Failure) {
      guard let path = tail.controlPath else {
        throw ControlClient.Failure(
          description:
            "The program lets nobody act on it: record it with 'control: .inDebugBuilds'.")
      }
      if control?.path != path { control = try ControlClient(path) }
      return try control?.ask(request) ?? Data()
    } catch {
      control = nil
      var answer = ControlAnswer()
      answer.problem = error.description
      return (try? JSONEncoder().encode(answer)) ?? Data("{}".utf8)
    }
  }

  /// Compares in a time that does not tell how much of the token is right.
  private func isToken(_ text: Substring) -> Bool {
    text.utf8.count == token.utf8.count
      && zip(text.utf8, token.utf8).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }

  /// Gives a stream what is new, if it has taken what was before. So a slow reader costs one chunk of memory.
  private func fill(_ connection: Connection) {
    guard var stream = connection.stream, connection.output.isEmpty else { return }
    defer { connection.stream = stream }
    if stream.generation != tail.generation {
      stream = Connection.Stream(generation: tail.generation)
      connection.send("start", "{}")
    }
    if [.running, .ended, .abandoned].contains(tail.state) {
      if let lines = tail.lines(at: stream.offset, count: Self.chunkSize) {
        stream.offset += lines.count
        connection.send(lines: lines)
      } else {
        stream.state = "A line of the recording has more than \(RecordingTail.lineLimit >> 20) MB."
      }
    }
    let state = stateText
    if stream.state != state {
      stream.state = state
      connection.send("state", state)
    }
    connection.send()
  }

  /// The sentences of the page on the program and its recording, as JSON.
  private var stateText: String {
    let text =
      switch tail.state {
      case .waiting: "Waiting for the first line of the recording."
      case .running: "The program is running."
      case .ended: "The recording has ended."
      case .abandoned:
        "The recording has stopped without its last line: the program was killed, or could not write any more."
      case .refused(let problem): problem
      }
    let words = programState.map { "\(text) \($0)" } ?? text
    let fields: [String: RecordedData] = [
      "text": .string(words.onOneLine), "running": .bool(tail.state == .running),
    ]
    return (try? RecordedData.object(fields).json(named: tail.path)) ?? "{}"
  }
}

/// A connection of a browser.
private final class Connection {
  /// The place in the recording up to which a page has got it.
  struct Stream {
    var generation = -1
    var offset = 0
    var state: String?
  }

  struct Request {
    var method: Substring
    var path: Substring
    var hosts: [String] = []
    var origins: [String] = []
    var type = ""
    /// The length of the body; `nil` where it is no number.
    var length: Int? = 0
  }

  let descriptor: Int32
  var stream: Stream?
  private(set) var input: [UInt8] = []
  private(set) var output: ArraySlice<UInt8> = []
  private(set) var isAnswered = false
  private(set) var isClosed = false
  private(set) var isTooLong = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// The request, once its header is there as a whole.
  var request: Request? {
    guard let end = endOfHeader else { return nil }
    let text = String(decoding: input[..<end], as: UTF8.self)
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).prefix {
      !$0.isEmpty
    }
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    var request = Request(method: words.first ?? "", path: words.count == 3 ? words[1] : "")
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].trimmingCharacters(in: .whitespaces)
      switch parts[0].lowercased() {
      case "host": request.hosts.append(value)
      case "origin": request.origins.append(value)
      case "content-type": request.type = value.lowercased()
      case "content-length": request.length = Int(value).flatMap { $0 >= 0 ? $0 : nil }
      default: break
      }
    }
    return request
  }

  /// The place behind the header; `nil` before it is there as a whole.
  private var endOfHeader: Int? {
    input.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
  }

  func isHeaderLonger(than limit: Int) -> Bool { endOfHeader == nil && input.count > limit }

  /// The body of a request; `nil` before it is there as a whole.
  func body(_ length: Int) -> Data? {
    guard let start = endOfHeader, input.count - start >= length else { return nil }
    return Data(input[start..<start + length])
  }

  func receive(limit: Int) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else {
        if count == 0 || (errno != EAGAIN && errno != EINTR) { isClosed = true }
        return
      }
      guard !isAnswered else { continue }
      input += bytes.prefix(count)
      if input.count > limit {
        isTooLong = true
        return
      }
    }
  }

  func respond(_ status: String, _ text: String) {
    respond(status, type: "text/plain", Array("\(text)\n".utf8))
  }

  /// - Parameter body: What is sent behind the header; `nil` for a stream.
  func respond(_ status: String, type: String, _ body: [UInt8]?) {
    isAnswered = true
    let length = body.map { "Content-Length: \($0.count)\r\n" } ?? ""
    let header = """
      HTTP/1.1 \(status)\r
      Content-Type: \(type); charset=utf-8\r
      Cache-Control: no-store\r
      Referrer-Policy: no-referrer\r
      X-Content-Type-Options: nosniff\r
      X-Frame-Options: DENY\r
      Cross-Origin-Resource-Policy: same-origin\r
      Connection: close\r
      \(length)\r

      """
    output += Array(header.utf8) + (body ?? [])
  }

  /// Adds an event of a stream.
  func send(_ event: String, _ data: String) {
    output += Array("event: \(event)\ndata: \(data.filter { !$0.isNewline })\n\n".utf8)
  }

  /// Adds lines of a recording as one event. In JSON a return is a space.
  func send(lines: Data) {
    guard !lines.isEmpty else { return }
    var event: [UInt8] = []
    event.reserveCapacity(lines.count + lines.count / 8)
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      event += "data: ".utf8
      event += line
      event.append(UInt8(ascii: "\n"))
    }
    event.append(UInt8(ascii: "\n"))
    if event.contains(UInt8(ascii: "\r")) {
      event = event.map { $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    }
    output += event
  }

  /// Sends as much as the reader takes.
  func send() {
    while !output.isEmpty {
      let count = output.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else {
        if errno != EAGAIN && errno != EINTR { isClosed = true }
        return
      }
      output = output.dropFirst(count)
    }
    output = []
    if isAnswered, stream == nil { isClosed = true }
  }
}

extension Int32 {
  /// Makes a descriptor one that nobody waits for, and that other programs do not get.
  fileprivate func setNonblockingAndPrivate() {
    _ = fcntl(self, F_SETFL, fcntl(self, F_GETFL) | O_NONBLOCK)
    _ = fcntl(self, F_SETFD, FD_CLOEXEC)
  }
}
