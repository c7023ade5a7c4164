// Transactions: keyed slots, merging, and the ambient one.

import RondoSeededRandomness
import Dispatch
import RondoAnimation
import Testing

@Suite struct TransactionTests {
  // R25
  @Test func unsetAndSetToNilDiffer() {
    #expect(!Transaction().isSet(AnimationKey.self))
    #expect(Transaction(animation: nil).isSet(AnimationKey.self))
    #expect(Transaction() != Transaction(animation: nil))
    #expect(Transaction(animation: nil).animation == nil)
  }

  // R25
  @Test func unsetKeysReadAsTheirDefaults() {
    let transaction = Transaction()
    #expect(transaction.isEmpty)
    #expect(transaction.animation == nil)
    #expect(!transaction.disablesAnimations)
    #expect(!transaction.isContinuous)
    #expect(transaction.source == "unknown")
  }

  // R25
  @Test func usersAddKeysOfTheirOwn() {
    var transaction = Transaction(animation: .linear)
    transaction.source = "deep link"
    #expect(transaction.source == "deep link")
    #expect(transaction.animation == .linear)
  }

  @Test func copiesDoNotShareLaterChanges() {
    var transaction = Transaction(animation: .linear)
    let copy = transaction
    transaction.animation = .default
    #expect(copy.animation == .linear)
  }

  @Test func theOrderOfSettingDoesNotMatter() {
    var one = Transaction(animation: .linear)
    one.isContinuous = true
    var other = Transaction()
    other.isContinuous = true
    other.animation = .linear
    #expect(one == other)
  }

  @Test func valuesThatCannotBeComparedEqualTheirCopies() {
    var one = Transaction()
    one[OpaqueKey.self] = Opaque()
    var other = Transaction()
    other[OpaqueKey.self] = Opaque()
    let copy = one
    #expect(one == copy)
    #expect(one != other)
  }

  @Test func describesItself() {
    #expect(Transaction().description == "untagged")
    #expect(Transaction(animation: .easeOut).description == ".easeOut")
    var transaction = Transaction(animation: nil)
    transaction.source = "test"
    #expect(transaction.description == "nil, SourceKey: test")
  }

  // MARK: - Merging

  // R25, R26
  @Test func setKeysOfTheInnerWin() {
    var outer = Transaction(animation: .linear)
    outer.isContinuous = true
    var inner = Transaction(animation: nil)
    inner.source = "inner"
    let merged = outer.merging(inner)
    #expect(merged.isSet(AnimationKey.self) && merged.animation == nil)
    #expect(merged.isContinuous)
    #expect(merged.source == "inner")
  }

  // R26
  @Test func laterOfThreeWinsKeyByKey() {
    var ambient = Transaction(animation: .linear)
    ambient.isContinuous = true
    var effect = Transaction(animation: .easeIn)
    effect.source = "effect"
    let call = Transaction(animation: .default)
    let merged = ambient.merging(effect).merging(call)
    #expect(merged.animation == .default && merged.isContinuous && merged.source == "effect")
  }

  // R25, R26
  @Test func mergingAgreesWithADictionary() {
    forEachSeed(300) { random in
      let (a, b, c) = (Model(&random), Model(&random), Model(&random))
      let (x, y, z) = (a.transaction, b.transaction, c.transaction)
      #expect(x.merging(y) == a.merging(b).transaction, "\(random)")
      #expect(x.merging(y).merging(z) == x.merging(y.merging(z)), "\(random)")
      #expect(x.merging(Transaction()) == x && Transaction().merging(x) == x, "\(random)")
      #expect(x.merging(x) == x, "\(random)")
      #expect((x == y) == (a == b), "\(random)")
    }
  }

  // MARK: - The ambient one

  // R25
  @Test func isVisibleInTheBodyAlone() {
    #expect(Transaction.current.isEmpty)
    withAnimation(.easeIn) {
      #expect(Transaction.current.animation == .easeIn)
    }
    #expect(Transaction.current.isEmpty)
  }

  // R25
  @Test func nestedBodiesMerge() {
    withAnimation(.easeIn) {
      withTransaction(\.isContinuous, true) {
        #expect(Transaction.current.animation == .easeIn)
        #expect(Transaction.current.isContinuous)
        withAnimation(nil) {
          #expect(Transaction.current.isSet(AnimationKey.self))
          #expect(Transaction.current.animation == nil)
        }
        #expect(Transaction.current.animation == .easeIn)
      }
      #expect(!Transaction.current.isContinuous)
    }
  }

  // R25
  @Test func isRestoredWhenTheBodyThrows() {
    struct Failure: Error {}
    withAnimation(.easeIn) {
      #expect(throws: Failure.self) {
        try withAnimation(.linear) { throw Failure() }
      }
      #expect(Transaction.current == Transaction(animation: .easeIn))
    }
    #expect(Transaction.current.isEmpty)
  }

  // R25
  @Test func givesTheResultOfTheBody() {
    #expect(withTransaction(Transaction(animation: .linear)) { 42 } == 42)
  }

  @Test func canBeShieldedFromTheCodeAround() {
    withAnimation(.easeIn) {
      withAmbientTransaction(Transaction()) {
        #expect(Transaction.current.isEmpty)
      }
      #expect(Transaction.current.animation == .easeIn)
    }
  }

  // R28
  @Test func doesNotLeakIntoTasks() async {
    let tasks = withAnimation {
      [Task { Transaction.current }, Task.detached { Transaction.current }]
    }
    for task in tasks {
      #expect(await task.value.isEmpty)
    }
  }

  // R28
  @Test func isNotVisibleOnOtherThreads() {
    withAnimation {
      let isEmpty = DispatchQueue.global().syncOnAnotherThread { Transaction.current.isEmpty }
      #expect(isEmpty)
      #expect(Transaction.current.animation == .default)
    }
  }

  // R25
  @Test func randomNestingsAgreeWithAStack() {
    func nest(_ random: inout Randomness, _ around: Model, depth: Int) {
      #expect(Transaction.current == around.transaction, "\(random)")
      guard depth < 5 else { return }
      for _ in 0..<random.int(in: 0..<3) {
        let inner = Model(&random)
        let merged = around.merging(inner)
        let throwing = random.bool()
        try? withTransaction(inner.transaction) {
          nest(&random, merged, depth: depth + 1)
          if throwing { throw CancellationError() }
        }
        #expect(Transaction.current == around.transaction, "\(random)")
      }
    }
    forEachSeed(100) { random in
      nest(&random, Model(), depth: 0)
    }
  }
}

// MARK: - The naive model

/// A transaction as a dictionary of optional values.
private struct Model: Equatable {
  var slots: [String: Int?] = [:]

  init() {}

  init(_ random: inout Randomness) {
    for key in ["animation", "isContinuous", "source"] where random.bool() {
      slots[key] = .some(random.bool() ? random.int(in: 0..<3) : nil)
    }
  }

  func merging(_ other: Model) -> Model {
    var result = self
    result.slots.merge(other.slots) { $1 }
    return result
  }

  var transaction: Transaction {
    var transaction = Transaction()
    if let slot = slots["animation"] {
      transaction.animation = slot.map { .linear(duration: Double($0 + 1)) }
    }
    if let slot = slots["isContinuous"] {
      transaction[NumberKey.self] = slot
    }
    if let slot = slots["source"] {
      transaction.source = slot.map { "\($0)" } ?? "nil"
    }
    return transaction
  }
}

private struct NumberKey: TransactionKey {
  static var defaultValue: Int? { nil }
}

private struct SourceKey: TransactionKey {
  static var defaultValue: String { "unknown" }
}

private struct Opaque: Sendable {}

private struct OpaqueKey: TransactionKey {
  static var defaultValue: Opaque { Opaque() }
}

extension Transaction {
  fileprivate var source: String {
    get { self[SourceKey.self] }
    set { self[SourceKey.self] = newValue }
  }
}

extension DispatchQueue {
  /// Runs work on a thread that is not the caller's, and waits for it.
  fileprivate func syncOnAnotherThread<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) -> Result {
    nonisolated(unsafe) var result: Result?  // written before the signal, read after the wait
    let done = DispatchSemaphore(value: 0)
    async {
      result = work()
      done.signal()
    }
    done.wait()
    return result!
  }
}
