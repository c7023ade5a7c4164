import ComposableArchitecture
import Coordinators
import Shop
import Testing

@MainActor
struct CoordinatorsTests {
  // K36
  @Test func screensInAnArray() async {
    let clock = TestClock()
    let store = TestStore(initialState: Shop.State()) {
      Shop()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(\.router.routeAction, (id: 0, action: .listing(.selected("Tea")))) {
      $0.routes.append(.push(.product(Product.State(name: "Tea"))))
    }
    await store.send(.router(.routeAction(id: 1, action: .product(.appeared))))
    await clock.advance(by: .seconds(1))
    await store.receive(\.router.routeAction) {
      $0.routes[1].screen = .product(Product.State(name: "Tea", price: 3))
    }
    await store.send(.router(.routeAction(id: 1, action: .product(.appeared))))
    // The effect of the screen ends with it.
    await store.send(.router(.routeAction(id: 1, action: .product(.closed)))) {
      $0.routes.removeLast()
    }
    await store.send(.router(.updateRoutes([]))) { $0.routes = [] }
  }

  // K36
  @Test func screensWithIDs() async {
    let store = TestStore(initialState: Wizard.State()) { Wizard() }
    await store.send(.next) { $0.routes = [.push(Wizard.Page.State(id: 0))] }
    await store.send(.router(.routeAction(.element(id: 0, action: .typed("Hello"))))) {
      $0.routes[id: 0]?.screen.text = "Hello"
    }
    await store.send(\.router.updateRoutes, []) { $0.routes = [] }
  }

  // K36
  @Test func namesOfCasesAsValues() {
    let optional: CaseKeyPath<Shop.Action, [Route<Screen.State>]?> = \.router.updateRoutes
    #expect(AnyCasePath(optional).extract(from: .router(.updateRoutes([]))) == .some([]))
    #expect(
      AnyCasePath(optional).extract(from: .router(.routeAction(id: 0, action: .product(.closed))))
        == nil)

    let pages: CaseKeyPath<Wizard.Action, IdentifiedRouterActionOf<Wizard.Page>> = \.router
    #expect(pages(.updateRoutes([])) == .router(.updateRoutes([])))

    let routes = ActionFilter<Wizard.Action>(\.next, \.router.updateRoutes)
    #expect(routes.contains(.next))
    #expect(routes.contains(.router(.updateRoutes([]))))
    #expect(!routes.contains(.router(.routeAction(.element(id: 0, action: .typed(""))))))
  }
}

extension Product.State {
  init(name: String, price: Int) {
    self.init(name: name)
    self.price = price
  }
}
