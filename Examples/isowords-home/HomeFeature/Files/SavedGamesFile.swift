// `saved-games.json`, read and written whole.

import Foundation

/// The file of saved games in a data directory.
///
/// It is replaced in one step: at any instant, also after a crash, it is either the old file or
/// the new one. What cannot be read as saved games is never overwritten; saving moves it aside.
public struct SavedGamesFile: Sendable {
  /// A file above this size is no file of saved games.
  static let maximumSize = 16 << 20

  /// The name of the file in the data directory.
  public static let name = "saved-games.json"

  let directory: String
  private let missing: SavedGames

  /// The file in a directory, whether it is there or not.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - missing: The games of a file that is not there.
  public init(directory: String, missing: SavedGames = SavedGames()) {
    self.directory = directory
    self.missing = missing
  }

  /// The path of the file.
  public var path: String { directory + "/" + Self.name }

  /// Reads the games.
  public func load() throws(SavedGamesError) -> SavedGames {
    guard let bytes = try read() else { return missing }
    do {
      return try decodeJSON(SavedGames.self, from: bytes, dates: .deferredToDate)
    } catch {
      throw SavedGamesError(path: path, reason: .damaged(error))
    }
  }

  /// Writes the games.
  ///
  /// - Parameters:
  ///   - games: What the file is to hold from now on.
  ///   - date: When this is, for the name of a damaged file that has to be moved aside.
  public func save(_ games: SavedGames, at date: Date) throws(SavedGamesError) {
    do {
      let temporary = try writeTemporary(Self.encode(games))
      do {
        if isDamaged { try setAside(at: date) }
        try retrying { rename(temporary, path) }
      } catch {
        unlink(temporary)
        throw error
      }
      try FileDescriptor.open(directory, O_RDONLY | O_DIRECTORY).synchronize()
    } catch {
      throw SavedGamesError(path: path, reason: .unwritable("\(error)".onOneLine))
    }
  }

  /// The bytes of the file: sorted keys, dates as seconds since 2001-01-01, a newline at the end.
  static func encode(_ games: SavedGames) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .deferredToDate
    return Array(try encoder.encode(games)) + [UInt8(ascii: "\n")]
  }
}

// MARK: - Reading

extension SavedGamesFile {
  /// The content; `nil` where there is no file.
  private func read() throws(SavedGamesError) -> [UInt8]? {
    do {
      // Without `O_NONBLOCK`, a named pipe in the file's place would be waited on for ever.
      let file = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      guard status.st_mode & S_IFMT != S_IFDIR else { throw SystemError(code: EISDIR) }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw SavedGamesError(path: path, reason: .unreadable("Not a regular file"))
      }
      let content = try file.readAll(limit: Self.maximumSize)
      guard content.count <= Self.maximumSize else { throw SystemError(code: EFBIG) }
      return content
    } catch let error as SavedGamesError {
      throw error
    } catch let error as SystemError where error.code == ENOENT {
      return nil
    } catch {
      throw SavedGamesError(path: path, reason: .unreadable("\(error)"))
    }
  }

  private var isDamaged: Bool {
    do {
      _ = try load()
      return false
    } catch {
      return true
    }
  }
}

// MARK: - Writing

extension SavedGamesFile {
  /// Writes a new file beside the real one, all the way to the disk.
  private func writeTemporary(_ bytes: [UInt8]) throws -> String {
    try makeDirectories(directory)
    let temporary = "\(directory)/.\(Self.name).\(UInt64.random(in: 0 ... .max)).tmp"
    let file = try FileDescriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    do {
      try file.writeAll(bytes)
      try file.synchronize()
      return temporary
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Gives what is in the file's place a second name, `….damaged-<date>`, that nothing has yet.
  ///
  /// A hard link is made only where nothing has the name, and leaves the file where it is until the
  /// new one replaces it. Where no link is possible, as for a directory, it is renamed.
  private func setAside(at date: Date) throws(SystemError) {
    let name = "\(path).damaged-\(Self.stamp(date))"
    for attempt in 1... {
      let aside = attempt == 1 ? name : "\(name)-\(attempt)"
      if link(path, aside) == 0 { return }
      if errno == EEXIST { continue }
      if access(aside, F_OK) == 0 { continue }
      try retrying { rename(path, aside) }
      return
    }
  }

  /// A date in UTC as a part of a file's name: `2026-03-14T15-09-26Z`.
  static func stamp(_ date: Date) -> String {
    date.formatted(.iso8601).replacing(":", with: "-")
  }
}
