// The screen as it runs: a store, and a stage that shows its commits.

import Dispatch
import Foundation
import RondoHomeFeature
import Rondo
import RondoStage
import RondoTerminal

/// Runs the screen and draws it.
///
/// What is drawn follows from the store's commits and from nothing else: each of them brings a
/// tree, and its transaction says whether what differs moves or jumps.
@MainActor
public final class ScreenPlayer {
  /// The number of entries of the log that are kept.
  static let logLength = 20

  public let store: StoreOf<TerminalScreen>

  private let stage: StagePlayer
  private let history: ScreenHistory
  private let speed: Double
  private var subscription: AnyCancellable?
  private var log: [LoggedCommit] = []
  private var commits = 0
  private var launch: StoreTask?

  /// - Parameters:
  ///   - scheduler: What animations tell the time by.
  ///   - size: The extent of the screen.
  ///   - speed: How fast time passes for animations.
  ///   - ability: Which colours can be shown.
  ///   - elapsed: The time since the start, for the log.
  ///   - draw: Takes every frame, as a canvas of the screen's size.
  ///   - prepareDependencies: Says what the screen depends on.
  public init(
    scheduler: AnySchedulerOf<DispatchQueue>,
    size: ScreenSize,
    speed: Double = 1,
    ability: ColorAbility = .full,
    elapsed: @escaping () -> Duration,
    draw: @escaping (Canvas) -> Void,
    withDependencies prepareDependencies: @escaping (inout DependencyValues) -> Void
  ) {
    @Dependency(\.date) var date
    let now = withDependencies(prepareDependencies) { date }
    var state = TerminalScreen.State(size: size, date: now())
    state.hasColors = ability != .none
    let store = Store(initialState: state) {
      TerminalScreen()
    } withDependencies: {
      prepareDependencies(&$0)
    }
    self.store = store
    self.speed = speed
    let history = ScreenHistory()
    self.history = history
    stage = StagePlayer(scheduler: scheduler) { [weak store] frame in
      guard let size = store?.state.size else { return }
      history.now = frame
      guard !history.isScrubbed else { return }
      draw(Canvas(frame, width: size.width, height: size.height))
    }
    history.draw = { [weak store] frame in
      guard let size = store?.state.size else { return }
      draw(Canvas(frame, width: size.width, height: size.height))
    }
    stage.speed = speed
    subscription = store.subscribe { [weak self] commit in
      self?.show(commit, at: elapsed(), on: now())
    }
  }

  /// Runs for every commit of the home screen's own actions, before it is shown.
  public var didCommit: (HomeCommit) -> Void = { _ in }

  /// Whether everything has been answered and nothing moves any more.
  public var isStill: Bool { store.home.isLoaded && !stage.stage.isAnimating }

  /// The stage that is shown.
  package var shown: Stage { stage.stage }

  /// The problem with the files, if there is one.
  public var fileProblem: String? { store.home.problems[.files] }

  /// Lets the screen appear.
  ///
  /// - Returns: Everything that follows from it.
  @discardableResult
  public func start() -> StoreTask {
    let task = store.send(.home(.onAppear))
    launch = task
    return task
  }

  /// Lets the screen go away, and does not wait for what has not been answered yet.
  public func stop() {
    store.send(.home(.onDisappear))
    launch?.cancel()
    stage.stop()
  }

  /// Does what a key asks for.
  ///
  /// - Returns: Whether the program is to go on.
  public func press(_ key: Key) -> Bool {
    let command = store.state.command(for: key)
    if case .scrub(let step) = command {
      history.scrub(by: step, at: stage.now, size: store.state.size)
      return true
    }
    // Any other key goes back to the present; Escape does nothing else.
    if history.isScrubbed {
      history.leave()
      if key == .escape { return true }
    }
    switch command {
    case .send(let action, let isAnimated):
      if isAnimated {
        store.send(action, animation: .default)
      } else {
        store.send(action)
      }
      return true
    case .quit:
      return false
    case .scrub, nil:
      return true
    }
  }

  private func show(
    _ commit: Commit<TerminalScreen.State, TerminalScreen.Action>,
    at time: Duration,
    on date: Date
  ) {
    let actions = commit.actions.compactMap { action -> HomeAction? in
      guard case .home(let action) = action else { return nil }
      return action
    }
    if !actions.isEmpty {
      let homeCommit = HomeCommit(
        time: time,
        date: date,
        actions: actions,
        transaction: commit.transaction,
        oldState: commit.oldState.home,
        newState: commit.newState.home
      )
      log = log.suffix(Self.logLength - 1) + [LoggedCommit(id: commits, entry: homeCommit.entry)]
      commits += 1
      didCommit(homeCommit)
    }
    if commit.newState.isSlow != commit.oldState.isSlow {
      stage.speed = commit.newState.isSlow ? speed / 10 : speed
    }
    let tree = commit.newState.tree(log: log)
    history.add(tree, commit.transaction, at: stage.now)
    stage.commit(tree, transaction: commit.transaction)
    if commit.newState.size != commit.oldState.size {
      history.redraw(at: stage.now, size: commit.newState.size)
    }
  }
}
