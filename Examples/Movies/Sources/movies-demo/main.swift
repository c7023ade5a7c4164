// Runs the three spellings on virtual time and prints what a view would be told.

import Dispatch
import Movies
import Rondo

@MainActor
func show(_ name: String, _ load: (MoviesModel) -> Void) {
  let scheduler = DispatchQueue.test
  let model = MoviesModel(
    client: .simulated(on: scheduler), mainQueue: scheduler.eraseToAnyScheduler()
  ) { movies, transaction in
    let milliseconds = Int(scheduler.timeline.elapsed / .milliseconds(1))
    print("  \(milliseconds) ms: \(movies.count) movies, \(transaction)")
  }
  print(name)
  load(model)
  scheduler.run()
}

show("each received on a scheduler of its own") { $0.load() }
show("one receive behind the concatenation") { $0.loadAnimatingBoth() }
show("by hand") { $0.loadByHand() }
