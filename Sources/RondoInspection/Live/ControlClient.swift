// The other end of the socket that tools act on a program by.

import Foundation
import RondoRecording

/// A connection to a program that is recorded, for one request at a time.
final class ControlClient {
  let path: String
  /// The recording that the program writes.
  private(set) var recording = ""
  private let descriptor: Int32
  private var input = Data()

  /// A failure, as a line for the page.
  struct Failure: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  /// The seconds that a program has for an answer. It may be stopped in a debugger.
  private static let patience = 2
  private static let lineLimit = 1 << 24

  /// Connects to the socket of a program of the same user, and reads the name of its recording.
  ///
  /// The name of the socket comes from a recording, which may have been written by anybody. So nothing is written to
  /// it before it has said that it is one of Rondo's.
  init(_ path: String) throws(Failure) {
    self.path = path
    func failure(_ reason: String) -> Failure { Failure(description: "\(path): \(reason).") }
    var status = stat()
    guard lstat(path.pathBytes, &status) == 0 else {
      throw failure(
        errno == ENOENT ? "the program has ended" : String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw failure("it is no socket") }
    guard status.st_uid == geteuid() else { throw failure("it belongs to another user") }
    guard var address = sockaddr_un(path: path) else { throw failure("its path is too long") }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var time = timeval(tv_sec: Self.patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
    guard address.withSocketAddress({ connect(descriptor, $0, $1) }) == 0 else {
      throw failure(
        errno == ECONNREFUSED ? "the program has ended" : String(cString: strerror(errno)))
    }
    guard let line = try readLine(),
      let greeting = try? JSONDecoder().decode(ControlGreeting.self, from: line)
    else { throw failure("no program that Rondo records answers there") }
    guard greeting.control == ControlGreeting.version else {
      throw failure("the program has another version of Rondo")
    }
    recording = greeting.recording
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends one line, and reads the answer to it.
  func ask(_ request: Data) throws(Failure) -> Data {
    var line = request.filter { $0 != UInt8(ascii: "\n") }
    line.append(UInt8(ascii: "\n"))
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else {
        throw Failure(description: "The program does not take requests any more.")
      }
      rest = rest.dropFirst(count)
    }
    guard let answer = try readLine() else {
      throw Failure(description: "The program has ended.")
    }
    return answer
  }

  /// A line; `nil` at the end of the connection.
  private func readLine() throws(Failure) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(input[..<end])
        input = Data(input[(end + 1)...])
        return line
      }
      guard input.count < Self.lineLimit else {
        throw Failure(description: "The answer of the program is too long.")
      }
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count > 0 {
        input += bytes.prefix(count)
      } else if count == 0 || errno == ECONNRESET {
        return nil
      } else if errno != EINTR {
        throw Failure(
          description: errno == EAGAIN
            ? "The program does not answer. It may be busy, or stopped in a debugger."
            : String(cString: strerror(errno)))
      }
    }
  }
}
