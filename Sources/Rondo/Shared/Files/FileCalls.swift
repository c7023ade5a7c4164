// The system calls that reading and writing a file takes, as values that a test can replace.

import Foundation

/// The system calls of a file storage. Each one answers as the system does: with `-1`, and the
/// reason in `errno`, where it fails.
package struct FileCalls: Sendable {
  /// `lstat`
  package var status: @Sendable (_ path: String, _ status: inout stat) -> Int32
  /// The names in a folder; none where it cannot be read
  package var list: @Sendable (_ folder: String) -> [String]
  /// `readlink`
  package var readLink: @Sendable (_ path: String, _ target: UnsafeMutableRawBufferPointer) -> Int
  /// `access`, for writing
  package var checkWritable: @Sendable (_ path: String) -> Int32
  /// `mkdir`
  package var makeFolder: @Sendable (_ path: String) -> Int32
  /// `open`
  package var open: @Sendable (_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32
  /// `flock`, without waiting
  package var lock: @Sendable (_ file: Int32) -> Int32
  /// `fstat`
  package var statusOfOpen: @Sendable (_ file: Int32, _ status: inout stat) -> Int32
  /// `read`
  package var read: @Sendable (_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int
  /// `write`
  package var write: @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  /// `fchown`
  package var changeOwner: @Sendable (_ file: Int32, _ user: uid_t, _ group: gid_t) -> Int32
  /// `fchmod`
  package var changeMode: @Sendable (_ file: Int32, _ mode: mode_t) -> Int32
  /// `fsync`
  package var synchronize: @Sendable (_ file: Int32) -> Int32
  /// `link`
  package var link: @Sendable (_ path: String, _ second: String) -> Int32
  /// `rename`
  package var rename: @Sendable (_ path: String, _ new: String) -> Int32
  /// `unlink`
  package var remove: @Sendable (_ path: String) -> Int32
  /// `close`
  package var close: @Sendable (_ file: Int32) -> Int32

  /// The calls of the system.
  package static let live = FileCalls(
    status: { lstat($0, &$1) },
    list: { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] },
    readLink: { path, target in
      readlink(path, target.baseAddress!.bound(to: CChar.self), target.count)
    },
    checkWritable: { access($0, W_OK) },
    makeFolder: { mkdir($0, 0o777) },
    open: { Foundation.open($0, $1 | O_CLOEXEC, $2) },
    lock: { flock($0, LOCK_EX | LOCK_NB) },
    statusOfOpen: { fstat($0, &$1) },
    read: { Foundation.read($0, $1.baseAddress, $1.count) },
    write: { Foundation.write($0, $1.baseAddress, $1.count) },
    changeOwner: { fchown($0, $1, $2) },
    changeMode: { fchmod($0, $1) },
    synchronize: { fsync($0) },
    link: { Foundation.link($0, $1) },
    rename: { Foundation.rename($0, $1) },
    remove: { unlink($0) },
    close: { Foundation.close($0) })
}

/// Why a file could not be read or written.
public struct FileStorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The attempt that failed.
  public enum Operation: String, Sendable {
    /// Reading the file.
    case reading
    /// Writing the file.
    case writing
  }

  /// The file, as a path.
  public let path: String
  /// The operation that has failed.
  public let operation: Operation
  /// The reason in the words of the system: `No space left on device`.
  public let reason: String

  /// Whether the file was not written because another program has changed it since it was read.
  ///
  /// The shared value is that of the other program then.
  public var isConflict: Bool { reason == Self.conflict }

  static let conflict = "Another program has changed it"

  public var description: String {
    "\(path.debugDescription) cannot be \(operation == .reading ? "read" : "written"): \(reason)"
  }
}

extension FileStorageError: LocalizedError {
  public var errorDescription: String? { description }
}

/// The reason that a system call has given.
struct SystemCallError: Error, Equatable, CustomStringConvertible {
  let code: Int32

  static var last: SystemCallError { SystemCallError(code: errno) }

  var description: String { String(cString: strerror(code)) }
}

/// Makes a call again for as long as a signal interrupts it; throws the reason if it fails.
@discardableResult
func retrying<Result: SignedInteger>(_ call: () -> Result) throws(SystemCallError) -> Result {
  while true {
    let result = call()
    guard result == -1 else { return result }
    guard errno == EINTR else { throw .last }
  }
}
