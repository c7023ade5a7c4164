// H2: random programs of effects run on every host as the model says, tags included.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import RondoSeededRandomness
import Testing

@MainActor @Suite struct ProgramTests {
  // H2, H10, R10, R11, R12, R14, R18, R19, R26, R27, R28
  @Test(arguments: HostKind.allCases)
  func timedProgramsRunAsTheModelSays(kind: HostKind) async {
    await check(count: Soak.isOn ? 150 : 60) { random in
      let program = program(kind, .timed, &random)
      return program.difference(await run(program, on: kind))
    }
  }

  // H2, H10, R6, R11, R12, R16, R26, R28
  @Test(arguments: HostKind.allCases)
  func chainsOfTasksRunAsTheModelSays(kind: HostKind) async {
    await check(count: Soak.isOn ? 100 : 40) { random in
      let program = program(kind, .chain, &random)
      return program.difference(await run(program, on: kind))
    }
  }

  // R30, H29
  @Test func effectsWithoutAStoreRunAsTheModelSays() async {
    await check(count: Soak.isOn ? 150 : 60) { random in
      let program = EffectProgram.single(.simple, &random)
      return program.difference(await program.runWithoutStore())
    }
    await check(count: Soak.isOn ? 100 : 40) { random in
      let program = EffectProgram.single(.chain, &random)
      return program.difference(await program.runWithoutStore())
    }
  }

  /// A program that a host can run as the model does. Without a store no answer starts effects, and no action has
  /// marks, as ``HostKind`` says.
  private func program(
    _ host: HostKind, _ kind: EffectTree.Kind, _ random: inout Randomness
  ) -> EffectProgram {
    guard host == .effects else { return .random(kind, &random) }
    var program = EffectProgram.random(kind == .timed ? .simple : kind, &random)
    for index in program.starts.indices { program.starts[index].marks = Marks() }
    return program
  }

  private func run(_ program: EffectProgram, on kind: HostKind) async -> [Answer] {
    let scheduler = DispatchQueue.test
    let host = await kind.make(0, stamp: { scheduler.milliseconds }) { ProgramFeature(scheduler) }
    for start in program.starts {
      await host.perform { scheduler.advance(by: .milliseconds(start.milliseconds)) }
      let task = await host.send(.start(start.tree), start.marks.transaction)
      if program.isChain { await host.finish(task) }
    }
    await host.perform { scheduler.run() }
    return host.log.entries.compactMap { entry in
      guard case .answer(let reply) = entry.action else { return nil }
      return Answer(
        milliseconds: entry.stamp, value: reply.value, marks: Marks.text(entry.transaction))
    }
  }
}
