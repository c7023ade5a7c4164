// The directory in which the program keeps its files.

import Foundation

/// The data directory: found, made where it is missing, and known to be writable.
public struct DataDirectory: Equatable, Sendable {
  /// Why a directory cannot be used.
  public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The directory.
    public var path: String
    /// The reason, in words.
    public var message: String

    /// A problem with a directory.
    public init(path: String, message: String) {
      self.path = path
      self.message = message
    }

    public var description: String { "\(path.onOneLine): \(message)" }
  }

  /// The path of the directory.
  public let path: String

  /// The directory that was asked for, or the default one.
  ///
  /// - Parameters:
  ///   - path: The directory that was asked for.
  ///   - environment: Where the default comes from if none was asked for: `$XDG_DATA_HOME`, else
  ///     `~/.local/share`. As the XDG rules say, a relative `$XDG_DATA_HOME` is ignored.
  public init(_ path: String?, environment: [String: String]) {
    let base =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
    self.path = path ?? base + "/isowords-home"
  }

  /// Makes sure that files can be written here: makes the directory if there is none, and writes
  /// and removes an empty file.
  public func prepare() throws(Problem) {
    do {
      try makeDirectories(path)
      try probe(path)
    } catch {
      throw Problem(path: path, message: "cannot be written to: \(error)")
    }
  }

  /// Makes sure that the directory is writable, or could be made, and leaves everything as it is.
  public func check() throws(Problem) {
    var existing = path
    while access(existing, F_OK) != 0, errno == ENOENT, existing != "." {
      existing = parentDirectory(of: existing)
    }
    do {
      try probe(existing)
    } catch {
      throw Problem(path: path, message: "cannot be written to: \(error)")
    }
  }

  /// Writes and removes an empty file. Asking for the permission bits alone would believe a
  /// read-only file system, or anything at all when asked by root.
  private func probe(_ directory: String) throws(SystemError) {
    let probe = "\(directory)/.writable.\(UInt64.random(in: 0 ... .max))"
    _ = try FileDescriptor.open(probe, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    unlink(probe)
  }
}

/// Makes a directory, and those above it that are missing, for the owner alone. Where there is
/// something already it is left as it is.
func makeDirectories(_ path: String) throws(SystemError) {
  guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
  let error = SystemError.last
  let parent = parentDirectory(of: path)
  guard error.code == ENOENT, parent != path else { throw error }
  try makeDirectories(parent)
  // Another program may have made it meanwhile.
  guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
  throw .last
}

/// The directory that a path is in, `.` where it says none. It works on bytes, so that any name will
/// do.
package func parentDirectory(of path: String) -> String {
  let slash = UInt8(ascii: "/")
  var bytes = Array(path.utf8)[...]
  while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
  guard let last = bytes.lastIndex(of: slash) else { return "." }
  bytes = bytes[..<last]
  while bytes.last == slash { bytes.removeLast() }
  return bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self)
}
