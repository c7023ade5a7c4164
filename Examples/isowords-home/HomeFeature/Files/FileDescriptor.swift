// An open file that closes itself.

import Foundation

/// A file descriptor with the few calls that reading and writing whole files takes.
struct FileDescriptor: ~Copyable {
  let number: Int32

  static func open(
    _ path: String,
    _ flags: Int32,
    mode: mode_t = 0
  ) throws(SystemError) -> FileDescriptor {
    FileDescriptor(number: try retrying { Foundation.open(path, flags | O_CLOEXEC, mode) })
  }

  deinit {
    _ = close(number)
  }

  func status() throws(SystemError) -> stat {
    var status = stat()
    try retrying { fstat(number, &status) }
    return status
  }

  /// Reads to the end, or until there is more than `limit`.
  func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while content.count <= limit {
      let count = try retrying { read(number, &chunk, chunk.count) }
      guard count > 0 else { break }
      content.append(contentsOf: chunk[..<count])
    }
    return content
  }

  func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try retrying { rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) } }
      rest = rest.dropFirst(count)
    }
  }

  func synchronize() throws(SystemError) {
    try retrying { fsync(number) }
  }
}
