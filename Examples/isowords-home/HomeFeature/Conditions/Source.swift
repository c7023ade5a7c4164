// The sources of the home screen's data.

/// One of the places that the screen loads from, each of which can be slow or fail by itself.
///
/// The raw value is its name on the command line.
public enum Source: String, CaseIterable, Codable, Sendable {
  /// The saved games on disk.
  case files

  /// Signing in to the game service.
  case authentication = "auth"

  /// The server with the daily challenges and the week in review.
  case server

  /// The turn-based matches of the game service.
  case matches
}

extension Source: Comparable {
  /// In the order of the launch.
  public static func < (lhs: Source, rhs: Source) -> Bool {
    lhs.position < rhs.position
  }

  private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
