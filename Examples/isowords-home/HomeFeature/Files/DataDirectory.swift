// Where the program keeps its files.

import Foundation

/// The data directory: found, made where it is missing, and known to be writable.
public struct DataDirectory: Equatable, Sendable {
  /// Why a directory cannot be used.
  public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    public var path: String
    public var message: String

    public var description: String { "\(path.onOneLine): \(message)" }
  }

  public let path: String

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
  /// and removes an empty file. Asking for the permission bits alone would believe a read-only
  /// file system, or anything at all when asked by root.
  public func prepare() throws(Problem) {
    do {
      if access(path, F_OK) != 0 {
        try FileManager.default.createDirectory(
          atPath: path,
          withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700]
        )
      }
      let probe = "\(path)/.writable.\(UInt64.random(in: 0 ... .max))"
      _ = try FileDescriptor.open(probe, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      unlink(probe)
    } catch {
      throw Problem(path: path, message: "cannot be written to: \(Self.words(for: error))")
    }
  }

  private static func words(for error: any Error) -> String {
    if let error = error as? SystemError { return "\(error)" }
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain else { return cause.localizedDescription.onOneLine }
    return SystemError(code: Int32(cause.code)).description
  }
}
