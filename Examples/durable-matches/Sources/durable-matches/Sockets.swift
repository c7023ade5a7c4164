// Unix sockets with lines of text.

import Foundation

/// One end of a connection, which reads and writes lines. One thread uses it at a time.
final class LineConnection {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Connects to a socket.
  ///
  /// - Parameter timeout: The seconds after which reading gives up.
  init?(path: String, timeout: Int) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var limit = timeval(tv_sec: timeout, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    // The end of this instance closes the socket also here.
    guard withAddress(of: path, { connect(descriptor, $0, $1) }) == 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Reads a line, without its end. Returns `nil` at the end of the connection, and when it takes too
  /// long or is longer than 64 KiB.
  func readLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return line
      }
      guard buffer.count < 65_536 else { return nil }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      buffer.append(contentsOf: chunk[..<count])
    }
  }

  /// Writes a line. Returns whether all of it could be written.
  func write(_ line: String) -> Bool {
    let bytes = Array((line + "\n").utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}

/// A socket that accepts connections.
struct ListeningSocket {
  private let descriptor: Int32

  /// Makes a socket at a path, in place of one that an ended process has left there.
  ///
  /// - Throws: A ``UsageError`` where there is something else at the path, or the socket of a server
  ///   that runs. It is not touched.
  init(path: String) throws(UsageError) {
    var known = stat()
    if lstat(path, &known) == 0 {
      guard known.st_mode & S_IFMT == S_IFSOCK else {
        throw UsageError(
          "There is a file at '\(path)' that is no socket; it was not touched. Name another path.")
      }
      try ListeningSocket.removeLeftover(at: path)
    }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    // Private to its user.
    let mask = umask(0o177)
    defer { umask(mask) }
    guard descriptor >= 0, withAddress(of: path, { bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, 128) == 0
    else {
      throw UsageError(
        "The socket '\(path)' cannot be made: \(String(cString: strerror(errno))). Name a path of at most "
          + "100 bytes in a folder that you may write to.")
    }
  }

  /// Removes a socket that nobody listens on any more.
  private static func removeLeftover(at path: String) throws(UsageError) {
    // It does not wait: a server that has too many connections does not answer.
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    defer { close(probe) }
    let isConnected = withAddress(of: path, { connect(probe, $0, $1) }) == 0
    guard !isConnected, errno != EAGAIN else {
      throw UsageError(
        "A server listens on '\(path)'; it was not touched. End it, or name another path.")
    }
    if errno == ECONNREFUSED { unlink(path) }
  }

  /// Waits for a connection.
  func accept() -> LineConnection? {
    let connection = Foundation.accept(descriptor, nil, nil)
    return connection >= 0 ? LineConnection(descriptor: connection) : nil
  }
}

private func withAddress(
  of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let bytes = Array(path.utf8)
  guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
    errno = ENAMETOOLONG
    return -1
  }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
