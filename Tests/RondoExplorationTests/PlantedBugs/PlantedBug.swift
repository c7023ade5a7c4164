// Features with one bug each, which shows only when things happen in a certain order (X11).

import RondoTesting

@testable import RondoExploration

/// A small feature with a bug.
struct PlantedBug: Sendable, CustomStringConvertible {
  let name: String

  /// The number of orders until the bug is found; `nil` where it was not found.
  let ordersNeeded: @Sendable (OrderSearch) async -> Int?

  /// The coverage of a whole exploration with two actions, whether the feature fails or not.
  let coverage: @Sendable () async -> ExplorationCoverage

  /// The smallest failure that is found, as it is reported.
  let failure: @Sendable () async -> String?

  /// The number of choices of a run that was found, and the number of steps of the smallest one.
  let sizes: @Sendable () async -> (found: Int, smallest: Int)

  init<State: SendableMetatype, Action: SendableMetatype>(
    _ name: String, steps: Int = 4, _ explorer: @escaping @Sendable () -> Explorer<State, Action>
  ) {
    self.name = name
    ordersNeeded = { search in
      let result = await explorer().search(search, steps: steps)
      return result.failure == nil ? nil : result.coverage.orderCount
    }
    coverage = {
      var explorer = explorer()
      explorer.conditions = []
      let search = OrderSearch(limit: 2_000, prunes: true)
      return await explorer.search(search, steps: min(steps, 2)).coverage
    }
    failure = {
      await captureIssues { await explorer().explore(steps: steps, orders: 20_000) }.first?.message
    }
    sizes = {
      let search = OrderSearch(limit: 20_000, seed: 1, plan: .sampled(.randomWalk))
      guard let found = await explorer().search(search, steps: steps).failure else { return (0, 0) }
      return (found.chooser.choices.count, explorer().smallest(found).trace.count)
    }
  }

  var description: String { name }
}

// MARK: - What the features ask

/// A server that answers with what it was asked for, if nothing else is said.
struct Server: DependencyKey {
  var load: @Sendable (String) async throws -> String
  var save: @Sendable (String) async throws -> String

  static var liveValue: Self { testValue }
  static var testValue: Self {
    Self(load: unimplemented("Server.load"), save: unimplemented("Server.save"))
  }
}

extension DependencyValues {
  var server: Server {
    get { self[Server.self] }
    set { self[Server.self] = newValue }
  }
}

/// Loads something.
func load<Action: Sendable>(
  _ key: String, _ then: @escaping @Sendable (String) -> Action, failed: Action? = nil
) -> Effect<Action> {
  call("load", \.load, key, then, failed)
}

/// Saves something.
func save<Action: Sendable>(
  _ value: String, _ then: @escaping @Sendable (String) -> Action, failed: Action? = nil
) -> Effect<Action> {
  call("save", \.save, value, then, failed)
}

private func call<Action: Sendable>(
  _ name: String, _ endpoint: KeyPath<Server, @Sendable (String) async throws -> String> & Sendable,
  _ text: String, _ then: @escaping @Sendable (String) -> Action, _ failed: Action?
) -> Effect<Action> {
  @Dependency(\.server) var server
  return .run(name: name) { [server] send in
    await send(then(try await server[keyPath: endpoint](text)))
  } catch: { _, send in
    if let failed { await send(failed) }
  }
}

/// Waits.
func wait<Action: Sendable>(_ duration: Duration, _ then: Action) -> Effect<Action> {
  @Dependency(\.continuousClock) var clock
  return .run(name: "wait") { [clock] send in
    try await clock.sleep(for: duration)
    await send(then)
  }
}

/// An explorer of a feature that is one closure, with a server that answers or fails.
func explore<State: Equatable, Action>(
  _ initialState: State, canFail: Bool = false,
  _ reduce: @escaping (inout State, Action) -> Effect<Action>
) -> Explorer<State, Action> {
  Explorer(initialState: initialState) { Reduce(reduce) }
    .outcomes(of: \.server.load) { [.success($0)] + (canFail ? [.failure(Offline())] : []) }
    .outcomes(of: \.server.save) { [.success($0)] + (canFail ? [.failure(Offline())] : []) }
}
