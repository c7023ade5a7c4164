// The features that these tests compose.

import Rondo
import Synchronization

/// A child with a state, a long-living effect, and an effect that answers at once.
struct Child: Reducer {
  struct State: Equatable, Identifiable {
    var id = 0
    var count = 0
  }

  enum Action: Equatable, CasePathable {
    case increment, incrementTwice, listen, ping

    struct AllCasePaths: Sendable {
      let ping = AnyCasePath(Action.ping)
    }
    static let allCasePaths = AllCasePaths()
  }

  var lives = Lives()

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment, .ping:
      state.count += 1
      return .none
    case .incrementTwice:
      state.count += 1
      return .send(.increment)
    case .listen:
      return .run { [lives] _ in
        lives.begin()
        defer { lives.end() }
        try await Task.never()
      }
      .cancellable(id: "listening")
    }
  }
}

/// Counts what is alive, and lets a test wait for it.
final class Lives: Sendable {
  private let state = Mutex(State())

  private struct State {
    var alive = 0
    var waiters: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }

  var count: Int { state.withLock { $0.alive } }

  func begin() { change(by: 1) }
  func end() { change(by: -1) }

  private func change(by amount: Int) {
    let ready = state.withLock { state in
      state.alive += amount
      let ready = state.waiters.filter { $0.count == state.alive }
      state.waiters.removeAll { $0.count == state.alive }
      return ready
    }
    for (_, waiter) in ready { waiter.resume() }
  }

  /// Suspends until exactly so many are alive.
  func reach(_ count: Int) async {
    await withCheckedContinuation { waiter in
      let isReached = state.withLock { state in
        if state.alive != count { state.waiters.append((count, waiter)) }
        return state.alive == count
      }
      if isReached { waiter.resume() }
    }
  }
}

extension Task where Success == Never, Failure == Never {
  /// Suspends until the task is cancelled, and throws then.
  static func never() async throws {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    continuation.finish()
    throw Swift.CancellationError()
  }
}

/// A parent of an optional child, a list of children, and a child that is always there.
struct Parent: Reducer {
  struct State: Equatable {
    var child: Child.State?
    var rows: IdentifiedArrayOf<Child.State> = []
    var part = Child.State()
    var log: [String] = []
  }

  enum Action: CasePathable {
    case child(Child.Action)
    case rows(IdentifiedActionOf<Child>)
    case part(Child.Action)
    case set(Child.State?)
    case setRows([Child.State])

    struct AllCasePaths: Sendable {
      let child = AnyCasePath(Action.child)
      let rows = AnyCasePath(Action.rows)
      let part = AnyCasePath(Action.part)
    }
    static let allCasePaths = AllCasePaths()
  }

  var lives = Lives()

  var body: some ReducerOf<Self> {
    Scope(state: \.part, action: \.part) { Child(lives: lives) }
    Reduce { state, action in
      switch action {
      case .child(let action): state.log.append("child \(action): \(state.child?.count ?? -1)")
      case .rows(.element(let id, let action)):
        state.log.append("row \(id) \(action): \(state.rows[id: id]?.count ?? -1)")
      case .part: break
      case .set(let child): state.child = child
      case .setRows(let rows): state.rows = IdentifiedArray(uniqueElements: rows)
      }
      return .none
    }
    .ifLet(\.child, action: \.child) { Child(lives: lives) }
    .forEach(\.rows, action: \.rows) { Child(lives: lives) }
  }
}
