// One run of the home screen: a store, and a line of the log for every commit.

import Foundation
import RondoHomeFeature
import Rondo

/// Runs the home screen and logs it.
@MainActor
final class Session {
  let store: StoreOf<Home>
  private let endsAfterLaunch: Bool
  private var subscription: AnyCancellable?
  private var launch: StoreTask?
  private var hasDisappeared = false

  /// - Parameters:
  ///   - services: What the screen needs.
  ///   - endsAfterLaunch: Whether the screen goes away once everything has been answered.
  ///   - elapsed: The time since the start.
  ///   - log: Takes every commit.
  init(
    services: Services,
    endsAfterLaunch: Bool,
    elapsed: @escaping () -> Duration,
    log: @escaping (HomeCommit) -> Void
  ) {
    self.endsAfterLaunch = endsAfterLaunch
    store = Store(initialState: Home.State()) {
      Home()
    } withDependencies: {
      services.prepare(&$0)
    }
    subscription = store.subscribe { [weak self] commit in
      log(
        HomeCommit(
          time: elapsed(),
          date: services.date(),
          actions: commit.actions,
          transaction: commit.transaction,
          oldState: commit.oldState,
          newState: commit.newState
        )
      )
      self?.didCommit(commit)
    }
  }

  /// The problem with the files, if there is one.
  var fileProblem: String? { store.problems[.files] }

  /// Lets the screen appear.
  ///
  /// - Returns: The launch with all that follows from it. It ends when the screen has gone away and
  ///   everything has been answered.
  @discardableResult
  func start() -> StoreTask {
    let task = store.send(.onAppear)
    launch = task
    return task
  }

  /// Lets the screen go away, and does not wait for what has not been answered yet.
  func stop() {
    disappear()
    launch?.cancel()
  }

  private func didCommit(_ commit: Commit<Home.State, HomeAction>) {
    guard endsAfterLaunch, commit.newState.isLoaded else { return }
    disappear()
  }

  private func disappear() {
    guard !hasDisappeared else { return }
    hasDisappeared = true
    store.send(.onDisappear)
  }
}
