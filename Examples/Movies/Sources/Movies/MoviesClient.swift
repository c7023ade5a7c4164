// The sources of movies: a cache that is near and a server that is far.

import Rondo

/// The two sources of movies, as endpoints that a program or a test fills in.
public struct MoviesClient: Sendable {
  /// The favourites of last time, from a cache.
  public var cachedFavorites: @Sendable () -> Effect<[Movie]>

  /// All movies, from a server.
  public var allMovies: @Sendable () -> Effect<[Movie]>

  public init(
    cachedFavorites: @escaping @Sendable () -> Effect<[Movie]>,
    allMovies: @escaping @Sendable () -> Effect<[Movie]>
  ) {
    self.cachedFavorites = cachedFavorites
    self.allMovies = allMovies
  }
}

extension MoviesClient {
  /// Three favourites after 100 ms, twenty movies after a second, by a scheduler's time.
  public static func simulated(on scheduler: some Scheduler) -> Self {
    Self(
      cachedFavorites: {
        Effect.send((1...3).map { Movie(title: "Favorite \($0)") })
          .delay(for: .milliseconds(100), scheduler: scheduler)
      },
      allMovies: {
        Effect.send((1...20).map { Movie(title: "Movie \($0)") })
          .delay(for: .seconds(1), scheduler: scheduler)
      }
    )
  }
}
