// The record that a test keeps of shared values: how each action has changed them.
//
// A state holds a reference to a shared value, so the state before an action and the state after it
// show the same value. The old values are kept beside the states: a ledger notes the value that a
// reference had before its first change since the last action. An assertion then looks at both
// states through a comparison, which gives each side its own values.

import Foundation
import RondoAnimation
import Synchronization

/// The shared values that have changed since the last action that a machine has recorded.
package final class SharedLedger: Sendable {
  private let state = Mutex<[ObjectIdentifier: SharedChange]>([:])
  /// A ledger that notes the same changes.
  private let outer: SharedLedger?

  package init(outer: SharedLedger? = nil) {
    self.outer = outer
  }

  /// Notes the value of a reference before a change, unless an earlier value is already noted.
  func willChange(_ root: any SharedRoot, from value: @autoclosure () -> Any) {
    HiddenMemory.noteUse()
    outer?.willChange(root, from: value())
    state.withLock { changes in
      let id = ObjectIdentifier(root)
      guard changes[id] == nil else { return }
      changes[id] = SharedChange(root: root, before: value(), after: nil)
    }
  }

  /// Returns the changes since the last call, each with its present value, and forgets them.
  package func takeChanges() -> [SharedChange] {
    let changes = state.withLock { changes in
      defer { if !changes.isEmpty { changes = [:] } }
      return changes
    }
    guard !changes.isEmpty else { return [] }
    return changes.values
      .map { SharedChange(root: $0.root, before: $0.before, after: $0.root.anyValue) }
      .sorted { $0.name < $1.name }
  }

  /// Puts changes back that were taken, so that the next call of ``takeChanges()`` returns them
  /// again.
  package func putBack(_ changes: [SharedChange]) {
    // The changes that came meanwhile are released outside of the lock: the end of a value may change
    // another one.
    let replaced = state.withLock { state in
      changes.map { change in
        let change = SharedChange(root: change.root, before: change.before, after: nil)
        return state.updateValue(change, forKey: change.id)
      }
    }
    withExtendedLifetime(replaced) {}
  }
}

/// A change of a shared value.
package struct SharedChange: @unchecked Sendable {
  // @unchecked: values are only read, by the test that the change belongs to.
  let root: any SharedRoot
  package let before: Any
  let after: Any?

  package var id: ObjectIdentifier { ObjectIdentifier(root) }
  package var name: String { root.name }
  package var value: Any { after ?? before }
  package var description: String { root.keyedName }
  package var isChange: Bool { !root.areEqual(before, value) }
  package var isComparable: Bool { before is any Equatable }

  package func areEqual(_ lhs: Any, _ rhs: Any) -> Bool { root.areEqual(lhs, rhs) }
}

/// The values that two compared states show for shared values. In force on one thread.
package final class SharedComparison {
  /// The two states of a comparison; one of them is looked at.
  package enum Side { case expected, actual }

  package private(set) var expected: [ObjectIdentifier: Any] = [:]
  package private(set) var actual: [ObjectIdentifier: Any] = [:]
  /// The values that have been set.
  package private(set) var mentioned: Set<ObjectIdentifier> = []
  /// The values that have been looked up.
  package private(set) var read: Set<ObjectIdentifier> = []
  /// The values that have been compared.
  private var compared: Set<ObjectIdentifier> = []
  private var roots: [any SharedRoot] = []
  private var side = Side.expected

  package init() {}

  /// Begins a comparison; the one before is forgotten.
  package func begin(expected: [ObjectIdentifier: Any], actual: [ObjectIdentifier: Any]) {
    self.expected = expected
    self.actual = actual
    mentioned = []
    read = []
    compared = []
    roots = []
  }

  private static var running: ThreadLocalObject<SharedComparison> {
    ThreadLocalObject(\.sharedComparison)
  }

  static var current: SharedComparison? { running.current }

  /// Runs a body that sees, and sets, the expected values.
  package func whileInForce<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.running.with(self, body)
  }

  /// Runs a body that sees the values of one of the states, if two are compared.
  package static func on<Result>(_ side: Side, _ body: () throws -> Result) rethrows -> Result {
    guard let current else { return try body() }
    let outer = current.side
    current.side = side
    defer { current.side = outer }
    return try body()
  }

  func value(of root: any SharedRoot) -> Any? {
    read.insert(ObjectIdentifier(root))
    return (side == .expected ? expected : actual)[ObjectIdentifier(root)]
  }

  func expect(_ value: Any, of root: any SharedRoot) {
    expected[ObjectIdentifier(root)] = value
    if mentioned.insert(ObjectIdentifier(root)).inserted { roots.append(root) }
  }

  /// Notes that a value has been compared.
  func noteComparison(of root: any SharedRoot) {
    compared.insert(ObjectIdentifier(root))
  }

  /// Whether a change has been looked at: its value has been set or compared.
  package func isAsserted(_ change: SharedChange) -> Bool {
    mentioned.contains(change.id) || compared.contains(change.id)
  }

  /// The values that have been set but are not among some changes, with the values that they have.
  package func mentioned(besides changes: [SharedChange]) -> [SharedChange] {
    let changed = Set(changes.map(\.id))
    return roots.filter { !changed.contains(ObjectIdentifier($0)) }.map { root in
      let value = actual[ObjectIdentifier(root)] ?? root.anyValue
      return SharedChange(root: root, before: value, after: value)
    }
  }
}

extension DependencyValues {
  /// The ledger that notes the changes of shared values by a feature under test.
  package var sharedLedger: SharedLedger? {
    get { self[SharedLedgerKey.self].ledger }
    set { self[SharedLedgerKey.self] = SharedLedgerKey.Value(ledger: newValue) }
  }
}

private enum SharedLedgerKey: DependencyKey {
  struct Value: Sendable { var ledger: SharedLedger? }
  static var liveValue: Value { Value() }
  static var testValue: Value { Value() }
}

/// The number of changes of shared values that this thread has made.
enum SharedMutations {
  private static var ofThread: ThreadLocal<UInt> { ThreadLocal(\.sharedMutations) }

  static var count: UInt { ofThread.current }

  static func note() {
    ofThread.current &+= 1
  }
}
