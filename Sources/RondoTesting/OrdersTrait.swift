// Running a test in many orders.

import Rondo
import RondoExploration
import RondoTestStore
import Synchronization
import Testing

/// Runs a test again and again, each time with its effects in another order.
///
/// ```swift
/// @Test(.orders(500)) func search() async { … }
/// @Test(.order("4:1/3")) func searchInTheOrderThatFailed() async { … }
/// ```
///
/// See `Documentation/Exploration.md`.
public struct OrdersTrait: TestTrait, SuiteTrait, TestScoping {
  private enum Kind {
    case several(limit: Int, seed: UInt64)
    case one(String)
  }

  private let kind: Kind

  public var isRecursive: Bool { true }

  /// Runs a test in its orders. Of several such traits on a test and its suites, the innermost does so.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    let depth = TestSettings.current.ordersDepth + 1
    let count = test.traits.count { $0 is Self }
    try await TestSettings.with(\.ordersDepth, depth) {
      guard depth >= count else { return try await body() }
      try await run(test, testCase, body)
    }
  }

  private func run(
    _ test: Test, _ testCase: Test.Case?, _ body: @Sendable () async throws -> Void
  ) async throws {
    switch kind {
    case .several(let limit, let seed):
      let exploration = OrdersOfTest(test: test, testCase: testCase)
      try await exploration.run(limit: limit, seed: seed, body)
    case .one(let text):
      let replay = OrdersOfTest(test: test, testCase: testCase)
      try await replay.run(text, body)
    }
  }

  fileprivate static func several(limit: Int, seed: UInt64) -> Self {
    Self(kind: .several(limit: limit, seed: seed))
  }

  fileprivate static func one(_ text: String) -> Self {
    Self(kind: .one(text))
  }
}

extension Trait where Self == OrdersTrait {
  /// Runs a test in many orders: everything that its effects could do in another order in a program
  /// with threads, they do in another order in the test stores of one of the runs.
  ///
  /// What was covered is printed. A test whose effects leave nothing to choose runs once, and that is
  /// printed, too. One that fails in some order fails with
  /// the smallest such order that was found, as a string for ``order(_:)``, and a timeline. A test that is
  /// cancelled, for example because it takes too long, is run no more.
  ///
  /// A suite gives it to all of its tests, but for those that have one of their own.
  ///
  /// - Parameters:
  ///   - limit: How many orders are run at most.
  ///   - seed: What the orders are drawn by that are drawn by chance.
  public static func orders(_ limit: Int = 100, seed: UInt64 = 0) -> Self {
    .several(limit: limit, seed: seed)
  }

  /// Runs a test in one order, as a failure of a test with ``orders(_:seed:)`` gives it.
  ///
  /// The body runs twice in that order. The first run is silent: it finds whether the order still fits, so
  /// that this can be said first.
  public static func order(_ order: String) -> Self {
    .one(order)
  }
}

/// The runs of one test.
private struct OrdersOfTest {
  let test: Test
  let testCase: Test.Case?

  typealias Body = @Sendable () async throws -> Void

  // MARK: One order

  func run(_ text: String, _ body: Body) async throws {
    guard let order = EffectOrder(text) else {
      report(
        """
        "\(text)" is not an order. Copy the string that the failure of a test with '.orders' shows.
        """)
      return
    }
    // Whether the order fits is known at the end of a run, and is said before what comes of it.
    let trial = OrderChooser(following: order)
    try await perform(body, trial, isSilent: true)
    if let mismatch = trial.mismatch {
      report(
        """
        The order "\(order)" does not fit this test any more: \(mismatch). The feature or the test has \
        changed since. Find an order anew with '.orders'.
        """)
    }
    try await perform(body, OrderChooser(following: order))
  }

  // MARK: Many orders

  func run(limit: Int, seed: UInt64, _ body: Body) async throws {
    guard limit > 0 else {
      return report("In \(limit) orders a test does not run. Let '.orders(…)' have one at least.")
    }
    var search = OrderSearch(limit: limit, seed: seed)
    // In its usual order the test fails as it does without the trait.
    guard let usual = search.next() else { return }
    let chooser = OrderChooser(usual)
    guard try await !perform(body, chooser) else { return }
    search.didRun(chooser.choices)
    if let order = try await firstFailure(body) {
      return try await reportFailure(in: order, after: nil, body)
    }
    while !Task.isCancelled, let policy = search.next() {
      let chooser = OrderChooser(policy)
      let hasFailed = try await perform(body, chooser, isSilent: true)
      // The failures of a test that is cancelled say nothing about its order.
      if Task.isCancelled { break }
      guard !hasFailed else {
        return try await reportFailure(in: chooser.order, after: search.runCount, body)
      }
      search.didRun(chooser.choices)
    }
    TestSettings.current.print("\(test.name): \(ExplorationCoverage(search)).")
  }

  /// The orders that this test has failed in before, where they are kept.
  private var savedOrders: SavedOrders? {
    SavedOrders(fileID: test.sourceLocation.fileID, function: test.name, feature: "")
  }

  /// The first order that fails again of those that have failed before.
  private func firstFailure(_ body: Body) async throws -> EffectOrder? {
    for case let order? in savedOrders?.all.map(EffectOrder.init) ?? [] where !Task.isCancelled {
      let hasFailed = try await perform(body, OrderChooser(following: order), isSilent: true)
      if hasFailed, !Task.isCancelled { return order }
    }
    return nil
  }

  private func reportFailure(
    in order: EffectOrder, after count: Int?, _ body: Body
  ) async throws {
    var shrinker = OrderShrinker(order)
    while !Task.isCancelled, let order = shrinker.next() {
      let chooser = OrderChooser(following: order)
      let hasFailed = try await perform(body, chooser, isSilent: true)
      shrinker.didRun(failingOrder: hasFailed && !Task.isCancelled ? chooser.order : nil)
    }
    guard !Task.isCancelled else {
      return report(
        """
        The test fails when its effects run in another order, and was cancelled before the smallest such \
        order was found. That order again: @Test(.order("\(shrinker.order)"))
        """)
    }
    let usual = OrderChooser(following: .firstInFirstOut, keepsSteps: true)
    try await perform(body, usual, isSilent: true)
    let chooser = OrderChooser(following: shrinker.order, keepsSteps: true)
    // This time its issues are reported.
    let failed: Result<Bool, any Error>
    do {
      failed = .success(try await perform(body, chooser))
    } catch {
      failed = .failure(error)
    }
    let hasFailed = (try? failed.get()) ?? true
    let reason = hasFailed ? savedOrders?.save("\(chooser.order)") : nil
    if let reason { report(reason) }
    report(
      hasFailed
        ? failure(in: chooser, usual: usual, after: count)
        : """
        The test failed in the order "\(shrinker.order)", and did not when it was run in that order \
        again. Something in it does not depend on the order of effects alone: a thread, a live \
        clock, a random number, a value that is kept from one run to the next. Give the feature \
        test dependencies for that.
        """)
    _ = try failed.get()
  }

  private func failure(
    in chooser: OrderChooser, usual: OrderChooser, after count: Int?
  ) -> String {
    let others =
      count.map { "in \($0) other order\($0 == 1 ? "" : "s") it has held" }
      ?? "it has failed in this order before"
    var text = """
      The test fails when its effects run in another order; \(others). This order again: \
      @Test(.order("\(chooser.order)"))

      \(chooser.steps.timeline)

      (▸: something else was there first)
      """
    let (before, now) = (actions(of: usual), actions(of: chooser))
    if before != now, before.sorted() == now.sorted() {
      text += """


        First in, first out these actions come as \(before.joined(separator: ", ")); in this order \
        as \(now.joined(separator: ", ")). If both are right, let the test say so: \
        'await store.receive(inAnyOrder: .equal(…), .case(…))'.
        """
    }
    return text
  }

  private func actions(of chooser: OrderChooser) -> [String] {
    chooser.steps.filter { !$0.isOvertaking }.map(\.text)
  }

  // MARK: Runs

  /// Runs the test once.
  ///
  /// - Parameter isSilent: Whether its issues are dropped.
  /// - Returns: Whether it has failed.
  @discardableResult
  private func perform(
    _ body: Body, _ chooser: OrderChooser, isSilent: Bool = false
  ) async throws -> Bool {
    let failures = FailureCount()
    let watching: IssueHandlingTrait = .compactMapIssues { issue in
      guard issue.isFailure else { return issue }
      failures.add()
      return isSilent ? nil : issue
    }
    do {
      try await watching.provideScope(for: test, testCase: testCase) {
        try await TestSettings.with(\.chooser, chooser) {
          try await DependencyValues.current.withFreshDefaults.whileInForce { try await body() }
        }
      }
    } catch {
      guard isSilent else { throw error }
      return true
    }
    return failures.count > 0
  }

  private func report(_ message: String) {
    Issue.record(Comment(rawValue: message), sourceLocation: test.sourceLocation)
  }
}

/// A count of failures, from any thread.
private final class FailureCount: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }

  func add() { value.withLock { $0 += 1 } }
}
