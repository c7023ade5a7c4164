// Y21: what every operator of effects owes to recordings, explorers and rules, held against all of them.

import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Rondo
@testable import RondoScheduling
@testable import RondoTestStore

@MainActor @Suite struct OperatorTests {
  // Y21
  @Test func everyOperatorIsInTheTable() throws {
    let declared = try Set(
      files(in: "Sources/Rondo/Effect").flatMap { file in
        file.text.matches(of: /(?m)^  public (?:static )?func (\w+)/).map { String($0.1) }
      })
    // Functions of `Send` and `Task`, and one that changes nothing: no operators.
    let others: Set = ["callAsFunction", "post", "cooperative"]
    let known = Set(Operator.all.map(\.name))
    #expect(
      declared.subtracting(others).subtracting(known) == [],
      "Add it to `Operator.all`, as 'An operator' in CONTRIBUTING.md says.")
    #expect(known.subtracting(declared) == [], "There is no such operator any more.")
  }

  // Y21
  @Test(arguments: Operator.all)
  func anOperatorIsInTheModelOrHasRulesOnEveryHost(_ operation: Operator) throws {
    let model = try files(in: "Tests/RuntimeTestSupport")
    let rules = try files(in: "Tests/ConformanceTests").filter { $0.name != "OperatorTests.swift" }
    let isNamed = (model + rules).contains { file in
      file.text.contains(".\(operation.name)(") || file.text.contains(".\(operation.name) {")
    }
    #expect(isNamed, "Give it a case of 'EffectTree', or a rule that runs on every host.")
  }

  /// Two runs that have come to the same moment by different ways, and are the same from there on.
  /// Where they answer differently, the operator remembers the way.
  // Y21
  @Test(arguments: Operator.all)
  func anOperatorThatRemembersSaysSo(_ operation: Operator) async {
    let short = await Run(operation)
    let long = await Run(operation)
    await short.feed([])
    await long.feed([1])
    let answers = (await short.answers(to: [2, 3, 3]), await long.answers(to: [2, 3, 3]))
    let remembers = answers.0 != answers.1
    #expect(remembers == operation.remembers, "\(answers)")
    #expect(
      !remembers || long.store.machine.hasMemory,
      "An explorer leaves out orders that matter. Set 'interpreter.hasMemory' in 'makeFrame'.")
    await short.end()
    await long.end()
  }

  /// Whoever records from the beginning has heard of all effects that one who comes later is shown.
  // Y21
  @Test(arguments: Operator.all)
  func everythingInFlightWasTold(_ operation: Operator) async {
    let run = Run(recorded: operation)
    await run.begin()
    for number in [1, 2] {
      run.input.yield(number)
      await run.settle()
      run.expectEverythingInFlightWasTold()
    }
    await run.begin()
    run.expectEverythingInFlightWasTold()
    await run.end()
  }
}

// MARK: - All operators

/// An operator, or a source, of effects.
struct Operator: Sendable, CustomTestStringConvertible {
  let name: String
  /// Whether what has come through decides on what comes.
  var remembers = false
  /// Puts the operator around an effect. A source comes beside it.
  let apply:
    @Sendable (_ effect: Effect<Int>, _ scheduler: AnySchedulerOf<DispatchQueue>) -> Effect<Int>

  var testDescription: String { name }

  static let all: [Operator] = [
    // Sources
    Operator(name: "send") { .merge($0, .concatenate(.send(7), .send(8, animation: .default))) },
    Operator(name: "run") { .merge($0, .run { await $0(7) }) },
    Operator(name: "future") { .merge($0, .future { 7 }) },
    Operator(name: "sequence") { .merge($0, .sequence(AsyncStream<Int>.never)) },
    Operator(name: "fireAndForget") { .merge($0, .fireAndForget {}) },
    Operator(name: "timer") {
      .merge($0, Effect.timer(id: "timer", every: .seconds(1), on: $1).map { _ in 7 })
    },
    Operator(name: "cancel") { .merge($0.cancellable(id: "other"), .cancel(id: "another")) },
    // Groups
    Operator(name: "merge") { $0.merge(with: .send(7)) },
    Operator(name: "concatenate") { .concatenate(.send(7), $0) },
    Operator(name: "prepend") { $0.prepend(7) },
    // Values
    Operator(name: "map") { $0.map { $0 + 10 } },
    Operator(name: "compactMap") { $0.compactMap { $0 == 2 ? nil : $0 } },
    Operator(name: "filter") { $0.filter { $0 != 2 } },
    Operator(name: "flatMap") { $0.flatMap { .concatenate(.send($0), .send($0 + 10)) } },
    Operator(name: "scan", remembers: true) { $0.scan(0, +) },
    Operator(name: "prefix", remembers: true) { $0.prefix(2) },
    // Time
    Operator(name: "receive") { $0.receive(on: $1) },
    Operator(name: "delay") { $0.delay(for: .milliseconds(10), scheduler: $1) },
    Operator(name: "debounce") {
      $0.debounce(id: "debounce", for: .milliseconds(10), scheduler: $1)
    },
    Operator(name: "throttle", remembers: true) {
      $0.throttle(id: "throttle", for: .seconds(1), scheduler: $1, latest: false)
    },
    Operator(name: "timeout") { $0.timeout(.seconds(60), scheduler: $1) },
    // Policies
    Operator(name: "cancellable") { $0.cancellable(id: "lane", policy: .oldest) },
    Operator(name: "named") { $0.named("named") },
    Operator(name: "animation") { $0.animation(.default) },
    Operator(name: "transaction") { $0.transaction(Transaction(animation: .linear)) },
  ]

  init(
    name: String, remembers: Bool = false,
    apply: @escaping @Sendable (Effect<Int>, AnySchedulerOf<DispatchQueue>) -> Effect<Int>
  ) {
    self.name = name
    self.remembers = remembers
    self.apply = apply
  }

  init(
    name: String, remembers: Bool = false, apply: @escaping @Sendable (Effect<Int>) -> Effect<Int>
  ) {
    self.init(name: name, remembers: remembers) { effect, _ in apply(effect) }
  }
}

// MARK: - A run

/// A store that runs an operator around an effect, which answers with what the test gives it.
@MainActor private final class Run {
  let store: TestStore<[Int], Int>
  let input: AsyncStream<Int>.Continuation
  private var told: [Int: String] = [:]

  init(recorded operation: Operator) {
    let (stream, input) = AsyncStream.makeStream(of: Int.self)
    self.input = input
    store = TestStore(initialState: [Int]()) { Feeding(operation: operation, stream: stream) }
    store.exhaustivity = .off
    var observer = MachineObserver<[Int], Int>()
    observer.didHappen = { [weak self] event in
      if case .started(let effect) = event { self?.told[effect.effect] = effect.kind }
    }
    store.machine.observeForGood(observer)
  }

  convenience init(_ operation: Operator) async {
    self.init(recorded: operation)
    await begin()
  }

  func begin() async { await store.send(0) }

  func settle() async { await store.skipReceivedActions(strict: false) }

  func feed(_ numbers: [Int]) async {
    for number in numbers { input.yield(number) }
    await store.advance(by: .milliseconds(100))
  }

  /// The answers that come from now on.
  func answers(to numbers: [Int]) async -> [Int] {
    await settle()
    let before = store.machine.withState { $0.count }
    for number in numbers { await feed([number]) }
    await settle()
    let all: [Int] = store.machine.withState { copy $0 }
    return Array(all.dropFirst(before))
  }

  func expectEverythingInFlightWasTold() {
    var present: [Int: String] = [:]
    var observer = MachineObserver<[Int], Int>()
    observer.didHappen = {
      if case .started(let effect) = $0 { present[effect.effect] = effect.kind }
    }
    store.machine.observe(observer)()
    for (effect, kind) in present {
      #expect(told[effect] == kind, "Call 'journal?.didStart(_:)' where the frame is made.")
    }
  }

  func end() async {
    input.finish()
    await store.skipInFlightEffects(strict: false)
  }
}

private struct Feeding: Reducer {
  let operation: Operator
  let stream: AsyncStream<Int>
  @Dependency(\.mainQueue) var mainQueue

  func reduce(into state: inout [Int], action: Int) -> Effect<Int> {
    guard action == 0 else {
      state.append(action)
      return .none
    }
    return operation.apply(
      .run { [stream] send in
        for await number in stream { await send(number) }
      }, mainQueue)
  }
}

/// The Swift files of a folder of this package.
private func files(in folder: String) throws -> [(name: String, text: String)] {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  return try FileManager.default.contentsOfDirectory(
    at: root.appending(path: folder), includingPropertiesForKeys: nil
  )
  .filter { $0.pathExtension == "swift" }
  .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
}
