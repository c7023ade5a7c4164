// A view model that shows favourites at once and lets all movies slide in.

import Dispatch
import Rondo

/// A list of movies for a view.
///
/// The cached favourites are to appear at once, in the first frame that has them. All movies are to
/// be animated when the server has answered. So the *scheduler* that a publisher is received on says
/// how its answer is shown: `mainQueue` for one, `mainQueue.animation()` for the other. What the
/// client does and how the property is written does not change.
@MainActor
public final class MoviesModel {
  /// The movies that the view shows. Every change is logged with the transaction that it is made in, which a
  /// view would hand to its renderer.
  public private(set) var movies: [Movie] = [] {
    didSet { didChange(movies, .current) }
  }

  private let client: MoviesClient
  private let mainQueue: AnySchedulerOf<DispatchQueue>
  private let didChange: ([Movie], Transaction) -> Void
  private var subscription: AnyCancellable?

  /// - Parameters:
  ///   - client: Where movies come from.
  ///   - mainQueue: How the main thread is reached; a test scheduler in tests.
  ///   - didChange: Told of every change of ``movies`` and how it is to be shown.
  public init(
    client: MoviesClient,
    mainQueue: AnySchedulerOf<DispatchQueue> = .main,
    didChange: @escaping ([Movie], Transaction) -> Void = { _, _ in }
  ) {
    self.client = client
    self.mainQueue = mainQueue
    self.didChange = didChange
  }

  /// Loads the favourites, then all movies behind them; only the latter are animated.
  ///
  /// Each publisher says by itself how it is received. There is nothing to be kept: `assign` does
  /// not retain this model, and ends with the publishers.
  public func load() {
    client.allMovies()
      .receive(on: mainQueue.animation())
      .prepend(client.cachedFavorites().receive(on: mainQueue))
      .scan([], +)
      .assign(to: \.movies, on: self)
  }

  /// The same with one `receive` behind the concatenation: shorter, but both answers are animated.
  public func loadAnimatingBoth() {
    client.allMovies()
      .prepend(client.cachedFavorites())
      .scan([], +)
      .receive(on: mainQueue.animation())
      .assign(to: \.movies, on: self)
  }

  /// The same as ``load()`` without transforms of schedulers: it counts the answers in a variable
  /// of its own, and writes the property by hand, inside `withAnimation` from the second one on.
  public func loadByHand() {
    var count = 0
    subscription = client.allMovies()
      .prepend(client.cachedFavorites())
      .scan([], +)
      .receive(on: mainQueue)
      .sink { [weak self] movies in
        count += 1
        if count == 1 {
          self?.movies = movies
        } else {
          withAnimation { self?.movies = movies }
        }
      }
  }
}
