// The sounds of the game.

/// Plays sounds.
public struct SoundClient: Sendable {
  public enum Sound: String, Sendable {
    case matchDeleted
  }

  /// Starts to play a sound, and does not wait for its end.
  public var play: @Sendable (Sound) -> Void

  public init(play: @escaping @Sendable (Sound) -> Void) {
    self.play = play
  }

  /// A client that makes a terminal ring its bell.
  ///
  /// - Parameter write: Writes to the terminal.
  public static func live(write: @escaping @Sendable (String) -> Void) -> Self {
    Self { _ in write("\u{7}") }
  }

  /// A client that is silent.
  public static let preview = Self { _ in }

  /// A client that must not be used: every use is an issue.
  public static let test = Self { unexpectedSound($0) }
}
