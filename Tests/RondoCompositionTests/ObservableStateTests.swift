// R7: fields are observed one by one.

import Observation
import Rondo
import Synchronization
import Testing

/// Counts how often a piece of code that reads a state is woken.
@MainActor private final class Watch {
  private let wakes = Atomic(0)
  private var seen = 0
  private let read: @MainActor () -> Void

  init(_ read: @escaping @MainActor () -> Void) {
    self.read = read
    arm()
  }

  /// The wake-ups so far. Reads again if it was woken.
  var count: Int {
    let count = wakes.load(ordering: .relaxed)
    if count > seen { arm() }
    seen = count
    return count
  }

  private func arm() {
    withObservationTracking(read) { [weak self] in self?.wakes.add(1, ordering: .relaxed) }
  }
}

@MainActor @Suite struct ObservableStateTests {
  @Test func anObserverOfOneFieldIsNotWokenByAnother() {
    let store = Store(initialState: Item.State()) { Item() }
    let watch = Watch { _ = store.count }
    store.send(.name("Blob"))
    #expect(watch.count == 0)
    store.send(.count)
    #expect(watch.count == 1)
  }

  @Test func anEqualValueWakesNobody() {
    let store = Store(initialState: Item.State()) { Item() }
    let watch = Watch { _ = (store.count, store.name) }
    store.send(.sameCount)
    store.send(.name(""))
    #expect(watch.count == 0)
  }

  @Test func anotherStateInThePlaceOfOneWakesItsObservers() {
    let store = Store(initialState: Item.State()) { Item() }
    let watch = Watch { _ = store.count }
    store.send(.replace)
    #expect(watch.count == 1)
  }

  @Test func aParentIsWokenWhenAChildComesAndGoesOnly() {
    let store = Store(initialState: ItemBox.State()) { ItemBox() }
    let watch = Watch { _ = store.item == nil }
    store.send(.open)
    #expect(watch.count == 1)
    store.send(.item(.count))
    #expect(watch.count == 1)
    store.send(.close)
    #expect(watch.count == 2)
  }

  @Test func aChildsStoreIsObservedByField() {
    let store = Store(initialState: ItemBox.State()) { ItemBox() }
    store.send(.open)
    let item = store.scope(state: \.item, action: \.item)
    let watch = Watch { _ = item?.count }
    item?.send(.name("Blob"))
    #expect(watch.count == 0)
    item?.send(.count)
    #expect(watch.count == 1)
    store.send(.item(.replace))
    #expect(watch.count == 2)
  }

  @Test func aListIsWokenByItsElementsComingAndGoingOnly() {
    let store = Store(initialState: ItemBox.State()) { ItemBox() }
    let list = Watch { _ = store.items.count }
    let row = store.scope(state: \.items, action: \.items)[0]
    let field = Watch { _ = row.count }
    store.send(.items(.element(id: 1, action: .count)))
    #expect(list.count == 0)
    #expect(field.count == 1)
    store.send(.items(.element(id: 2, action: .count)))
    #expect(field.count == 1)
    store.send(.add)
    #expect(list.count == 1)
  }

  @Test func aRowThatIsReplacedUnderItsIDWakesItsReaders() {
    let store = Store(initialState: ItemBox.State()) { ItemBox() }
    let row = store.scope(state: \.items, action: \.items)[0]
    let field = Watch { _ = row.count }
    store.send(.replaceRow(1))
    #expect(field.count == 1)
    store.send(.items(.element(id: 1, action: .replace)))
    #expect(field.count == 2)
    row.send(.count)
    #expect(field.count == 3)
  }

  @Test func aListThatIsReplacedByAnEqualOneWakesTheReadersOfItsRows() {
    let store = Store(initialState: ItemBox.State()) { ItemBox() }
    let row = store.scope(state: \.items, action: \.items)[0]
    let field = Watch { _ = row.count }
    store.send(.replaceAll)
    #expect(field.count == 1)
    row.send(.count)
    #expect(field.count == 2)
  }
}
