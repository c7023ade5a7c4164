// K9: algorithms that know nothing of ids, on identified arrays.

import Rondo
import RondoSeededRandomness
import Testing

private struct NumberedRow: Identifiable, Equatable, Comparable {
  let id: Int
  static func < (lhs: NumberedRow, rhs: NumberedRow) -> Bool { lhs.id < rhs.id }
}

private func sorted<C: MutableCollection & RandomAccessCollection>(_ elements: C) -> C
where C.Element: Comparable {
  var elements = elements
  elements.sort()
  return elements
}

private func swapped<C: MutableCollection>(_ elements: C) -> C where C.Index == Int {
  var elements = elements
  elements.swapAt(0, 1)
  return elements
}

private func partitioned<C: MutableCollection & BidirectionalCollection>(
  _ elements: C, by belongsInSecond: (C.Element) -> Bool
) -> C {
  var elements = elements
  _ = elements.partition(by: belongsInSecond)
  return elements
}

@Suite struct IdentifiedAlgorithmTests {
  // K9
  @Test func theDescriptionForDebuggingNamesTheElements() {
    let numbers = IdentifiedArray(uniqueElements: [1, 2], id: \.self)
    #expect(numbers.debugDescription == "IdentifiedArray<Int>([1, 2])")
  }

  // K9
  @Test func genericSorting() {
    let rows: IdentifiedArrayOf<NumberedRow> = [
      NumberedRow(id: 3), NumberedRow(id: 1), NumberedRow(id: 2),
    ]
    let result = sorted(rows)
    #expect(result.ids == [1, 2, 3])
    #expect(result[id: 3] == NumberedRow(id: 3))
    #expect(result.brokenInvariant == nil)
  }

  // K9
  @Test func genericSwapping() {
    let result = swapped(
      [NumberedRow(id: 3), NumberedRow(id: 1)] as IdentifiedArrayOf<NumberedRow>)
    #expect(result.ids == [1, 3])
    #expect(result.brokenInvariant == nil)
  }

  // K9
  @Test func genericPartitioning() {
    let rows = IdentifiedArrayOf<NumberedRow>(uniqueElements: (0..<10).map(NumberedRow.init(id:)))
    let result = partitioned(rows) { $0.id.isMultiple(of: 2) }
    #expect(result.prefix(5).allSatisfy { !$0.id.isMultiple(of: 2) })
    #expect(result.brokenInvariant == nil)
  }

  // K9
  @Test func aPartIsSortedInPlace() {
    var rows: IdentifiedArrayOf<NumberedRow> = [
      NumberedRow(id: 4), NumberedRow(id: 3), NumberedRow(id: 2), NumberedRow(id: 1),
    ]
    rows[1...].sort()
    #expect(rows.ids == [4, 1, 2, 3])
    #expect(rows.brokenInvariant == nil)
  }

  // K9
  @Test func elementsAreRemovedFromBothEnds() {
    var letters = IdentifiedArray(uniqueElements: ["a", "b", "c", "d", "e", "f"], id: \.self)
    #expect(letters.removeLast() == "f")
    #expect(letters.removeFirst() == "a")
    letters.removeLast(1)
    letters.removeFirst(1)
    #expect(letters.elements == ["c", "d"])
    #expect(letters.popLast() == "d")
    letters.removeSubrange(0...)
    #expect(letters.popLast() == nil)
    #expect(letters.brokenInvariant == nil)
  }

  // K9
  @Test func anAlgorithmThatDoublesAnIDLeavesOneElement() {
    var rows: IdentifiedArrayOf<NumberedRow> = [NumberedRow(id: 1), NumberedRow(id: 2)]
    let issues = captureIssues {
      rows.withContiguousMutableStorageIfAvailable { $0[1] = NumberedRow(id: 1) }
    }
    #expect(issues.count == 1)
    #expect(rows.ids == [1])
    #expect(rows.brokenInvariant == nil)
  }
}
