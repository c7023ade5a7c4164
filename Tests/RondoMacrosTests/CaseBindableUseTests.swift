// `@CaseBindable`, and bindings without SwiftUI.

import Observation
import Rondo
import RondoCompatibility
import Testing

@CaseBindable
private enum Status: Equatable {
  case inStock(quantity: Int)
  case outOfStock(isOnBackOrder: Bool)
  case moved(Int, to: String)
  case unknown
}

private struct Item: Equatable {
  var status = Status.inStock(quantity: 1)
  var destination: Status?
}

@MainActor @Observable
private final class Model {
  var item = Item()
  var status = Status.unknown
  var text: String? = "a"
}

@MainActor
struct CaseBindableUseTests {
  // K39
  @Test func theCasesOfABindingAreBindings() {
    @UIBinding var item = Item()
    switch $item.status {
    case .inStock(let quantity): quantity.wrappedValue += 1
    default: Issue.record("Another case.")
    }
    #expect(item.status == .inStock(quantity: 2))
    item.status = .moved(1, to: "a")
    switch $item.status {
    case .moved(let count, to: let place):
      count.wrappedValue += 1
      place.wrappedValue += "b"
    default: Issue.record("Another case.")
    }
    #expect(item.status == .moved(2, to: "ab"))
    item.status = .unknown
    guard case .unknown = $item.status else {
      Issue.record("Another case.")
      return
    }
    #expect(Status.allCasePaths.inStock.extract(from: .inStock(quantity: 3)) == 3)
  }

  // K39
  @Test func theCasesOfAPropertyAreBindings() {
    @UIBindable var model = Model()
    model.status = .outOfStock(isOnBackOrder: false)
    guard case .outOfStock(let isOnBackOrder) = $model.status else {
      Issue.record("Another case.")
      return
    }
    isOnBackOrder.wrappedValue = true
    #expect(model.status == .outOfStock(isOnBackOrder: true))
    // The last value stays, and nothing is written into another case.
    model.status = .unknown
    #expect(isOnBackOrder.wrappedValue)
    isOnBackOrder.wrappedValue = false
    #expect(model.status == .unknown)
  }

  // K39
  @Test func aBindingKeepsItsValueAndTellsOfItsChange() {
    @UIBinding var isPlaying = false
    let changes = LockIsolated(0)
    withObservationTracking {
      _ = isPlaying
    } onChange: {
      changes.withValue { $0 += 1 }
    }
    isPlaying = true
    #expect(isPlaying && changes.value == 1)
  }

  // K39
  @Test func whatIsReadAgainAndAgainComesAsASequence() async {
    let model = Model()
    var values = Perceptions { model.text }.makeAsyncIterator()
    #expect(await values.next() == .some("a"))
    model.text = "b"
    #expect(await values.next() == .some("b"))
  }

  // K39
  @Test func collectionsAreGenericOverTheirIDs() {
    struct Row: Identifiable { let id: Int }
    func replace<C: MutableIdentifiedCollection>(_ id: C.ID, _ element: C.Element, in rows: inout C)
      -> [C.ID]
    {
      rows[id: id] = element
      return Array(rows.ids)
    }
    var rows: IdentifiedArrayOf<Row> = [Row(id: 1), Row(id: 2)]
    #expect(replace(1, Row(id: 1), in: &rows) == [1, 2])
  }

  // K39
  @Test func bindingsToOptionalsAndCases() {
    @UIBindable var model = Model()
    let text = UIBinding($model.text)!
    text.wrappedValue = "b"
    #expect(model.text == "b")
    let isThere: UIBinding<Bool> = UIBinding($model.text)
    #expect(isThere.wrappedValue)
    isThere.wrappedValue = false
    #expect(model.text == nil && text.wrappedValue == "b")
    model.item.destination = .inStock(quantity: 1)
    let quantity: UIBinding<Int?> = $model.item.destination.inStock
    quantity.wrappedValue = 4
    #expect(model.item.destination == .inStock(quantity: 4))
    quantity.wrappedValue = nil
    #expect(model.item.destination == nil)
    let status: UIBinding<Status> = $model.status
    #expect(status.inStock == nil)
    status.wrappedValue = .inStock(quantity: 1)
    status.inStock?.wrappedValue = 2
    #expect(model.status == .inStock(quantity: 2))
  }
}
