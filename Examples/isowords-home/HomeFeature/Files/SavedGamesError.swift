// Why the saved games could not be read or written.

/// The problem with the file of saved games, in one line.
public struct SavedGamesError: Error, Codable, Equatable, Sendable, CustomStringConvertible {
  /// The kind of problem, with its details.
  public enum Reason: Codable, Equatable, Sendable {
    /// The file is there, and is not a file of saved games.
    case damaged(JSONProblem)

    /// The file is there, and cannot be read.
    case unreadable(String)

    /// The games could not be written; whatever was there still is.
    case unwritable(String)
  }

  /// The path of the file.
  public var path: String
  /// The kind of problem.
  public var reason: Reason

  /// A problem with a file.
  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  public var description: String {
    switch reason {
    case .damaged(let problem): "\(path.onOneLine): \(problem)"
    case .unreadable(let message): "\(path.onOneLine): cannot be read: \(message)"
    case .unwritable(let message): "\(path.onOneLine): cannot be written: \(message)"
    }
  }
}
