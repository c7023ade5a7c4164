// R9 to R12, R14, R26 to R28: the algebra of effects, over random trees.

import RondoSeededRandomness
import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct EffectAlgebraTests {
  // R10, R11, R12, R14, R26, R27, R28
  @Test func aStoreRunsEffectsAsTheModelDoes() {
    check(count: 80) { random in
      let program = EffectProgram.random(.timed, &random)
      return program.difference(program.run())
    }
  }

  // R10
  @Test func noneIsTheIdentityOfMerge() {
    check { random in
      let tree = EffectTree.random(size: 16, &random)
      return equal(tree, .merge([.none, tree])) ?? equal(tree, .merge([tree, .none]))
    }
  }

  // R11
  @Test func noneIsTheIdentityOfConcatenate() {
    check { random in
      let tree = EffectTree.random(size: 16, &random)
      return equal(tree, .concatenate([.none, tree])) ?? equal(tree, .concatenate([tree, .none]))
    }
  }

  // R10
  @Test func mergeIsAssociative() {
    check { random in
      let (a, b, c) = three(&random)
      return equal(.merge([.merge([a, b]), c]), .merge([a, .merge([b, c])]))
        ?? equal(.merge([a, b, c]), .merge([.merge([a, b]), c]))
    }
  }

  // R11
  @Test func concatenateIsAssociative() {
    check { random in
      let (a, b, c) = three(&random)
      return equal(
        .concatenate([.concatenate([a, b]), c]), .concatenate([a, .concatenate([b, c])]))
        ?? equal(.concatenate([a, b, c]), .concatenate([.concatenate([a, b]), c]))
    }
  }

  // R9
  @Test func mapIsAFunctor() {
    check { random in
      let tree = EffectTree.random(size: 16, &random)
      return equal(tree, .map(tree, adding: 0))
        ?? equal(.map(.map(tree, adding: 3), adding: 4), .map(tree, adding: 7))
    }
  }

  // R9
  @Test func mapDistributesOverMergeAndConcatenate() {
    check { random in
      let (a, b, _) = three(&random)
      return equal(
        .map(.merge([a, b]), adding: 1), .merge([.map(a, adding: 1), .map(b, adding: 1)]))
        ?? equal(
          .map(.concatenate([a, b]), adding: 1),
          .concatenate([.map(a, adding: 1), .map(b, adding: 1)]))
    }
  }

  // R14
  @Test func aCancelledEffectHasAnsweredWithAPrefixOfItsLog() {
    check { random in
      let tree = EffectTree.random(size: 24, &random)
      let time = Int.random(in: 0..<12, using: &random)
      let whole = EffectProgram(starts: [.init(0, Marks(), tree)]).run()
      let cancelled = EffectProgram(
        starts: [
          .init(0, Marks(), .cancellable(tree, id: 99, .unlimited)),
          .init(time, Marks(), .cancel(id: 99)),
        ]
      ).run()
      let expected = whole.filter { $0.milliseconds <= time }
      guard cancelled != expected else { return nil }
      return "\(tree)\ncancelled at \(time): \(cancelled)\nexpected:          \(expected)"
    }
  }

  // R26
  @Test func anOuterTagWinsOverEverythingInside() {
    check { random in
      let tree = EffectTree.random(size: 16, &random)
      let log = EffectProgram(starts: [.init(0, Marks(tag: "x"), .tag(tree, outer))]).run()
      return log.allSatisfy { $0.marks == outer.text } ? nil : "\(tree)\n\(log)"
    }
  }

  // R27
  @Test func tagsChangeNeitherValuesNorTimes() {
    check { random in
      let tree = EffectTree.random(size: 24, &random)
      let untagged = EffectProgram(starts: [.init(0, Marks(), tree)]).run()
      let tagged = EffectProgram(starts: [.init(0, Marks(tag: "x"), .tag(tree, outer))]).run()
      let isEqual = untagged.elementsEqual(tagged) {
        ($0.milliseconds, $0.value) == ($1.milliseconds, $1.value)
      }
      return isEqual ? nil : "\(tree)\n\(untagged)\n\(tagged)"
    }
  }

  private let outer = Marks(tag: "outer", duration: 3)

  private func three(_ random: inout Randomness) -> (EffectTree, EffectTree, EffectTree) {
    (.random(size: 10, &random), .random(size: 10, &random), .random(size: 10, &random))
  }

  /// The difference between the runs of two trees, each in a store of its own; `nil` for none.
  private func equal(_ left: EffectTree, _ right: EffectTree) -> String? {
    let (one, other) = (
      EffectProgram(starts: [.init(0, Marks(tag: "x"), left)]).run(),
      EffectProgram(starts: [.init(0, Marks(tag: "x"), right)]).run()
    )
    return one == other ? nil : "\(left)\n\(right)\n\(one)\n\(other)"
  }
}
