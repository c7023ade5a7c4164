// The window as it runs: a store, and a stage that shows its commits.

import Dispatch
import Foundation
import GTKStage
import RondoHomeFeature
import Rondo
import RondoStage

/// Runs the home screen and shows it on a stage.
///
/// What is shown follows from the store's commits and from nothing else: each of them brings a tree,
/// and its transaction says whether what differs moves or jumps.
@MainActor
public final class HomePlayer {
  public let store: StoreOf<HomeWindow>

  /// Runs for every commit of the home screen's own actions, before it is shown.
  public var didCommit: (HomeCommit) -> Void = { _ in }

  /// Runs when the style has changed.
  public var didChangeStyle: (_ isDark: Bool) -> Void = { _ in }

  /// Runs when another extent is needed at least.
  public var didChangeMinimumSize: (Size) -> Void = { _ in }

  private let show: (Node, Transaction) -> Void
  private var subscription: AnyCancellable?
  private var log: [LoggedCommit] = []
  private var launch: StoreTask?

  /// - Parameters:
  ///   - home: The state of the home screen at the start.
  ///   - size: The extent of the window.
  ///   - runsEffects: Whether what actions ask for is done. A recording has the answers in it.
  ///   - elapsed: The time since the start, for the log.
  ///   - show: Takes every tree with its transaction.
  ///   - prepareDependencies: Says what the screen depends on.
  public init(
    home: Home.State = Home.State(),
    size: Size,
    runsEffects: Bool = true,
    elapsed: @escaping () -> Duration,
    show: @escaping (Node, Transaction) -> Void,
    withDependencies prepareDependencies: @escaping (inout DependencyValues) -> Void
  ) {
    @Dependency(\.date) var date
    let now = withDependencies(prepareDependencies) { date }
    self.show = show
    var state = HomeWindow.State(size: size, date: now())
    state.home = home
    store = Store(initialState: state) {
      Reduce<HomeWindow.State, HomeWindow.Action> { state, action in
        let effect = HomeWindow().reduce(into: &state, action: action)
        return runsEffects ? effect : .none
      }
    } withDependencies: {
      prepareDependencies(&$0)
    }
    subscription = store.subscribe { [weak self] commit in
      self?.show(commit, at: elapsed(), on: now())
    }
    show(store.state.tree(log: []), Transaction())
  }

  /// Lets the screen appear.
  public func start() { launch = store.send(.home(.onAppear)) }

  /// Lets the screen go away, and does not wait for what has not been answered yet.
  public func stop() {
    store.send(.home(.onDisappear))
    launch?.cancel()
  }

  /// Does what somebody has clicked on or typed, with an animation.
  public func tap(_ action: HomeWindow.Action) { store.send(action, animation: .spring) }

  /// Lets the sheet go away, if there is one.
  public func dismiss() {
    if store.state.home.destination != nil { tap(.home(.destination(.dismiss))) }
  }

  /// Makes a commit of a recording again, with the tag that it had.
  public func replay(_ step: RecordedStep) {
    for action in step.actions {
      if step.isTagged {
        store.send(.home(action), animation: .default)
      } else {
        store.send(.home(action))
      }
    }
  }

  private func show(
    _ commit: Commit<HomeWindow.State, HomeWindow.Action>, at time: Duration, on date: Date
  ) {
    let actions = commit.actions.compactMap { action -> HomeAction? in
      guard case .home(let action) = action else { return nil }
      return action
    }
    if !actions.isEmpty {
      let homeCommit = HomeCommit(
        time: time, date: date, actions: actions, transaction: commit.transaction,
        oldState: commit.oldState.home, newState: commit.newState.home)
      let id = (log.last?.id ?? -1) + 1
      log =
        log.suffix(HomeWindow.State.logLength - 1) + [LoggedCommit(id: id, entry: homeCommit.entry)]
      didCommit(homeCommit)
    }
    if commit.newState.isDark != commit.oldState.isDark { didChangeStyle(commit.newState.isDark) }
    if commit.newState.minimumSize != commit.oldState.minimumSize {
      didChangeMinimumSize(commit.newState.minimumSize)
    }
    show(commit.newState.tree(log: log), commit.transaction)
  }
}
