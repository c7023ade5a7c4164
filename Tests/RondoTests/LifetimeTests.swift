// R5: what is released, and when.

import Dispatch
import Foundation
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct LifetimeTests {
  // R5
  @Test func aReleasedStoreEndsItsEffectsAndTakesItsWorkOffTheSchedulers() {
    let scheduler = DispatchQueue.test
    var store: Store? = script([
      "tap": .merge(
        .run { _ in await suspendUntilCancelled() },
        .send("delayed").delay(for: 1, scheduler: scheduler),
        .send("debounced").debounce(id: 1, for: 1, scheduler: scheduler),
        .merge(.send("a"), .send("b")).throttle(id: 2, for: 1, scheduler: scheduler, latest: true),
        .run { _ in await suspendUntilCancelled() }.timeout(1, scheduler: scheduler),
        Effect.timer(id: 3, every: 1, on: scheduler).map { _ in "tick" })
    ])
    weak let weakStore = store
    let task = store!.send("tap")
    let subscription = store!.subscribe { _ in }
    #expect(scheduler.timeline.waiting.count == 5)
    store = nil
    #expect(weakStore == nil)
    #expect(task.isFinished)
    #expect(scheduler.timeline.waiting.isEmpty)
    subscription.cancel()
  }

  // R5, R30
  @Test nonisolated func theEffectsOfAChildLeaveNothingBehindWithoutAStore() {
    var state = Parent.State()
    weak var id: Parent.ID?
    func makeEffect() -> Effect<Parent.Action> {
      let child = Parent.ID()
      id = child
      state.children.append(Parent.Child.State(id: child))
      defer { state.children = [] }
      return Parent().reduce(into: &state, action: .children(.element(id: child, action: ())))
    }
    let subscription = Effect.merge(.run { _ in await suspendUntilCancelled() }, makeEffect())
      .sink(isolation: nil) { _ in }
    #expect(id == nil)
    subscription.cancel()
  }

  // R5
  @Test func emissionsThatWaitForAReleasedStoreAreReleased() async {
    let host = DispatchQueue.test
    let hasSent = Promise<Void>()
    weak var weakWitness: Witness?
    do {
      let witness = Witness()
      weakWitness = witness
      let store = Store(
        initialState: 0,
        reducer: {
          Reduce<Int, Witness?> { _, action in
            guard let witness = action else { return .none }
            return .run { @concurrent send in
              await send(witness)
              hasSent.fulfil()
              await suspendUntilCancelled()
            }
          }
        }, scheduler: host)
      store.send(witness)
      await hasSent.value
    }
    await host.run()
    await untilReleased { weakWitness }
  }

  // R5, R14
  @Test func aCancelledEffectReleasesWhatItHasCapturedThoughItsSchedulerStillHoldsTheWork() {
    let scheduler = DispatchQueue.test
    let makeEffect = Later<Effect<Witness>>()
    let store = Store(initialState: 0) {
      Reduce<Int, Witness?> { [unowned makeEffect] state, action in
        state += 1
        guard action != nil else {
          return makeEffect.value.take()?.map { $0 }.cancellable(id: 1) ?? .cancel(id: 1)
        }
        return .none
      }
    }
    weak var weakWitness: Witness?
    do {
      let witness = Witness()
      weakWitness = witness
      makeEffect.value = .send(witness).receive(on: scheduler)
    }
    store.send(nil)
    #expect(weakWitness != nil)
    store.send(nil)
    #expect(weakWitness == nil)
    scheduler.run()
    #expect(store.state == 2)
    withExtendedLifetime(makeEffect) {}
  }

  // R5
  @Test func aHandleThatIsKeptKeepsNoClosure() async {
    let makeEffect = Later<Effect<String>>()
    let store = script { [unowned makeEffect] _ in makeEffect.value.take() ?? .none }
    weak var weakWitness: Witness?
    do {
      let witness = Witness()
      weakWitness = witness
      makeEffect.value = .run { _ in withExtendedLifetime(witness) {} }
    }
    let task = store.send("tap")
    await task.finish()
    await untilReleased { weakWitness }
    withExtendedLifetime((task, store, makeEffect)) {}
  }

  // R5
  @Test func aMillionFinishedEffectsLeaveTheProcessNoLargerThanAThousand() async {
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += 1
        guard action > 0 else { return .none }
        return .merge(
          .send(0).cancellable(id: action),
          .send(0).receive(on: DispatchQueue.immediate))
      }
    }
    var count = 0
    func run(_ effects: Int) {
      for number in 1...effects { store.send(number) }
      count += effects
    }
    run(1_000)
    await expectNoGrowth { run(Scale.million) }
    #expect(store.state == 3 * count)
  }

  // R5
  @Test func finishedTasksLeaveNoResidue() async {
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += 1
        return action > 0 ? .run { send in await send(0) } : .none
      }
    }
    func run(_ count: Int) async {
      for number in 1...count { await store.send(number).finish() }
    }
    await run(1_000)
    await expectNoGrowth { await run(Scale.million / 20) }
  }
}

/// Expects that some work leaves the process no larger. Other tests may need memory meanwhile, so
/// the work is repeated: the memory that it leaves behind itself is there after each round.
@MainActor
private func expectNoGrowth(
  sourceLocation: SourceLocation = #_sourceLocation, _ work: () async -> Void
) async {
  var growth: [Int] = []
  for _ in 0..<6 {
    let before = residentMemory()
    await work()
    growth.append(residentMemory() - before)
    if growth.last! < 8 * 1024 * 1024 { return }
  }
  Issue.record("Each round left memory behind, in bytes: \(growth)", sourceLocation: sourceLocation)
}

/// Lets other threads finish their work, and expects that they release an object. There is no
/// signal for the end of a release, so this looks again and again. It reports an issue after very
/// many looks.
@MainActor
func untilReleased(
  _ object: () -> AnyObject?, sourceLocation: SourceLocation = #_sourceLocation
) async {
  for _ in 0..<100_000 {
    if object() == nil { return }
    await Task.yield()
  }
  Issue.record("The object is still alive.", sourceLocation: sourceLocation)
}

/// The resident memory of the process, in bytes.
func residentMemory() -> Int {
  let fields = try! String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    .split(separator: " ")
  return Int(fields[1])! * sysconfPageSize
}

private let sysconfPageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

/// A list of children whose ids are objects.
private struct Parent: Reducer {
  final class ID: Hashable, Sendable {
    static func == (lhs: ID, rhs: ID) -> Bool { lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  struct Child: Reducer {
    struct State: Identifiable { let id: ID }

    func reduce(into state: inout State, action: Void) -> Effect<Void> { .run { _ in } }
  }

  struct State { var children: IdentifiedArrayOf<Child.State> = [] }

  enum Action: CasePathable {
    case children(IdentifiedAction<ID, Void>)

    struct AllCasePaths: Sendable {
      let children = AnyCasePath(Action.children)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    EmptyReducer().forEach(\.children, action: \.children) { Child() }
  }
}
