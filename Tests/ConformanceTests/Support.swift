// The features that the conformance tests run, and how issues are read.

import Rondo
import RondoRuntimeTestSupport
import Synchronization
import Testing

/// Appends every action to its state and answers with the effect that the script has for it.
struct Script: Reducer {
  let effects: @Sendable (String) -> Effect<String>

  func reduce(into state: inout [String], action: String) -> Effect<String> {
    state.append(action)
    return effects(action)
  }
}

/// Appends every number to its state and answers with the effect for it.
struct Numbers: Reducer {
  let effects: @Sendable (Int) -> Effect<Int>

  func reduce(into state: inout [Int], action: Int) -> Effect<Int> {
    state.append(action)
    return effects(action)
  }
}

@MainActor
func makeStore(_ effects: @escaping @Sendable (Int) -> Effect<Int>) -> Store<[Int], Int> {
  Store(initialState: []) { Numbers(effects: effects) }
}

/// A store that starts an effect by a zero.
@MainActor
func makeStore(_ effect: Effect<Int>) -> Store<[Int], Int> {
  makeStore { $0 == 0 ? effect : .none }
}

/// The numbers that a live host has handled when the `send` of a zero returns, which starts an
/// effect.
@MainActor
func handledAtOnce(
  _ kind: HostKind, _ effect: Effect<Int>, actions: Int = 100_000
) async -> [Int] {
  switch kind {
  case .store:
    let store = withLoopLimit(actions: actions) { makeStore(effect) }
    store.send(0)
    return store.state
  case .storeActor:
    let store = withLoopLimit(actions: actions) {
      StoreActor(initialState: [Int]()) { Numbers { $0 == 0 ? effect : .none } }
    }
    return await store.perform { store in
      store.send(0)
      return store.state
    }
  case .testStore, .durableStore, .effects: return []
  }
}

/// Lets other tasks run until a condition holds.
@MainActor
func eventually(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

extension HostKind {
  /// A host whose state is the list of actions that it has handled.
  @MainActor
  func script(
    stamp: @escaping @Sendable () -> Int = { 0 },
    _ effects: @escaping @Sendable (String) -> Effect<String>
  ) async -> any Host<[String], String> {
    await make([], stamp: stamp) { Script(effects: effects) }
  }

  /// The same, with effects that are known before.
  @MainActor
  func script(
    stamp: @escaping @Sendable () -> Int = { 0 },
    _ effects: [String: Effect<String>]
  ) async -> any Host<[String], String> {
    await script(stamp: stamp) { effects[$0] ?? .none }
  }
}

extension Host<[String], String> {
  /// The log as text: each action, with its tag and the duration of its animation where it has any.
  var lines: [String] {
    log.entries.map { entry in
      let marks = Marks.text(entry.transaction)
      return marks == "-" ? entry.action : "\(entry.action)/\(marks)"
    }
  }
}

/// Runs a body and returns the messages of the issues that it reports. None of them fails the test, but an expectation
/// in the body that does not hold does.
@MainActor
func issues(_ body: @MainActor () async -> Void) async -> [String] {
  let log = Log<String>()
  await withKnownIssue(isIntermittent: true) {
    await body()
  } matching: { issue in
    if case .expectationFailed = issue.kind { return false }
    log.append(issue.comments.map(\.rawValue).joined(separator: "\n"))
    return true
  }
  return log.entries
}

/// Counts what is alive.
final class Count: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  func add(_ amount: Int = 1) {
    number.add(amount, ordering: .sequentiallyConsistent)
  }
}

/// Makes a store whose turns have other bounds than usual.
@MainActor
func withLoopLimit<Result>(
  actions: Int = 100_000, rounds: Int = 100_000, _ make: () throws -> Result
) rethrows -> Result {
  try withDependencies {
    $0.loopLimit = .of(actions, rounds)
  } operation: {
    try make()
  }
}

/// Makes a host whose turns have other bounds than usual.
@MainActor
func withLoopLimit<Result>(
  actions: Int = 100_000, rounds: Int = 100_000, _ make: @MainActor () async throws -> Result
) async rethrows -> Result {
  try await withDependencies {
    $0.loopLimit = .of(actions, rounds)
  } operation: {
    try await make()
  }
}

extension LoopLimit {
  /// A limit that does not depend on the time.
  fileprivate static func of(_ actions: Int, _ rounds: Int) -> LoopLimit {
    var limit = LoopLimit(actions: actions, duration: .seconds(3_600))
    limit.rounds = rounds
    return limit
  }
}
