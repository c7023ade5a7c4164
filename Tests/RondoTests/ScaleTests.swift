// R3 and the large cases of the others: linear time, constant stack.

import Dispatch
import Foundation
import Testing
import RondoRuntimeTestSupport

@testable import Rondo

@MainActor @Suite(.serialized) struct ScaleTests {
  // R3
  @Test(arguments: [false, true])
  func aMillionChainedSendsRunInConstantStack(isBehindAnOperator: Bool) {
    let state = onOtherThread(stackSize: smallStack) {
      let machine = chain { isBehindAnOperator ? $0.map { $0 }.merge(with: .none) : $0 }
      defer { machine.hostWasReleased() }
      _ = machine.send(Scale.million, Transaction())
      return machine.state
    }
    #expect(state == Scale.million + 1)
  }

  // R3
  @Test func chainedSendsTakeLinearTime() {
    expectLinear { count in
      let machine = chain()
      defer { machine.hostWasReleased() }
      _ = machine.send(count, Transaction())
    }
  }

  // R3
  @Test func theTransactionOfAChainDoesNotGrow() {
    let machine = chain { $0.animation().animation() }
    defer { machine.hostWasReleased() }
    _ = machine.send(1_000, Transaction(animation: .default))
    #expect(machine.state == 1_001)
  }

  // R10, R11
  @Test(arguments: DeepTree.allCases)
  fileprivate func aDeepTreeIsBuiltDescribedRunAndReleasedInConstantStack(_ tree: DeepTree) {
    let depth = Scale.hundredThousand
    let result = onOtherThread(stackSize: smallStack) {
      let effect = tree.effect(depth: depth)
      let length = effect.description.count
      let machine = unlimited {
        Cell(
          initialState: 0,
          reducer: Reduce<Int, Int> { state, action in
            state += 1
            return action < 0 ? effect : .none
          }, isolation: Inline())
      }
      defer { machine.hostWasReleased() }
      _ = machine.send(-1, Transaction())
      return (length: length, state: machine.state)
    }
    #expect(result.length > depth)
    #expect(result.state == tree.answers(depth: depth) + 1)
  }

  // R10, R11
  @Test(arguments: DeepTree.allCases)
  fileprivate func aDeepTreeTakesLinearTime(_ tree: DeepTree) {
    expectLinear { count in
      let subscription = tree.effect(depth: count).sink(isolation: nil) { _ in }
      subscription.cancel()
    }
  }

  // R14
  @Test(arguments: DeepTree.allCases)
  fileprivate func aDeepTreeInFlightIsCancelledAndReleasedInConstantStack(_ tree: DeepTree) {
    let depth = Scale.hundredThousand
    onOtherThread(stackSize: smallStack) {
      let scheduler = DispatchQueue.test
      let leaf = Effect.send(0).delay(for: 1, scheduler: scheduler)
      let subscription = tree.effect(depth: depth, leaf: leaf).sink(isolation: nil) { _ in
        Issue.record("A cancelled effect emitted.")
      }
      #expect(scheduler.timeline.waiting.count >= 1)
      subscription.cancel()
      #expect(scheduler.timeline.waiting.isEmpty)
    }
  }

  // R12, R14
  @Test func manyEffectsInFlightAreCancelledByTheirID() {
    cancelMany { store, _ in store.send(.cancel) }
  }

  // R4, R14
  @Test func manyEffectsInFlightAreCancelledByTheirHandles() {
    cancelMany { _, tasks in for task in tasks { task.cancel() } }
  }

  // R5, R14
  @Test func manyEffectsInFlightAreCancelledByRelease() {
    let scheduler = DispatchQueue.test
    var store: Store? = timers(scheduler)
    for number in 0..<Scale.hundredThousand { store!.send(.start(number)) }
    #expect(scheduler.timeline.waiting.count == Scale.hundredThousand)
    store = nil
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R12, R14
  @Test func cancellingTakesLinearTime() {
    expectLinear { count in
      let scheduler = DispatchQueue.test
      let store = timers(scheduler)
      for number in 0..<count { store.send(.start(number)) }
      store.send(.cancel)
      #expect(scheduler.timeline.waiting.isEmpty)
    }
  }

  // R19
  @Test func manyThatWaitForTheirTurnTakeLinearTime() {
    expectLinear { count in
      let scheduler = DispatchQueue.test
      let store = timers(scheduler, policy: .atMost(1), delay: 0)
      for number in 0..<count { store.send(.start(number)) }
      scheduler.advance()
      #expect(store.state == 2 * count)
    }
  }

  // R3, H25: the report of a loop is a report only.
  @Test func aLongChainThatIsTakenForALoopComesToItsEnd() async {
    await withKnownIssue {
      let store = withDependencies {
        $0.loopLimit = LoopLimit(actions: 5_000, duration: .seconds(3_600))
      } operation: {
        chainedStore { $0 == 0 ? .none : .send($0 - 1) }
      }
      await store.send(Scale.million).finish()
      #expect(store.state == Scale.million + 1)
    }
  }

  // R19, H26
  @Test func manyThatWaitWithDifferentLimitsTakeLinearTime() {
    expectLinear { count in
      let scheduler = DispatchQueue.test
      let store = Store<Int, TimerAction>(initialState: 0) {
        Reduce<Int, TimerAction> { state, action in
          state += 1
          guard case .start(let number) = action else { return .none }
          return .send(.end).delay(for: .zero, scheduler: scheduler)
            .cancellable(id: "timer", policy: .atMost(1 + number % 2))
        }
      }
      for number in 0..<count { store.send(.start(number)) }
      scheduler.advance()
      #expect(store.state == 2 * count)
    }
  }

  // R19: those that wait inside an effect under the same id.
  @Test func manyThatWaitInsideOfOneTakeLinearTime() {
    expectLinear { count in
      let scheduler = DispatchQueue.test
      let work = Effect.send(1).delay(for: .zero, scheduler: scheduler)
      let waiting = [1, 1, 1, 1, 2].flatMap { limit in
        (0..<count).map { _ in work.cancellable(id: 1, policy: .atMost(limit)) }
      }
      let endless = Effect<Int>.future { _ in }.cancellable(id: 1, policy: .atMost(1))
      let store = chainedStore { $0 == 0 ? .merge([endless] + waiting).cancellable(id: 1) : .none }
      store.send(0)
      scheduler.advance()
      // Those with the smaller limit wait for the one that never ends.
      #expect(store.state == 1 + count)
    }
  }

  // R19: each waits inside of another one.
  @Test func manyThatWaitInsideOfManyTakeLinearTime() {
    expectLinear { count in
      let endless = Effect<Int>.future { _ in }
      let inner = endless.cancellable(id: 1, policy: .atMost(1)).merge(with: endless)
      let store = chainedStore { number in
        number == 0
          ? .merge((0..<count).map { _ in inner.cancellable(id: 1) }) : .cancel(id: 1)
      }
      let task = store.send(0)
      store.checkInvariants()
      store.send(1)
      #expect(task.isFinished)
    }
  }

  // R7: the last one that has come is the first to leave.
  @Test func manySubscriptionsEndInLinearTime() {
    expectLinear { count in
      let store = chainedStore { _ in .none }
      var tokens = (0..<10 * count).map { _ in store.subscribe { _ in } }
      while !tokens.isEmpty { tokens.removeLast() }
    }
  }

  // R19: the effects of children are under equal ids.
  @Test func effectsOfManyChildrenDoNotSlowTheirParentDown() {
    expectLinear { count in
      let effect = Effect<Int>.future { _ in }
      let store = chainedStore { number in
        number == 0
          ? .merge((0..<count).map { effect.cancellable(id: 1).scoped(to: $0) })
          : effect.cancellable(id: 1, cancelInFlight: true)
      }
      for number in 0..<count { store.send(number) }
      #expect(store.state == count)
    }
  }

  // H26
  @Test(arguments: ManyRows.Program.allCases)
  func manyChildrenWithEffectsTakeLinearTime(program: ManyRows.Program) {
    expectLinear { ManyRows.run(program, $0) }
  }

  // R6
  @Test func aFullMailboxIsReadInLinearTime() async {
    let store = chainedStore { action in
      guard action == 0 else { return .none }
      return .run { send in
        for number in 1...Scale.hundredThousand { await send(number) }
      }
    }
    await store.send(0).finish()
    #expect(store.state == Scale.hundredThousand + 1)
  }

  // MARK: Fixtures

  private enum TimerAction {
    case start(Int), end, cancel
  }

  private func timers(
    _ scheduler: TestSchedulerOf<DispatchQueue>, policy: CancellationPolicy = .unlimited,
    delay: Int = 1
  ) -> Store<Int, TimerAction> {
    Store(initialState: 0) {
      Reduce<Int, TimerAction> { state, action in
        switch action {
        case .start:
          state += 1
          return .send(.end).delay(for: .seconds(delay), scheduler: scheduler)
            .cancellable(id: "timer", policy: policy)
        case .end:
          state += 1
          return .none
        case .cancel:
          return .cancel(id: "timer")
        }
      }
    }
  }

  private func cancelMany(_ cancel: (Store<Int, TimerAction>, [StoreTask]) -> Void) {
    let scheduler = DispatchQueue.test
    let store = timers(scheduler)
    let tasks = (0..<Scale.hundredThousand).map { store.send(.start($0)) }
    #expect(scheduler.timeline.waiting.count == tasks.count)
    cancel(store, tasks)
    #expect(scheduler.timeline.waiting.isEmpty)
    #expect(tasks.allSatisfy { $0.isFinished })
    #expect(store.state == tasks.count)
  }

  private func chainedStore(_ effect: @escaping (Int) -> Effect<Int>) -> Store<Int, Int> {
    Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += 1
        return effect(action)
      }
    }
  }
}

/// A machine that answers with `.send` a given number of times.
private func chain(
  _ dress: @escaping (Effect<Int>) -> Effect<Int> = { $0 }
) -> Cell<Int, Int> {
  unlimited {
    Cell(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state += 1
        return action == 0 ? .none : dress(.send(action - 1))
      }, isolation: Inline())
  }
}

/// Makes a machine that takes no chain for a loop without end, however long it is.
private func unlimited<Result>(_ make: () -> Result) -> Result {
  withDependencies {
    $0.loopLimit = LoopLimit(actions: .max, duration: .seconds(3_600))
  } operation: {
    make()
  }
}

/// An isolation that every caller is on.
struct Inline: HostIsolation {
  func runIfCurrent(_ work: () -> Void) -> Bool {
    work()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    work()
  }
}

/// Expects that eight times the work takes far less than the sixty-four times that quadratic work
/// would. It compares the processor time of this thread, so that other load on the machine does not
/// matter much; where that is not enough, the best of more and more runs.
@MainActor
private func expectLinear(
  _ body: (Int) -> Void, sourceLocation: SourceLocation = #_sourceLocation
) {
  func best(_ count: Int, of runs: Int) -> Double {
    let times = (0..<runs).map { _ in
      let start = processorTime()
      body(count)
      return processorTime() - start
    }
    return times.min()!
  }
  var ratio = 0.0
  for runs in 1...6 {
    ratio = best(8 * Scale.fewHundred, of: runs) / best(Scale.fewHundred, of: runs)
    if ratio < 32 { return }
  }
  Issue.record("Eight times the work took \(ratio) times as long.", sourceLocation: sourceLocation)
}

/// The time that this thread has run on a processor, in seconds.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private enum DeepTree: CaseIterable {
  case mergeLeft, mergeRight, concatenateLeft, concatenateRight, map, cancellable, prefix, mixed

  func answers(depth: Int) -> Int {
    switch self {
    case .mergeLeft, .mergeRight, .concatenateLeft, .concatenateRight: depth + 1
    case .map, .cancellable, .prefix, .mixed: 1
    }
  }

  func effect(depth: Int, leaf: Effect<Int> = .send(0)) -> Effect<Int> {
    var effect = leaf
    for level in 0..<depth {
      switch self {
      case .mergeLeft: effect = effect.merge(with: leaf)
      case .mergeRight: effect = leaf.merge(with: effect)
      case .concatenateLeft: effect = effect.concatenate(with: leaf)
      case .concatenateRight: effect = leaf.concatenate(with: effect)
      case .map: effect = effect.map { $0 }
      case .cancellable: effect = effect.cancellable(id: level)
      case .prefix: effect = effect.prefix(1)
      case .mixed:
        switch level % 4 {
        case 0: effect = effect.animation()
        case 1: effect = effect.cancellable(id: 0)
        case 2: effect = .concatenate(.cancel(id: -1), effect)
        default: effect = effect.filter { _ in true }
        }
      }
    }
    return effect
  }
}

// MARK: - Many children

/// A list of rows, each with a detail, that have effects in flight.
struct ManyRows: Reducer {
  struct State {
    var rows: IdentifiedArrayOf<Row.State> = []
    var path = StackState<Row.State>()
    var number = 0
  }

  enum Action: CasePathable {
    case add(Int), remove(Int), touch(Int), unrelated, push, replace
    case rows(IdentifiedActionOf<Row>)
    case path(StackActionOf<Row>)

    struct AllCasePaths: Sendable {
      var rows: AnyCasePath<Action, IdentifiedActionOf<Row>> {
        AnyCasePath(embed: Action.rows) { if case .rows(let a) = $0 { a } else { nil } }
      }
      var path: AnyCasePath<Action, StackActionOf<Row>> {
        AnyCasePath(embed: Action.path) { if case .path(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  struct Row: Reducer {
    struct State: Identifiable {
      let id: Int
      var number = 0
      var detail: Detail.State? = Detail.State()
    }

    enum Action: CasePathable {
      case wait
      case detail(Detail.Action)

      struct AllCasePaths: Sendable {
        var detail: AnyCasePath<Action, Detail.Action> {
          AnyCasePath(embed: Action.detail) { if case .detail(let a) = $0 { a } else { nil } }
        }
      }
      static var allCasePaths: AllCasePaths { AllCasePaths() }
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        guard case .wait = action else { return .none }
        state.number += 1
        return .future { _ in }
      }
      .ifLet(\.detail, action: \.detail) { Detail() }
    }
  }

  struct Detail: Reducer {
    struct State { var number = 0 }
    enum Action { case wait }

    func reduce(into state: inout State, action: Action) -> Effect<Action> { .future { _ in } }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let id): state.rows.append(Row.State(id: id))
      case .remove(let id): state.rows.remove(id: id)
      case .touch(let id): state.rows[id: id]?.number += 1
      case .push: state.path.append(Row.State(id: 0))
      case .unrelated: state.number += 1
      case .rows, .path, .replace: break
      }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Row() }
    .forEach(\.path, action: \.path) { Row() }
  }

  /// The action that is sent once for each row, besides those that start effects. `start` sends no
  /// other action.
  enum Program: CaseIterable {
    case start, unrelated, touch, add, remove, push, replace
  }

  @MainActor static func run(_ program: Program, _ count: Int) {
    var state = State()
    if program != .add && program != .push {
      state.rows = IdentifiedArray(uniqueElements: (0..<count).map { Row.State(id: $0) })
    }
    let store = Store(initialState: state) {
      ManyRows()
      Reduce { state, action in
        guard case .replace = action else { return .none }
        state.rows = IdentifiedArray(uniqueElements: state.rows.elements)
        return .none
      }
    }
    var tasks: [StoreTask] = []
    for id in 0..<count {
      if program == .add { store.send(.add(id)) }
      if program == .push {
        store.send(.push)
        let element = StackElementID(number: id)
        tasks.append(store.send(.path(.element(id: element, action: .detail(.wait)))))
      } else {
        store.send(.rows(.element(id: id, action: .wait)))
        tasks.append(store.send(.rows(.element(id: id, action: .detail(.wait)))))
      }
    }
    switch program {
    case .start, .add, .push: #expect(!tasks.contains { $0.isFinished })
    case .unrelated: for _ in 0..<count { store.send(.unrelated) }
    case .replace:
      store.send(.replace)
      for _ in 0..<count { store.send(.unrelated) }
      #expect(!tasks.contains { $0.isFinished })
    case .touch: for id in 0..<count { store.send(.touch(id)) }
    case .remove:
      // From the end: a row that is removed elsewhere moves all those behind it.
      for id in (0..<count).reversed() { store.send(.remove(id)) }
      #expect(tasks.allSatisfy { $0.isFinished })
    }
  }
}
