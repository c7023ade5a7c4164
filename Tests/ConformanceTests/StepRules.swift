// R11: the steps of a concatenation, many of them, whose closures may share one task.

import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct StepRules {
  private static let count = 200

  /// Steps that send their number.
  private func steps(
    _ closure: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) -> [Effect<String>] {
    (0..<Self.count).map { number in
      .run { send in
        try await closure(number)
        await send("\(number)")
      }
    }
  }

  private var numbers: [String] { (0..<Self.count).map(String.init) }

  // R11
  @Test(arguments: HostKind.allCases)
  func R11_aStepBeginsWhenWhatTheStepBeforeHasSentWasHandled(kind: HostKind) async {
    let (handled, early) = (Count(), Count())
    let steps = steps { if handled.value != $0 { early.add() } }
    let host = await kind.script { action in
      if action == "tap" { return .concatenate(steps) }
      handled.add()
      return .none
    }
    await host.finish(await host.send("tap"))
    #expect(host.actions == ["tap"] + numbers)
    #expect(early.value == 0)
  }

  // R11
  @Test(arguments: HostKind.allCases)
  func R11_whatAStepSendsMayCancelTheStepsBehindIt(kind: HostKind) async {
    let begun = Count()
    let host = await kind.script([
      "tap": .concatenate(steps { _ in begun.add() }).cancellable(id: 1), "50": .cancel(id: 1),
    ])
    await host.finish(await host.send("tap"))
    #expect(host.actions == ["tap"] + numbers.prefix(51))
    #expect(begun.value == 51)
  }

  // R11
  @Test(arguments: HostKind.allCases)
  func R11_theStepBehindACancelledOneIsNotCancelled(kind: HostKind) async {
    let cancelled = Count()
    let note: @Sendable () -> Void = { if Task.isCancelled { cancelled.add() } }
    let pair: [Effect<String>] = [
      .run { send in
        note()
        await send("stop")
        await suspendUntilCancelled()
      }
      .cancellable(id: 1),
      .run { send in
        note()
        await send("next")
        withUnsafeCurrentTask { $0?.cancel() }
      },
    ]
    let steps: [Effect<String>] = (0..<30).flatMap { _ in pair }
    let host = await kind.script(["tap": .concatenate(steps), "stop": .cancel(id: 1)])
    await host.finish(await host.send("tap"))
    let answers: [String] = (0..<30).flatMap { _ in ["stop", "next"] }
    #expect(host.actions == ["tap"] + answers)
    #expect(cancelled.value == 0)
  }

  // R11
  @Test(arguments: HostKind.allCases)
  func R11_aStepHasItsOwnNameAndDependencies(kind: HostKind) async {
    let log = Log<String>()
    let steps: [Effect<String>] = (0..<90).map { number in
      withDependencies {
        $0.stepNumber = number % 3
      } operation: {
        .run(name: number % 2 == 0 ? "even" : "odd") { _ in
          @Dependency(\.stepNumber) var stepNumber
          log.append("\(Task.name ?? "-") \(stepNumber)")
        }
      }
    }
    let host = await kind.script(["tap": .concatenate(steps)])
    await host.finish(await host.send("tap"))
    #expect(log.entries == (0..<90).map { "\($0 % 2 == 0 ? "even" : "odd") \($0 % 3)" })
  }

  // R11
  @Test(arguments: HostKind.live)
  func R11_whatIsBoundWhereAnActionIsSentReachesTheFirstStepOnly(kind: HostKind) async {
    let log = Log<Int>()
    let step = Effect<String>.run { send in
      log.append(Bound.value)
      await send("step")
    }
    let host = await kind.script(["tap": .concatenate(repeatElement(step, count: 50))])
    let task = await Bound.$value.withValue(1) { await host.send("tap") }
    await host.finish(task)
    #expect(log.entries == [1] + repeatElement(0, count: 49))
  }
}

private enum Bound {
  @TaskLocal static var value = 0
}

private enum StepNumberKey: DependencyKey {
  static let liveValue = 0
  static let testValue = 0
}

extension DependencyValues {
  fileprivate var stepNumber: Int {
    get { self[StepNumberKey.self] }
    set { self[StepNumberKey.self] = newValue }
  }
}
