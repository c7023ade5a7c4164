// R30, PF5: the three spellings and their logs.

import Dispatch
import Movies
import Rondo
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
