// A small feature that uses all that durable stores have, for tests.

import Foundation
import Rondo
import RondoDurable
import RondoScheduling
import Synchronization

struct Ledger: Reducer {
  struct State: Codable, Equatable, Sendable {
    var log: [String] = []
    var sums: [String: Int] = [:]
    var seen: Set<Int> = []
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Int)
    /// Adds all numbers from this one down to 1, each in an action of its own.
    case countDown(Int)
    case double(Int)
    /// Starts work under an id, cancels it, and starts other work before and after, all in one turn.
    case doubleTwoAndCancelOne(Int)
    case doubled(Int, Int)
    case wait(Int, seconds: Int, resume: String)
    case waited(Int)
    case stopWaiting
    case draw
    case listen(Int)
    case heard(Int)
    /// Waits as `listen` does, and hears the sum that there is then.
    case listenToSum
    /// Doubles under an id, so that the one before is replaced.
    case doubleInstead(Int)
    /// Notes a dependency that the feature has not set.
    case tax
    /// Waits in an ordinary effect, starts durable work, and goes on in another ordinary effect.
    case listenAndDouble(Int)
    /// Calls the dependency `trap`, which ends the process as a trap does.
    case trap(Int)
    case trapLater(Int, seconds: Int)
    case trapAfterWork(Int)
    /// Adds a number, and answers with the sum.
    case ask(Int, DurableReply<Int>)
    /// Doubles a number as durable work, and answers with the result.
    case askForDouble(Int, DurableReply<Int>)
    case answer(Int, DurableReply<Int>)
  }

  @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
  @Dependency(\.uuid) var uuid
  @Dependency(\.ears) var ears
  @Dependency(\.tax) var tax
  @Dependency(\.trap) var trap

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number):
      state.log.append("add \(number)")
      state.sums["all", default: 0] += number
      state.seen.insert(number)
      return .none
    case .countDown(let number):
      state.log.append("count \(number)")
      guard number > 0 else { return .none }
      return .merge(.send(.add(number)), .send(.countDown(number - 1)))
    case .double(let number):
      state.log.append("double \(number)")
      return .durable("double", number)
    case .doubleTwoAndCancelOne(let number):
      return .merge(
        .durable("double", number, id: "cancelled"), .durable("double", number + 1),
        .cancelDurable(id: "cancelled"), .durable("double", number + 2))
    case .doubled(let number, let result):
      state.log.append("doubled \(number) \(result)")
      state.sums["doubled", default: 0] += result
      return .none
    case .wait(let number, let seconds, let resume):
      state.log.append("wait \(number)")
      return .durableTimer(DurableName(resume), number, id: "wait", after: .seconds(seconds))
    case .waited(let number):
      state.log.append("waited \(number)")
      return .send(.add(number))
    case .stopWaiting:
      state.log.append("stop")
      return .cancelDurable(id: "wait")
    case .draw:
      let number = withRandomNumberGenerator { Int.random(in: 0..<1_000_000, using: &$0) }
      state.log.append("drawn \(number) \(uuid())")
      return .none
    case .listen(let number):
      state.log.append("listen \(number)")
      return .run { [ears] send in
        await ears(number)
        await send(.heard(number))
      }
    case .listenToSum:
      return .run { [ears] send in
        await ears(0)
        await send(.heard(await send.state(\State.sums)?["all"] ?? -1))
      }
    case .heard(let number):
      state.log.append("heard \(number)")
      return .none
    case .doubleInstead(let number):
      return .durable("double", number, id: "double")
    case .tax:
      state.log.append("tax \(tax)")
      return .none
    case .trap(let number):
      trap(number)
      state.log.append("trap \(number)")
      return .none
    case .trapLater(let number, let seconds):
      return .durableTimer("trap", number, id: "trap", after: .seconds(seconds))
    case .trapAfterWork(let number):
      return .durable("trap", number)
    case .ask(let number, let reply):
      state.log.append("ask \(number)")
      state.sums["all", default: 0] += number
      return .reply(reply, state.sums["all", default: 0])
    case .askForDouble(let number, let reply):
      state.log.append("ask for double \(number)")
      return .durable(.answer, DoubleAndAnswer(number: number, reply: reply))
    case .answer(let number, let reply):
      state.log.append("answer \(number)")
      return .merge(.reply(reply, number), .reply(reply, -number))
    case .listenAndDouble(let number):
      state.log.append("listen \(number)")
      return .concatenate(
        .run { [ears] _ in await ears(number) },
        .durable("double", number),
        .run { [ears] send in
          await ears(number)
          await send(.heard(number))
        })
    }
  }
}

/// The input of work whose result is an answer.
struct DoubleAndAnswer: Codable, Sendable {
  var number: Int
  var reply: DurableReply<Int>
}

extension DurableName<DoubleAndAnswer> {
  static let answer = Self("answer")
}

extension DependencyValues {
  /// The closure that an ordinary effect of the ledger waits for.
  var ears: @Sendable (Int) async -> Void {
    get { self[EarsKey.self] }
    set { self[EarsKey.self] = newValue }
  }
}

extension DependencyValues {
  /// A number that the ledger notes.
  var tax: Int {
    get { self[TaxKey.self] }
    set { self[TaxKey.self] = newValue }
  }
}

extension DependencyValues {
  /// The end of the process that reduces a number.
  var trap: @Sendable (Int) -> Void {
    get { self[TrapKey.self] }
    set { self[TrapKey.self] = newValue }
  }
}

private enum TrapKey: DependencyKey {
  static let liveValue: @Sendable (Int) -> Void = { _ in }
  static let testValue = liveValue
}

private enum TaxKey: DependencyKey {
  static let liveValue = 0
  static let testValue = liveValue
}

private enum EarsKey: DependencyKey {
  static let liveValue: @Sendable (Int) async -> Void = { _ in }
  static let testValue = liveValue
}

/// A gate that tasks wait at until it is opened.
final class Gate: Sendable {
  private let state: Mutex<State>

  private struct State {
    var isOpen: Bool
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  init(isOpen: Bool = false) {
    state = Mutex(State(isOpen: isOpen))
  }

  func pass() async {
    await withCheckedContinuation { waiter in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(waiter) }
        return state.isOpen
      }
      if isOpen { waiter.resume() }
    }
  }

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func close() {
    state.withLock { $0.isOpen = false }
  }
}

/// The work that the tests of one process have asked for.
final class Performed: Sendable {
  private let keys = Mutex<[String]>([])
  private let failures = Mutex<(left: Int, error: any Error)>((0, Failure()))
  /// The gate at which the work waits, after it was noted.
  let gate = Gate(isOpen: true)

  /// Lets the next calls of the work fail.
  func fail(_ times: Int, with error: any Error = Failure()) {
    failures.withLock { $0 = (times, error) }
  }

  struct Failure: Error {}

  fileprivate func failIfAsked() throws {
    let error = failures.withLock { failures in
      defer { failures.left = max(0, failures.left - 1) }
      return failures.left > 0 ? failures.error : nil
    }
    if let error { throw error }
  }

  var all: [String] { keys.withLock { $0 } }

  private let cancelled = Mutex(0)

  /// The number of calls of the work that were cancelled before the gate let them pass.
  var cancellations: Int { cancelled.withLock { $0 } }

  fileprivate func noteIfCancelled() {
    if Task.isCancelled { cancelled.withLock { $0 += 1 } }
  }

  private let seenTaxes = Mutex<[Int]>([])

  /// The dependency that each call of the work has seen.
  var taxes: [Int] { seenTaxes.withLock { $0 } }

  fileprivate func noteTax() {
    @Dependency(\.tax) var tax
    let value = tax
    seenTaxes.withLock { $0.append(value) }
  }

  func note(_ key: String) {
    keys.withLock { $0.append(key) }
  }
}

extension DurableFeature where State == Ledger.State, Action == Ledger.Action {
  static func ledger(version: Int = 1, performed: Performed = Performed()) -> Self {
    DurableFeature("ledger", version: version, initialState: { _ in Ledger.State() }) {
      Ledger()
    } work: {
      DurableEffect("double") { (number: Int, key) in
        performed.note(key)
        performed.noteTax()
        await performed.gate.pass()
        performed.noteIfCancelled()
        try performed.failIfAsked()
        return number * 2
      } then: {
        .doubled($0, $1)
      }
      DurableEffect(.answer) { (work: DoubleAndAnswer, key) in
        performed.note(key)
        await performed.gate.pass()
        return work.number * 2
      } then: {
        .answer($1, $0.reply)
      }
      DurableEffect("trap") { (number: Int, _) in
        number
      } then: {
        .trap($1)
      }
      DurableTimer("trap", onResume: .deadline) { (number: Int) in .trap(number) }
      DurableTimer("deadline", onResume: .deadline) { (number: Int) in .waited(number) }
      DurableTimer("remaining", onResume: .remaining) { (number: Int) in .waited(number) }
      DurableTimer("restart", onResume: .restart) { (number: Int) in .waited(number) }
    }
  }
}
