// K12, K14: what is printed of values.

import Foundation
@testable import Rondo
import RondoCompatibility
import Testing

private final class Box { var name: String; init(_ name: String) { self.name = name } }

@Suite struct OriginalDumpTests {
  // K14
  @Test func datesArePrintedInFull() {
    let text = dumped(Date(timeIntervalSince1970: 1_234_567_890.5))
    #expect(text == "Date(2009-02-13T23:31:30.500Z)")
  }

  // K14
  @Test func anInstanceIsTakenApartWhereItOccursFirst() {
    struct Pair { var first: Box; var second: Box; var text: String }
    let box = Box("a")
    let long = String(repeating: "x", count: 60)
    #expect(
      dumped(Pair(first: box, second: box, text: long)) == """
        OriginalDumpTests.Pair(
          first: Box(name: "a"),
          second: Box(as above),
          text: "\(long)"
        )
        """)
  }

  // K25
  @Test func aDumpEndsAtADepth() {
    struct Outer { var inner = Inner() }
    struct Inner { var numbers = [1, 2] }
    #expect(dumped(Outer(), maxDepth: 0) == "OriginalDumpTests.Outer(…)")
    #expect(
      dumped(Outer(), maxDepth: 1) == "OriginalDumpTests.Outer(inner: OriginalDumpTests.Inner(…))")
    #expect(dumped([1], indent: 2) == "  [1]")
  }
}

@Suite struct PrintChangesTests {
  private struct Feature: Reducer {
    struct State { @Shared(value: 1) var count }
    func reduce(into state: inout State, action: Int) -> Effect<Int> {
      state.$count.withLock { $0 = action }
      return .none
    }
  }

  private struct DeepFeature: Reducer {
    indirect enum State {
      case leaf(Int)
      case node(Self)
    }
    func reduce(into state: inout State, action: Int) -> Effect<Int> {
      state = (0..<10_000).reduce(.leaf(action)) { state, _ in .node(state) }
      return .none
    }
  }

  // H24
  @Test func whatIsTooDeepToBePrintedIsSaid() {
    let printed = LockIsolated<[String]>([])
    let printer = _ReducerPrinter<DeepFeature.State, Int>.customDump { text in
      printed.withValue { $0.append(text) }
    }
    let reducer = DeepFeature()._printChanges(printer)
    var state = DeepFeature.State.leaf(0)
    _ = reducer.reduce(into: &state, action: 1)
    _ = reducer.reduce(into: &state, action: 2)
    #expect(printed.value.first?.contains("… (more than 128 levels deep)") == true)
    #expect(printed.value.last == "received action:\n  2\n  (no changes in 128 levels of state)")
  }

  // K12
  @Test func aChangeOfASharedValueIsPrinted() {
    let printed = LockIsolated<[String]>([])
    let printer = _ReducerPrinter<Feature.State, Int>.customDump { line in
      printed.withValue { $0.append(line) }
    }
    let reducer = Feature()._printChanges(printer)
    var state = Feature.State()
    _ = reducer.reduce(into: &state, action: 2)
    #expect(
      printed.value == [
        """
        received action:
          2
        - PrintChangesTests.Feature.State(count: 1)
        + PrintChangesTests.Feature.State(count: 2)
        """
      ])
  }

  // K38
  @Test func aPrinterComparesSharedValues() {
    let printed = LockIsolated<[Bool]>([])
    let printer = _ReducerPrinter<Feature.State, Int> { _, oldState, newState in
      printed.withValue { $0.append(oldState.$count == newState.$count) }
    }
    let reducer = Feature()._printChanges(printer)
    var state = Feature.State()
    _ = reducer.reduce(into: &state, action: 2)
    _ = reducer.reduce(into: &state, action: 2)
    #expect(printed.value == [false, true])
    #expect(state.count == 2)
  }

  // K38
  @Test func aTrackerSeesWhatAPrintedReducerChanges() {
    let tracker = SharedChangeTracker()
    var state = Feature.State()
    let printer = _ReducerPrinter<Feature.State, Int> { _, _, _ in }
    tracker.track { _ = Feature()._printChanges(printer).reduce(into: &state, action: 2) }
    #expect(tracker.hasChanges)
    tracker.assert { state.$count.withLock { $0 = 2 } }
    #expect(!tracker.hasChanges)
  }
}
