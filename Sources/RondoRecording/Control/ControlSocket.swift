// The Unix socket that tools act on a program by.

import Foundation
import Synchronization

/// A socket that only processes of the same user can use. Requests come line by line, and each is answered by a line.
final class ControlSocket: Sendable {
  /// The greatest number of connections at a time.
  static let connectionLimit = 8
  /// The longest line that is read.
  static let lineLimit = 1 << 20

  typealias Handler = @Sendable (ControlRequest) async -> ControlAnswer

  let path: String
  private let listener: Int32
  /// The file that this socket is, so that no other one is removed in the end.
  private let node: UInt
  private let state = Mutex(State.made)

  private enum State { case made, served, ended }

  /// Makes the socket in a place; in a folder for the user alone where none is named.
  ///
  /// - Throws: A ``RecordingError`` that says what is in the way.
  init(at place: String?) throws(RecordingError) {
    let path = if let place { place } else { try Self.newPath() }
    self.path = path
    func failure(_ reason: String) -> RecordingError {
      RecordingError("\(path) cannot be a control socket: \(reason).")
    }
    guard var address = sockaddr_un(path: path) else {
      throw failure("its path has to have from 1 to \(sockaddr_un.pathLimit) bytes")
    }
    if let obstacle = Self.obstacle(at: path, &address) { throw failure(obstacle) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Before anybody can connect: nobody can until it listens.
    let isBound =
      address.withSocketAddress { bind(descriptor, $0, $1) } == 0
      && chmod(path, 0o600) == 0 && listen(descriptor, 8) == 0
    var status = stat()
    guard isBound, lstat(path, &status) == 0 else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw failure(reason)
    }
    listener = descriptor
    node = UInt(status.st_ino)
  }

  deinit { end() }

  // MARK: The place

  /// A path that is free, in the folder of the user's running programs, or in one of the user's own.
  private static func newPath() throws(RecordingError) -> String {
    let user = geteuid()
    let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? ""
    let folder = runtime.hasPrefix("/") ? "\(runtime)/rondo" : "/tmp/rondo-\(user)"
    var status = stat()
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST, lstat(folder, &status) == 0 else {
      throw RecordingError(
        "The folder \(folder) for control sockets cannot be made: \(String(cString: strerror(errno)))."
      )
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == user, status.st_mode & 0o077 == 0
    else {
      throw RecordingError(
        "\(folder) has to be a folder that only you can use, for control sockets. Remove it, or name another "
          + "place by 'control: .inDebugBuilds(at:)'.")
    }
    removeLeftOver(in: folder)
    return "\(folder)/\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
  }

  /// Removes the sockets of programs that were killed.
  private static func removeLeftOver(in folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard name.hasSuffix(".sock"),
        let process = name.split(separator: "-").first.flatMap({ Int32($0) }),
        kill(process, 0) != 0, errno == ESRCH, var address = sockaddr_un(path: "\(folder)/\(name)")
      else { continue }
      _ = obstacle(at: "\(folder)/\(name)", &address)
    }
  }

  /// The reason why no socket can be made in a place. One that a program has left there is removed.
  private static func obstacle(at path: String, _ address: inout sockaddr_un) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      return errno == ENOENT ? nil : String(cString: strerror(errno))
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      return status.st_mode & S_IFMT == S_IFDIR
        ? "it is a folder; name a file in it" : "there is a file of that name"
    }
    guard status.st_uid == geteuid() else { return "it belongs to another user" }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    guard address.withSocketAddress({ connect(descriptor, $0, $1) }) != 0 else {
      return "another program uses it"
    }
    guard errno == ECONNREFUSED else { return String(cString: strerror(errno)) }
    return unlink(path) == 0 ? nil : String(cString: strerror(errno))
  }

  // MARK: Serving

  /// Answers requests from now on, on a thread of its own.
  func serve(_ recording: String, _ handle: @escaping Handler) {
    let greeting = ControlGreeting(recording: recording)
    let isNew = state.withLock { state in
      defer { if state == .made { state = .served } }
      return state == .made
    }
    guard isNew else { return }
    // The thread has the socket's descriptor and not the socket, which ends with its owner.
    Thread.detachNewThread { [listener] in
      ControlConnections(listener, greeting, handle).serve()
    }
  }

  /// Closes the socket and removes its file. May be called more than once.
  func end() {
    let before = state.withLock { exchange(&$0, with: .ended) }
    guard before != .ended else { return }
    var status = stat()
    if lstat(path, &status) == 0, UInt(status.st_ino) == node { unlink(path) }
    if before == .served {
      // Wakes the thread, which closes the descriptor.
      shutdown(listener, Int32(SHUT_RDWR))
    } else {
      close(listener)
    }
  }
}

/// The connections of one socket. They are used on its thread only, but for answers.
private final class ControlConnections {
  private let listener: Int32
  private let greeting: ControlGreeting
  private let handle: ControlSocket.Handler
  private var connections: [ControlConnection] = []

  init(
    _ listener: Int32, _ greeting: ControlGreeting, _ handle: @escaping ControlSocket.Handler
  ) {
    self.listener = listener
    self.greeting = greeting
    self.handle = handle
  }

  func serve() {
    while true {
      var polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
      polled += connections.map {
        pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else {
        if errno == EINTR { continue }
        break
      }
      for (connection, state) in zip(connections, polled.dropFirst()) where state.revents != 0 {
        for line in connection.receive() { answer(line, connection) }
      }
      connections.removeAll(where: \.isOver)
      guard polled[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else { break }
      if polled[0].revents != 0 { accept() }
    }
    close(listener)
  }

  private func accept() {
    let descriptor = Foundation.accept(listener, nil, nil)
    guard descriptor >= 0 else { return }
    let connection = ControlConnection(descriptor)
    guard connection.isOfThisUser, connections.count < ControlSocket.connectionLimit else { return }
    connection.send(greeting)
    connections.append(connection)
  }

  private func answer(_ line: Data, _ connection: ControlConnection) {
    guard let request = try? JSONDecoder().decode(ControlRequest.self, from: line) else {
      var answer = ControlAnswer()
      answer.problem = "The request is not understood; the page may be of another version of Rondo."
      connection.send(answer)
      return
    }
    Task { [handle] in connection.send(await handle(request)) }
  }
}

/// One connection. It is closed when nobody needs it any more: an answer may come late.
private final class ControlConnection: Sendable {
  let descriptor: Int32
  private let input = Mutex<(bytes: Data, isOver: Bool)>((Data(), false))

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(descriptor) }

  var isOver: Bool { input.withLock { $0.isOver } }

  /// Whether the process at the other end is one of the same user.
  var isOfThisUser: Bool {
    // A process, a user and a group, which Swift does not see as a structure.
    var peer: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
      && size == 12 && peer[1] == geteuid()
  }

  /// The whole lines that have come.
  func receive() -> [Data] {
    input.withLock { input in
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 {
          input.bytes += bytes.prefix(count)
          guard input.bytes.count <= ControlSocket.lineLimit else {
            input.isOver = true
            return []
          }
          continue
        }
        if count == 0 || (errno != EAGAIN && errno != EINTR) { input.isOver = true }
        break
      }
      guard let end = input.bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
      let lines = input.bytes[..<end].split(separator: UInt8(ascii: "\n")).map { Data($0) }
      input.bytes = Data(input.bytes[(end + 1)...])
      return lines
    }
  }

  /// Sends a line. Who does not read, and has left no room for it, is sent no more.
  func send(_ value: some Encodable) {
    guard var line = try? JSONEncoder().encode(value) else { return }
    line.append(UInt8(ascii: "\n"))
    let count = line.withUnsafeBytes {
      Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count != line.count { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }
}

extension sockaddr_un {
  /// The greatest number of bytes of a path.
  package static var pathLimit: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

  /// The address of a path; `nil` where it is empty or too long.
  package init?(path: String) {
    let bytes = Array(path.utf8)
    guard (1...Self.pathLimit).contains(bytes.count), !bytes.contains(0) else { return nil }
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Runs a call with the address as calls of the system take it.
  package mutating func withSocketAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: &self) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
