// The saved games, as the screen uses them.

import Dispatch
import Foundation
import Rondo

/// Reads and writes the saved games.
public struct FileClient: Sendable {
  /// Reads the saved games.
  public var loadSavedGames: @Sendable () -> Effect<Result<SavedGames, SavedGamesError>>

  /// Writes the saved games, whole; answers with what was written.
  public var save: @Sendable (SavedGames) -> Effect<Result<SavedGames, SavedGamesError>>

  /// A client that is made of its two functions.
  public init(
    loadSavedGames: @escaping @Sendable () -> Effect<Result<SavedGames, SavedGamesError>>,
    save: @escaping @Sendable (SavedGames) -> Effect<Result<SavedGames, SavedGamesError>>
  ) {
    self.loadSavedGames = loadSavedGames
    self.save = save
  }
}

extension FileClient {
  /// The file in a data directory.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - missing: The games where no file is.
  ///   - queue: What the files are read and written on.
  ///   - conditions: How slow the disk is, and whether it fails.
  ///   - now: The date, for the names of damaged files.
  public static func live(
    directory: String,
    missing: SavedGames = SavedGames(),
    queue: AnySchedulerOf<DispatchQueue>,
    conditions: Conditions = Conditions(),
    now: @escaping @Sendable () -> Date
  ) -> Self {
    let file = SavedGamesFile(directory: directory, missing: missing)
    let worker = Worker(queue: queue, conditions: conditions)
    @Sendable func failIfTold() throws(SavedGamesError) {
      guard conditions.failing.contains(.files) else { return }
      throw SavedGamesError(
        path: file.path, reason: .unreadable("Input/output error (simulated)"))
    }
    return Self(
      loadSavedGames: {
        worker.answer("fileClient.loadSavedGames", from: .files) {
          Result { () throws(SavedGamesError) in
            try failIfTold()
            return try file.load()
          }
        }
      },
      save: { games in
        worker.answer("fileClient.save", from: .files) {
          Result { () throws(SavedGamesError) in
            try failIfTold()
            try file.save(games, at: now())
            return games
          }
        }
      }
    )
  }

  /// A client whose games are always the same, and that forgets what it is told to save.
  public static func preview(_ games: SavedGames = SavedGames()) -> Self {
    Self(loadSavedGames: { .send(.success(games)) }, save: { .send(.success($0)) })
  }

  /// A client that must not be used: every use is an issue that names the endpoint. A test replaces
  /// the endpoints that it expects to be used.
  public static let test = Self(
    loadSavedGames: { unexpected("FileClient.loadSavedGames") },
    save: { _ in unexpected("FileClient.save") }
  )
}

/// Reports the use of an endpoint that a test has not replaced.
func unexpected<Answer>(_ endpoint: String) -> Effect<Answer> {
  reportIssue("\(endpoint) is used in a test that does not say what it answers. Replace it.")
  return .none
}
