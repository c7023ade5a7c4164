// The sounds of the game.

import Rondo

/// Plays sounds.
public struct SoundClient: Sendable {
  /// The sounds that there are.
  public enum Sound: String, Sendable {
    /// A match was deleted.
    case matchDeleted
  }

  /// Starts to play a sound, and does not wait for its end.
  public var play: @Sendable (Sound) -> Effect<Void>

  /// A client that is made of its function.
  public init(play: @escaping @Sendable (Sound) -> Effect<Void>) {
    self.play = play
  }

  /// A client that makes a terminal ring its bell.
  ///
  /// - Parameter write: Writes to the terminal.
  public static func live(write: @escaping @Sendable (String) -> Void) -> Self {
    Self { _ in
      .future { callback in
        write("\u{7}")
        callback(())
      }
    }
  }

  /// A client that is silent.
  public static let preview = Self { _ in .none }

  /// A client that must not be used: every use is an issue.
  public static let test = Self { unexpected("SoundClient.play(.\($0))") }
}
