// R7: what views show agrees with what they observe, whatever happens.

import Observation
import Rondo
import RondoSeededRandomness
import Testing

@MainActor @Suite struct ObserveAgreementTests {
  // R7
  @Test func storesAreShownAtOnceAndEverythingElseInTheNextTurn() async {
    await forEachSeed(30) { random in
      let world = World()
      var views: [View] = []
      for step in 0..<40 {
        switch random.int(in: 0..<6) {
        case 0: views.append(View(world, &random))
        case 1 where !views.isEmpty: views.remove(at: random.int(in: 0..<views.count))
        default: world.change(&random)
        }
        for view in views where !view.readsModels {
          #expect(view.shown == view.read(), "\(random), step \(step)")
        }
        guard random.bool() else { continue }
        await nextTurn()
        for view in views {
          #expect(view.shown == view.read(), "\(random), step \(step)")
        }
      }
    }
  }
}

@MainActor @Observable private final class Model {
  var count = 0
}

/// The stores and objects that views observe, and the changes to them.
@MainActor private final class World {
  let box = Store(initialState: ItemBox.State()) { ItemBox() }
  let parent = Store(initialState: Parent.State()) { Parent() }
  let shared = Shared(value: 0)
  let model = Model()
  var hasSender = false

  /// The values that a view may read. The last two do not come from stores.
  lazy var readers: [() -> String] = [
    { [unowned self] in "\(box.scope(state: \.item, action: \.item)?.count ?? -1)" },
    { [unowned self] in "\(box.scope(state: \.items, action: \.items).map(\.count))" },
    { [unowned self] in box.item?.name ?? "none" },
    { [unowned self] in "\(Array(box.items.ids))" },
    { [unowned self] in "\(parent.scope(state: \.child, action: \.child)?.count ?? -1)" },
    { [unowned self] in "\(parent.scope(state: \.part, action: \.part).count)" },
    { [unowned self] in "\(parent.log.count)" },
    { [unowned self] in "\(shared.wrappedValue)" },
    { [unowned self] in "\(model.count)" },
  ]

  func change(_ random: inout Randomness) {
    switch random.int(in: 0..<12) {
    case 0: box.send(.open, animation: .default)
    case 1: box.send(.close)
    case 2 where box.item != nil: box.send(.item(.count))
    case 3 where box.item != nil: box.send(.item(.name("\(random.next())")))
    case 4: box.send(.items(.element(id: 1, action: .count)), animation: .default)
    case 5: box.send(.replaceRow(random.int(in: 1..<3)))
    case 6: box.send(.add)
    case 7: parent.send(.part(random.bool() ? .increment : .incrementTwice))
    case 8: parent.send(.set(random.bool() ? Child.State(id: random.int(in: 0..<9)) : nil))
    case 9 where parent.child != nil: parent.send(.child(.increment))
    case 10: shared.withLock { $0 += 1 }
    default: withAnimation { model.count += 1 }
    }
  }
}

/// A view of some values of the world. The first view also makes the count of a part even whenever
/// it runs; two such views would never agree.
@MainActor private final class View {
  let readsModels: Bool
  let read: () -> String
  private(set) var shown = ""
  private var token: ObserveToken?

  init(_ world: World, _ random: inout Randomness) {
    let picks = (1...3).map { _ in random.int(in: 0..<world.readers.count) }
    let isSending = !world.hasSender
    world.hasSender = true
    readsModels = picks.contains { $0 >= 7 }
    read = { picks.map { world.readers[$0]() }.joined(separator: ", ") }
    token = observe { [weak self] in
      guard let self else { return }
      shown = read()
      if isSending, !world.parent.part.count.isMultiple(of: 2) {
        world.parent.send(.part(.increment))
      }
    }
  }
}
