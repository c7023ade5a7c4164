// A server that answers with any bytes, on a port of this machine.

import Dispatch
import Foundation
import Testing

/// A server that answers the request for `/7` with its answer of that index, and hangs up.
///
/// A path that is no number gets the last answer again, so that a redirect to such a path leads to
/// itself.
final class HostileServer: Sendable {
  struct Answer {
    var bytes: [UInt8]
    /// Whether the server waits for the client to hang up.
    var isHeld = false

    init(_ text: String, isHeld: Bool = false) {
      self.init(Array(text.utf8), isHeld: isHeld)
    }

    init(_ bytes: [UInt8], isHeld: Bool = false) {
      self.bytes = bytes
      self.isHeld = isHeld
    }
  }

  private let socket: Int32
  private let answers: [Answer]
  /// The URL at which the server listens.
  let url: String

  init(_ answers: [Answer]) throws {
    self.answers = answers
    #if canImport(Glibc)
      let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    self.socket = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { address in
        bind(socket, address.baseAddress, length) == 0 && listen(socket, 64) == 0
          && getsockname(socket, address.baseAddress, &length) == 0
      }
    }
    try #require(isListening)
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    // A thread of its own, because it waits.
    Thread { Self.serve(answers, on: socket) }.start()
  }

  deinit {
    // Ends the wait for a client.
    shutdown(socket, Int32(SHUT_RDWR))
  }

  private static func serve(_ answers: [Answer], on socket: Int32) {
    var last = 0
    while case let client = accept(socket, nil, nil), client >= 0 {
      var request: [UInt8] = []
      while !request.suffix(4).elementsEqual("\r\n\r\n".utf8), receive(from: client, &request) {}
      let path = String(decoding: request, as: UTF8.self).split(separator: " ").dropFirst().first
      last = path.flatMap { Int($0.dropFirst()) } ?? last
      if answers.indices.contains(last) {
        var rest = answers[last].bytes[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { send(client, $0.baseAddress, $0.count, noSignal) }
          guard count > 0 else { break }
          rest.removeFirst(count)
        }
        if answers[last].isHeld { while receive(from: client, &request) {} }
      }
      close(client)
    }
    close(socket)
  }

  private static let noSignal = Int32(MSG_NOSIGNAL)

  private static func receive(from client: Int32, _ request: inout [UInt8]) -> Bool {
    var part = [UInt8](repeating: 0, count: 4096)
    let count = recv(client, &part, part.count, 0)
    guard count > 0 else { return false }
    request += part.prefix(count)
    return true
  }
}
