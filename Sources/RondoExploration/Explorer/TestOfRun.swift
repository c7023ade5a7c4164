// A run as a test, which is tried before it is pasted.

import Rondo
import RondoScheduling
import RondoTestStore

/// Finds out how a test with the steps of a run fails as the run does.
///
/// The test has a test store that comes to rest after each step. What holds always is asked in the end, or
/// after every action where it holds again in the end. Where a run has failed because something ran before
/// what was ready first, a plain test does not say so, and one in another order may. Each order is tried
/// with a real test store, so that what is pasted has failed here.
struct TestOfRun<State: Equatable, Action> {
  private let explorer: Explorer<State, Action>
  private let run: ExplorerRun<State, Action>

  /// The largest number of orders that are tried.
  private static var limit: Int { 500 }

  /// The way in which a test fails.
  struct Form {
    var order = EffectOrder.firstInFirstOut
    /// Whether a condition is asked after every action, and not only in the end.
    var asksAfterEveryAction = false
  }

  init(_ explorer: Explorer<State, Action>, _ run: ExplorerRun<State, Action>) {
    (self.explorer, self.run) = (explorer, run)
  }

  /// The form of a test without an order; `nil` where it does not fail.
  nonisolated(nonsending) func plainForm() async -> Form? {
    for asksAfterEveryAction in [false, true] where isAlways || !asksAfterEveryAction {
      let form = Form(asksAfterEveryAction: asksAfterEveryAction)
      // The value that a model has is not asked for here.
      if isOfModel { return form }
      if await fails(OrderChooser(following: form.order), form) { return form }
    }
    return nil
  }

  /// The form of a test in an order of its own; `nil` where none was found that fails.
  ///
  /// - Complexity: Some hundreds of runs of the feature at most.
  nonisolated(nonsending) func formInOrder() async -> Form? {
    var form = Form(asksAfterEveryAction: isAlways)
    guard !isOfModel, let found = await anyFailingOrder(form) else { return nil }
    var shrinker = OrderShrinker(found, budget: 100)
    while let order = shrinker.next() {
      let chooser = OrderChooser(following: order)
      let hasFailed = await fails(chooser, form)
      shrinker.didRun(failingOrder: hasFailed ? chooser.order : nil)
    }
    form.order = shrinker.order
    return form
  }

  private nonisolated(nonsending) func anyFailingOrder(_ form: Form) async -> EffectOrder? {
    // An order of the run is one of the test, too, where nothing from outside can come between.
    let same = OrderChooser(following: run.chooser.order)
    if await fails(same, form) { return same.order }
    var search = OrderSearch(limit: Self.limit)
    while !Task.isCancelled, let policy = search.next() {
      let chooser = OrderChooser(policy)
      if await fails(chooser, form) { return chooser.order }
      search.didRun(chooser.choices)
    }
    return nil
  }

  private var isAlways: Bool { if case .always? = run.failure?.kind { true } else { false } }
  private var isOfModel: Bool { if case .model? = run.failure?.kind { true } else { false } }

  // MARK: One order

  /// Whether the test fails in an order as the run does.
  private nonisolated(nonsending) func fails(
    _ chooser: OrderChooser, _ form: Form
  ) async -> Bool {
    var isAnyWrong = false
    let issues = IssueCollector()
    let book = CallBook()
    book.faultKinds = explorer.faultKinds
    defer { book.close() }
    let isWrong = await withIssueReporters([issues]) {
      await TestSettings.with(\.chooser, chooser) {
        let store = DependencyValues.current.withFreshDefaults.whileInForce {
          explorer.makeStore(
            book, explorer.endpoints,
            form.asksAfterEveryAction ? { isAnyWrong = isAnyWrong || isBroken($0) } : nil)
        }
        for step in run.trace { await take(step, store, book) }
        await store.skipReceivedActions(strict: false)
        return isAnyWrong || isBroken(store.state)
      }
    }
    return run.failure?.kind == .issue ? !issues.issues.isEmpty : isWrong && issues.issues.isEmpty
  }

  private nonisolated(nonsending) func take(
    _ step: RunStep<Action>, _ store: TestStore<State, Action>, _ book: CallBook
  ) async {
    switch step {
    case .action(let action, _):
      await store.send(action)
    case .answer(let id, let index, let method, _):
      guard !PendingOutcome.isSilence(method) else { return }
      await store.skipReceivedActions(strict: false)
      guard let call = book.waiting().first(where: { $0.id == id }),
        call.outcomes.indices.contains(index)
      else { return }
      if let next = call.outcomes[index].answer() {
        book.replace(call, with: next)
      } else {
        book.remove(call)
      }
    case .time(_, _, let duration), .arrival(let duration):
      if duration > .zero { await store.advance(by: duration) }
    case .cancel:
      break
    }
  }

  private func isBroken(_ state: State) -> Bool {
    switch run.failure?.kind {
    case .always(let index), .eventually(let index):
      withUnsafePointer(to: state) { !explorer.conditions[index].holds($0) }
    case .consequence(let index):
      withUnsafePointer(to: state) { !explorer.consequences[index].result.holds($0) }
    case .everyStep, .inFlight, .model, .issue, nil: false
    }
  }
}
