// Actions, changes and ends of stores that come while a turn, a commit or the end of a store is in progress.

import Dispatch
import Observation
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct ReentrancyTests {
  // H18
  @Test func H18_aCommitInsideAnotherStoresReducerKeepsItsTransaction() {
    let inner = Store(initialState: [] as [String]) { Script { _ in .none } }
    var lines: [String] = []
    let subscription = inner.subscribe { lines.append(Marks.text($0.transaction)) }
    let outer = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action
        inner.send("a", transaction: Marks(tag: "x", duration: 1).transaction)
        inner.send("b")
        return .none
      }
    }
    outer.send(1, transaction: Transaction(tag: "outer"))
    #expect(lines == ["x+1", "-"])
    subscription.cancel()
  }
}

// MARK: - What may happen in the middle of something else

/// A counter that records what its store's dependencies say when an action is handled.
private struct Noting: Reducer {
  @Dependency(\.number) var number
  let effects: @Sendable (Int) -> Effect<Int>

  func reduce(into state: inout [Int], action: Int) -> Effect<Int> {
    state.append(number)
    return effects(action)
  }
}

private enum NumberKey: DependencyKey {
  static var liveValue: Int { 0 }
  static var testValue: Int { 0 }
}

extension DependencyValues {
  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
}

extension ReentrancyTests {
  // H4, R14
  @Test func H4_aFlatMapMayCancelTheEffectThatItBelongsTo() {
    let scheduler = DispatchQueue.test
    final class Later { var token: AnyCancellable? }
    let later = Unshared(Later())
    var values: [Int] = []
    later.value.token = Effect<Int>.send(1).delay(for: 1, scheduler: scheduler)
      .flatMap { value in
        later.value.token?.cancel()
        return .send(value)
      }
      .sink { values.append($0) }
    scheduler.advance(by: 1)
    #expect(values.isEmpty)
  }

  // K3, H14
  @Test(arguments: HostKind.stores)
  func H14_anActionIsReducedWithTheDependenciesOfTheStore(kind: HostKind) async {
    let host = await kind.make([]) {
      Noting { action in
        guard action == 0 else { return .none }
        return .run { send in
          await withDependencies {
            $0.number = 7
          } operation: {
            await send(1)
          }
        }
      }
    }
    let task = await host.send(0)
    await host.finish(task)
    #expect(await host.state == [0, 0])
    host.release()
  }

  // H4
  @Test func H4_whatAClosureThatObservesHoldsMayCancelItsOwnToken() {
    final class View {
      var token: ObserveToken?
      deinit {
        let token = token
        MainActor.assumeIsolated { token?.cancel() }
      }
    }
    var view: View? = View()
    weak let released = view
    let token = observe { [view] in _ = view }
    view?.token = token
    view = nil
    #expect(released != nil)
    token.cancel()
    #expect(released == nil)
  }

  // R7
  @Test func R7_aStateThatIsReadTwiceWhileItIsChangedIsReportedOnce() async {
    // nonisolated(unsafe): the store reduces on the main actor.
    nonisolated(unsafe) var store: Store<Int, Int>?
    let messages = await issues {
      store = Store(initialState: 0) {
        Reduce<Int, Int> { state, action in
          state += action
          MainActor.assumeIsolated { _ = (store?.state, store?.state) }
          return .none
        }
      }
      store?.send(1)
    }
    #expect(messages.count == 1, "\(messages)")
    store = nil
  }

  // H12
  @Test func H12_manyChangesOfTheTransactionAreNoLoop() async {
    let messages = await issues {
      let store = withLoopLimit(rounds: 100) {
        Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state += 1
            return action == 0 ? .merge((1...300).map(Self.sendTagged)) : .none
          }
        }
      }
      var commits = 0
      let subscription = store.subscribe { _ in commits += 1 }
      store.send(0)
      #expect(store.state == 301)
      // The first two actions have no transaction and share a commit.
      #expect(commits == 300)
      subscription.cancel()
    }
    #expect(messages == [])
  }

  private nonisolated static func sendTagged(_ number: Int) -> Effect<Int> {
    let action = Effect.send(number)
    return number.isMultiple(of: 2) ? action.animation() : action
  }

  // H12
  @Test func H12_closuresThatWakeOneAnotherForEverAreReportedOnce() async {
    let (one, other) = (Model(), Model())
    var isLooping = false
    let messages = await issues {
      let store = withLoopLimit(rounds: 100) {
        Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state += action
            // nonisolated(unsafe): the store reduces on the main actor.
            nonisolated(unsafe) let one = one
            one.number += 1
            return .none
          }
        }
      }
      let tokens = [
        observe {
          _ = one.number
          if isLooping { other.number += 1 }
        },
        observe {
          _ = other.number
          if isLooping { one.number += 1 }
        },
      ]
      isLooping = true
      store.send(1)
      isLooping = false
      #expect(store.state == 1)
      tokens.forEach { $0.cancel() }
    }
    #expect(messages.count == 1)
  }

  // H12
  @Test func H12_aLoopOfClosuresGoesOnInLaterTurnsWhenOneHasReleasedTheStore() async {
    final class Owner { var store: Store<Int, Int>? }
    let owner = Unshared(Owner())
    let (one, other) = (Model(), Model())
    let isOver = Promise<Void>()
    let scheduler = DispatchQueue.test
    var isLooping = false
    var rounds = 0
    let messages = await issues {
      owner.value.store = withLoopLimit(rounds: 100) {
        Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            guard action == 1 else { return .send(1).delay(for: 1, scheduler: scheduler) }
            // nonisolated(unsafe): the store reduces on the main actor.
            nonisolated(unsafe) let one = one
            one.number += 1
            return .none
          }
        }
      }
      let tokens = [
        observe {
          _ = one.number
          guard isLooping else { return }
          owner.value.store = nil
          rounds += 1
          if rounds == 200 {
            isLooping = false
            isOver.fulfil()
          }
          other.number += 1
        },
        observe {
          _ = other.number
          if isLooping { one.number += 1 }
        },
      ]
      isLooping = true
      owner.value.store?.send(0)
      // Not the asynchronous one, which gives turns to others.
      let advance = { scheduler.advance(by: 1) }
      advance()
      #expect(rounds > 0 && rounds < 200)
      await isOver.value
      tokens.forEach { $0.cancel() }
    }
    #expect(messages.count == 1)
  }

  // H12
  @Test func H12_aLoopOnASchedulerThatRunsAtOnceGoesOnInLaterTurns() async {
    let isOver = Promise<Void>()
    let messages = await issues {
      let store = withLoopLimit(actions: 10) {
        Store(
          initialState: 0,
          reducer: {
            Reduce<Int, Int> { state, action in
              state += 1
              if state == 35 { isOver.fulfil() }
              return state < 35 ? .send(1) : .none
            }
          },
          scheduler: UIScheduler.shared)
      }
      store.send(1)
      #expect(store.state < 35)
      await isOver.value
      #expect(store.state == 35)
    }
    #expect(messages.count == 1)
  }

  // H12
  @Test func H12_aLoopThatIsCutWhileMessagesWaitGoesOnInLaterTurns() async {
    final class Owner { var store: Store<Int, Int>? }
    let owner = Unshared(Owner())
    let havePosted = DispatchSemaphore(value: 0)
    // Runs work at once on the main thread; what comes from others waits for the test.
    let waiting = LockIsolated<[@Sendable () -> Void]>([])
    let scheduler = AnySchedulerOf<DispatchQueue>(
      minimumTolerance: { .zero }, now: { DispatchQueue.main.now },
      scheduleImmediately: { _, work in
        if Thread.isMainThread { work() } else { waiting.withValue { $0.append(work) } }
      },
      delayed: { _, _, _, _ in }, interval: { _, _, _, _, _ in AnyCancellable {} })
    let messages = await issues {
      owner.value.store = withLoopLimit(actions: 10) {
        Store(
          initialState: 0,
          reducer: {
            Reduce<Int, Int> { state, action in
              switch action {
              case 0:
                return .run { @concurrent send in
                  send.post(1)
                  send.post(2)
                  havePosted.signal()
                }
              case 1:
                MainActor.assumeIsolated { _ = owner.value.store?.send(3) }
                return .send(10)
              case 10:
                state += 1
                // Also where the others are handled in between.
                return state % 100 < 35 ? .send(10) : .none
              default:
                state += 100
                return .none
              }
            }
          },
          scheduler: scheduler)
      }
      owner.value.store?.send(0)
      havePosted.wait()
      for _ in 0..<100_000 {
        guard owner.value.store?.state != 235 else { break }
        for work in waiting.withValue({ exchange(&$0, with: []) }) { work() }
        await Task.yield()
      }
      #expect(owner.value.store?.state == 235)
      owner.value.store = nil
    }
    #expect(!messages.isEmpty)
  }

  /// A state whose properties and identity send, which replaces what they were read from.
  private struct Treacherous: Identifiable {
    var values = Array(0..<100)
    var rows: IdentifiedArrayOf<Row> = []
    var shown: Row? = Row()
    var hook: (() -> Void)?

    var total: Int {
      hook?()
      return values.reduce(0, +)
    }
    var id: Int { total }

    struct Row: Identifiable {
      var values = Array(0..<100)
      var hook: (() -> Void)?

      var id: Int {
        hook?()
        return values.count
      }
    }
  }

  // R1: the state that a getter reads is not freed under it. The address sanitizer runs this, too.
  @Test func R1_aGetterThatSendsReadsTheStateThatItWasAskedOf() {
    let store = Store(initialState: Treacherous()) {
      Reduce<Treacherous, Treacherous> { state, action in
        state = action
        return .none
      }
    }
    func whileSending(_ read: () -> Int, _ arm: (inout Treacherous, @escaping () -> Void) -> Void)
      -> Int
    {
      var hasSent = false
      var state = Treacherous()
      arm(&state) {
        guard !exchange(&hasSent, with: true) else { return }
        store.send(Treacherous(values: [1], shown: nil))
      }
      store.send(state)
      return read()
    }
    #expect(whileSending({ store.total }) { $0.hook = $1 } == 4_950)
    #expect(whileSending({ store.id }) { $0.hook = $1 } == 4_950)
    #expect(whileSending({ store.shown?.id ?? 0 }) { $0.shown?.hook = $1 } == 100)
    #expect(store.total == 1)
  }

  // R5
  @Test func R5_whatAReducerAnswersAfterItHasReleasedItsStoreIsDropped() async {
    final class Owner { var store: Store<[String], String>? }
    let owner = Unshared(Owner())
    let scheduler = DispatchQueue.test
    let handled = Log<String>()
    owner.value.store = Store(initialState: []) {
      Script { action in
        handled.append(action)
        switch action {
        case "tap": return .send("late").delay(for: 1, scheduler: scheduler)
        case "late":
          MainActor.assumeIsolated { owner.value.store = nil }
          return .send("never")
        default: return .none
        }
      }
    }
    owner.value.store?.send("tap")
    await scheduler.advance(by: 1)
    #expect(handled.entries == ["tap", "late"])
  }
}

extension ReentrancyTests {
  // H18
  @Test func H18_aViewMayBeReleasedOnAnotherThread() {
    for _ in 0..<300 {
      let store = Store(initialState: 0) {
        Reduce<Int, Int> { state, action in
          state += action
          return .none
        }
      }
      var seen: [Int] = []
      let last = UncheckedTransfer(View())
      weak let view = last.view
      view?.token = observe { seen.append(store.state) }
      store.send(1)
      onOtherThread { last.view = nil }
      #expect(view == nil)
      store.send(1)
      #expect(seen == [0, 1])
    }
  }

  // H18, R5
  @Test(arguments: HostKind.allCases)
  func H18_whatAThreadSendsToAHostThatHasGoneIsDropped(kind: HostKind) async {
    for _ in 0..<50 {
      let callback = Promise<@Sendable (String) -> Void>()
      let handled = Log<String>()
      let host = await kind.script { action in
        handled.append(action)
        return action == "tap" ? .future { callback.fulfil($0) } : .none
      }
      await host.send("tap")
      let send = await callback.value
      weak let object = host.object
      host.release()
      // A durable store is held until the transaction that it has written is over.
      for _ in 0..<100_000 {
        guard object != nil else { break }
        await Task.yield()
      }
      onOtherThread { send("late") }
      #expect(handled.entries == ["tap"])
      // The promise is held by the effect, and would hold it.
      callback.fulfil { _ in }
    }
  }
}

extension ReentrancyTests {
  // R7
  @Test func aSubscriberThatComesInTheMiddleIsShownAllActions() {
    // nonisolated(unsafe): used on the main actor, where the store reduces.
    nonisolated(unsafe) var subscribe: () -> Void = {}
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += 1
        if action == 2 { subscribe() }
        return action < 3 ? .send(action + 1) : .none
      }
    }
    let token = observe { _ = store.state }
    var seen: [[Int]] = []
    var subscription: AnyCancellable?
    subscribe = {
      MainActor.assumeIsolated { subscription = store.subscribe { seen.append($0.actions) } }
    }
    store.send(1)
    #expect(seen == [[1, 2, 3]])
    subscription?.cancel()
    token.cancel()
  }

  // H18
  @Test func closuresOfAStoreRunInOrderAlsoBehindThoseOfAnotherStore() async {
    typealias Answer = @Sendable (String) -> Void
    let answers = LockIsolated<[String: Answer]>([:])
    let log = Log<String>()
    @Sendable func closure(
      _ name: String, _ next: (store: String, action: String)?
    ) -> Effect<String> {
      .run { _ in
        log.append(name)
        if let next { answers.value[next.store]?(next.action) }
      }
    }
    let one = Store(
      initialState: [String](),
      reducer: {
        Script { action in
          switch action {
          case "open": .future { answer in answers.withValue { $0["one"] = answer } }
          case "start": .merge(closure("1", ("two", "go")), closure("2", nil))
          case "again": closure("3", nil)
          default: .none
          }
        }
      })
    let two = Store(
      initialState: [String](),
      reducer: {
        Script { action in
          switch action {
          case "open": .future { answer in answers.withValue { $0["two"] = answer } }
          case "go": closure("two", ("one", "again"))
          default: .none
          }
        }
      })
    one.send("open")
    two.send("open")
    await one.send("start").finish()
    await withCheckedContinuation { waiter in DispatchQueue.main.async { waiter.resume() } }
    #expect(log.entries == ["1", "2", "two", "3"])
  }
}

/// A view of a program: it holds the token of what it observes.
private final class View {
  var token: ObserveToken?
}

/// The last reference to a view, on its way to another thread.
private final class UncheckedTransfer: @unchecked Sendable {
  // @unchecked: the test waits for the other thread.
  var view: View?
  init(_ view: View) { self.view = view }
}

/// A value that the main actor alone uses, in closures that could run anywhere.
private struct Unshared<Value>: @unchecked Sendable {
  // @unchecked: the tests above are on the main actor, and so are their stores.
  let value: Value
  init(_ value: Value) { self.value = value }
}

@Observable private final class Model {
  var number = 0
}
