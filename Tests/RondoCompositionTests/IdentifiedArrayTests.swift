// C9: arrays whose elements are found by an id.

import RondoSeededRandomness
import Foundation
import Rondo
import Testing

struct Row: Identifiable, Hashable, Codable, Comparable {
  var id: Int
  var text = ""

  static func < (lhs: Row, rhs: Row) -> Bool { lhs.text < rhs.text }
}

/// Counts how often a buffer is copied: a class behind a value that copies it when it is shared.
private struct Buffer {
  final class Storage {}
  var storage = Storage()
  var copies = 0

  mutating func write() {
    guard !isKnownUniquelyReferenced(&storage) else { return }
    storage = Storage()
    copies += 1
  }
}

private struct Holder: Identifiable {
  let id: Int
  var buffer = Buffer()
}

@Suite struct IdentifiedArrayTests {
  @Test func elementsAreFoundByIDAndPosition() {
    let rows: IdentifiedArrayOf<Row> = [Row(id: 3, text: "c"), Row(id: 1, text: "a")]
    #expect(rows[id: 1]?.text == "a")
    #expect(rows[id: 2] == nil)
    #expect(rows[0].id == 3)
    #expect(rows.index(id: 1) == 1)
    #expect(rows.ids == [3, 1])
    #expect(Array(rows.ids) == [3, 1])
    #expect(rows.ids.contains(3))
  }

  @Test func aTakenIDIsLeftOut() {
    var rows: IdentifiedArrayOf<Row> = [Row(id: 1, text: "a")]
    #expect(rows.append(Row(id: 1, text: "b")) == (false, 0))
    #expect(rows.insert(Row(id: 2), at: 0) == (true, 0))
    #expect(rows.elements == [Row(id: 2), Row(id: 1, text: "a")])
    #expect(rows.brokenInvariant == nil)
  }

  @Test func updatingReplacesInItsPlace() {
    var rows: IdentifiedArrayOf<Row> = [Row(id: 1, text: "a"), Row(id: 2)]
    #expect(rows.updateOrAppend(Row(id: 1, text: "b")) == Row(id: 1, text: "a"))
    #expect(rows.updateOrAppend(Row(id: 3)) == nil)
    #expect(rows.map(\.id) == [1, 2, 3])
    #expect(rows.brokenInvariant == nil)
  }

  @Test func writingNilRemoves() {
    for id in 1...3 {
      var rows: IdentifiedArrayOf<Row> = [Row(id: 1), Row(id: 2), Row(id: 3)]
      rows[id: id] = nil
      #expect(rows.map(\.id) == [1, 2, 3].filter { $0 != id })
      #expect(rows.brokenInvariant == nil)
    }
  }

  @Test func writingUnderAnotherIDIsReportedAndLeftOut() {
    var rows: IdentifiedArrayOf<Row> = [Row(id: 1)]
    let issues = captureIssues { rows[id: 2] = Row(id: 3) }
    #expect(issues.count == 1)
    #expect(rows.elements == [Row(id: 1)])
  }

  @Test func anIDThatChangesInPlaceIsFollowed() {
    var rows: IdentifiedArrayOf<Row> = [Row(id: 1), Row(id: 2)]
    rows[0].id = 7
    #expect(rows[id: 7] != nil && rows[id: 1] == nil)
    rows[id: 7]?.id = 8
    #expect(rows[id: 8] != nil && rows[id: 7] == nil)
    #expect(rows.brokenInvariant == nil)
  }

  @Test func anIDThatIsTakenInPlaceIsReported() {
    var rows: IdentifiedArrayOf<Row> = [Row(id: 1), Row(id: 2), Row(id: 3)]
    let issues = captureIssues { rows[2].id = 1 }
    #expect(issues.count == 1)
    #expect(rows.map(\.id) == [2, 1])
    #expect(rows.brokenInvariant == nil)
  }

  // F4
  @Test func duplicatesAreReportedWhereTheArrayIsMade() {
    let rows = [Row(id: 1), Row(id: 1)]
    let line = #line as UInt
    let issues = captureIssues {
      _ = IdentifiedArrayOf<Row>(uniqueElements: rows)
      _ = IdentifiedArrayOf<Row>(uncheckedUniqueElements: rows)
      _ = IdentifiedArray(uniqueElements: rows, id: \.id)
      _ = IdentifiedArray(uncheckedUniqueElements: rows, id: \.id)
    }
    #expect(issues.map(\.position.line) == (2...5).map { line + $0 })
    #expect(issues.allSatisfy { "\($0.position.fileID)" == #fileID })
    #expect(issues.allSatisfy { $0.message.contains("array of Row") })
  }

  @Test func duplicatesInALiteralAreReported() {
    let issues = captureIssues {
      let rows: IdentifiedArrayOf<Row> = [Row(id: 1, text: "a"), Row(id: 1, text: "b")]
      #expect(rows.elements == [Row(id: 1, text: "a")])
    }
    #expect(issues.count == 1)
  }

  @Test func anElementIsChangedInPlaceWithoutCopies() {
    var holders = IdentifiedArrayOf<Holder>(uniqueElements: (0..<10).map { Holder(id: $0) })
    holders[id: 4]?.buffer.write()
    holders[4].buffer.write()
    holders[id: 9]?.buffer.write()
    #expect(holders.allSatisfy { $0.buffer.copies == 0 })
  }

  @Test func encodedAsAnArray() throws {
    let rows: IdentifiedArrayOf<Row> = [Row(id: 2, text: "b"), Row(id: 1, text: "a")]
    let data = try JSONEncoder().encode(rows)
    #expect(try JSONDecoder().decode([Row].self, from: data) == rows.elements)
    #expect(try JSONDecoder().decode(IdentifiedArrayOf<Row>.self, from: data) == rows)
  }

  @Test func decodingDuplicatesThrows() throws {
    let data = try JSONEncoder().encode([Row(id: 1), Row(id: 1)])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(IdentifiedArrayOf<Row>.self, from: data)
    }
  }

  @Test func elementsIdentifiedByAProperty() {
    var words = IdentifiedArray(uniqueElements: ["a", "bb"], id: \.count)
    words.append("cc")
    #expect(words.elements == ["a", "bb"])
    words = IdentifiedArray(["a", "bb", "cc"], id: \.count) { $0 + "," + $1 }
    #expect(words.brokenInvariant == nil)
  }

  @Test func anErrorInACopyingOperationLeavesTheIndexRight() {
    struct Stop: Error {}
    var rows = IdentifiedArrayOf<Row>(uniqueElements: (0..<9).map { Row(id: $0) })
    try? rows.removeAll { if $0.id == 6 { throw Stop() } else { return $0.id.isMultiple(of: 2) } }
    #expect(rows.brokenInvariant == nil)
  }

  /// Random programs, run on an identified array and on an array that is searched.
  @Test(arguments: Randomness.seeds(30))
  func agreesWithASearchedArray(seed: UInt64) {
    var random = Randomness(seed: seed)
    var rows: IdentifiedArrayOf<Row> = []
    var model: [Row] = []
    for step in 0..<200 {
      let row = Row(id: Int.random(in: 0..<20, using: &random), text: "\(step)")
      let found = model.firstIndex { $0.id == row.id }
      let place = Int.random(in: 0...model.count, using: &random)
      switch Int.random(in: 0..<14, using: &random) {
      case 0...3:
        rows.append(row)
        if found == nil { model.append(row) }
      case 4:
        rows.insert(row, at: place)
        if found == nil { model.insert(row, at: place) }
      case 5:
        rows.updateOrAppend(row)
        if let found { model[found] = row } else { model.append(row) }
      case 6:
        rows.remove(id: row.id)
        if let found { model.remove(at: found) }
      case 7:
        rows[id: row.id] = row
        if let found { model[found] = row } else { model.append(row) }
      case 8:
        rows[id: row.id]?.text += "!"
        if let found { model[found].text += "!" }
      case 9:
        let offsets = IndexSet(model.indices.filter { _ in Bool.random(using: &random) })
        rows.move(fromOffsets: offsets, toOffset: place)
        let moved = offsets.map { model[$0] }
        let front = model.indices.filter { $0 < place && !offsets.contains($0) }.map { model[$0] }
        let back = model.indices.filter { $0 >= place && !offsets.contains($0) }.map { model[$0] }
        model = front + moved + back
      case 10:
        rows.sort { $0.id < $1.id }
        model.sort { $0.id < $1.id }
      case 11:
        rows.removeAll { $0.id % 5 == row.id % 5 }
        model.removeAll { $0.id % 5 == row.id % 5 }
      case 12:
        let range = place..<Int.random(in: place...model.count, using: &random)
        let rest = Set((model[..<range.lowerBound] + model[range.upperBound...]).map(\.id))
        rows.replaceSubrange(range, with: [row])
        model.replaceSubrange(range, with: rest.contains(row.id) ? [] : [row])
      default:
        rows[id: row.id] = nil
        if let found { model.remove(at: found) }
      }
      #expect(rows.elements == model, "seed \(seed), step \(step)")
      #expect(rows.brokenInvariant == nil, "seed \(seed), step \(step)")
    }
  }
}
