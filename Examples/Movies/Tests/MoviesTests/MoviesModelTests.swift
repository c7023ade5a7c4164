// R30, PF5: the three spellings and their logs.

import Dispatch
import Movies
import Rondo
import RondoTesting
import Testing

@MainActor @Suite struct MoviesModelTests {
  /// When the list changed, how long it was, and how that was to be shown.
  private func log(_ load: (MoviesModel) -> Void) -> [String] {
    var log: [String] = []
    let scheduler = DispatchQueue.test
    let model = MoviesModel(
      client: .simulated(on: scheduler), mainQueue: scheduler.eraseToAnyScheduler()
    ) { movies, transaction in
      let milliseconds = Int(scheduler.timeline.elapsed / .milliseconds(1))
      log.append("\(milliseconds) ms, \(movies.count) movies, \(transaction)")
    }
    load(model)
    scheduler.run()
    return log
  }

  // R30, PF5
  @Test func favouritesAppearAtOnceAndAllMoviesAreAnimated() {
    #expect(
      log { $0.load() } == [
        "100 ms, 3 movies, untagged", "1100 ms, 23 movies, .default",
      ])
  }

  // PF5
  @Test func oneReceiverBehindTheConcatenationAnimatesBoth() {
    #expect(
      log { $0.loadAnimatingBoth() } == [
        "100 ms, 3 movies, .default", "1100 ms, 23 movies, .default",
      ])
  }

  // PF5
  @Test func theSpellingByHandHasTheLogOfTheFirst() {
    #expect(log { $0.loadByHand() } == log { $0.load() })
  }

  // R30
  @Test func aModelThatIsReleasedIsNotRetainedByItsLoad() {
    let scheduler = DispatchQueue.test
    var model: MoviesModel? = MoviesModel(
      client: .simulated(on: scheduler), mainQueue: scheduler.eraseToAnyScheduler())
    weak let weakModel = model
    model?.load()
    model = nil
    #expect(weakModel == nil)
    scheduler.run()
  }
}

/// The loads of a view that is opened again and again.
private struct MoviesLoads: Reducer {
  struct State: Hashable {
    var counts: [Int] = []
  }
  enum Action: Equatable {
    case opened
    case shown(Int)
  }
  enum CancelID { case load }

  @Dependency(\.mainQueue) var mainQueue

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      state.counts = []
      let client = MoviesClient.simulated(on: mainQueue)
      return client.allMovies()
        .receive(on: mainQueue.animation())
        .prepend(client.cachedFavorites().receive(on: mainQueue))
        .scan([], +)
        .map { .shown($0.count) }
        .cancellable(id: CancelID.load, cancelInFlight: true)
    case .shown(let count):
      state.counts.append(count)
      return .none
    }
  }
}

@Suite struct MoviesExplorationTests {
  @Test func favouritesComeFirstWheneverTheViewIsOpened() async {
    await Explorer(initialState: MoviesLoads.State()) { MoviesLoads() }
      .actions(.opened)
      .always { [[], [3], [3, 23]].contains($0.counts) }
      .eventually { $0.counts.isEmpty || $0.counts == [3, 23] }
      .explore(steps: 3, orders: 2_000)
  }
}
