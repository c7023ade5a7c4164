import ComposableArchitecture
import Of2023
import OrderedCollections
import XCTest

@MainActor
final class BasketTests: XCTestCase {
  // K35
  func testCheckingOut() async {
    let store = TestStore(initialState: Basket.State(), reducer: Basket()) {
      $0.continuousClock = ImmediateClock()
      $0.prices.price = { $0 == "Tea" ? 3 : 5 }
    }
    await store.send(.add("Tea")) {
      $0.amounts = ["Tea": 1]
      $0.seen = ["Tea"]
    }
    await store.send(.add("Milk")) {
      $0.amounts = ["Tea": 1, "Milk": 1]
      $0.seen = ["Tea", "Milk"]
    }
    await store.send(.add("Tea")) { $0.amounts["Tea"] = 2 }
    await store.send(.remove("Milk")) { $0.amounts = ["Tea": 2] }
    await store.send(.checkOut)
    await store.receive(.checkedOut(.success(6))) { $0.total = 6 }

    await store.send(.couponButtonTapped) { $0.coupon = Basket.Coupon.State() }
    await store.send(.coupon(.presented(.set(\.$code, "HALF")))) { $0.coupon?.code = "HALF" }
    await store.send(.coupon(.presented(.redeemButtonTapped)))
    await store.receive(.coupon(.presented(.delegate(.redeemed)))) {
      $0.coupon = nil
      $0.total = 3
    }
  }

  // K35
  func testAStack() async {
    let store = TestStore(initialState: Basket.State(), reducer: Basket())
    await store.send(.path(.push(id: 0, state: Basket.Detail.State(name: "Tea")))) {
      $0.path[id: 0] = Basket.Detail.State(name: "Tea")
    }
    await store.send(.path(.element(id: 0, action: .closeButtonTapped)))
    await store.receive(.path(.popFrom(id: 0))) { $0.path = StackState() }
    await store.send(.set(\.$note, "Quick!")) { $0.note = "Quick!" }
  }

  // K35
  func testOrderedCollections() throws {
    var dictionary: OrderedDictionary = ["b": 2, "a": 1]
    XCTAssertEqual(Array(dictionary.keys), ["b", "a"])
    dictionary["c", default: 0] += 3
    dictionary["b"] = nil
    XCTAssertEqual(dictionary.values, [1, 3])
    dictionary.sort { $0.key > $1.key }
    XCTAssertEqual(dictionary.map(\.key), ["c", "a"])
    XCTAssertEqual(dictionary.mapValues { $0 * 2 }["c"], 6)
    let data = try JSONEncoder().encode(dictionary)
    XCTAssertEqual(
      try JSONDecoder().decode(OrderedDictionary<String, Int>.self, from: data), dictionary)
    XCTAssertEqual(OrderedDictionary(grouping: [1, 2, 3], by: { $0 % 2 }), [1: [1, 3], 0: [2]])

    var set: OrderedSet = [3, 1, 3, 2]
    XCTAssertEqual(Array(set), [3, 1, 2])
    XCTAssertFalse(set.append(1).inserted)
    set.remove(3)
    set.insert(9, at: 0)
    XCTAssertEqual(set.firstIndex(of: 2), 2)
    set.sort()
    XCTAssertEqual(set, [1, 2, 9])
    XCTAssertEqual(set.intersection([9, 1]), [1, 9])
    XCTAssertEqual(set.union([4]), [1, 2, 9, 4])
    XCTAssertEqual(set.subtracting([2]), [1, 9])
  }
}
