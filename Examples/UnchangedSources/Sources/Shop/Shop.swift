import ComposableArchitecture
import Coordinators

// An application of the library.

@Reducer
public struct Listing {
  @ObservableState
  public struct State: Equatable {
    public var names: [String]
    public init(names: [String]) { self.names = names }
  }
  public enum Action: Equatable { case selected(String) }
  public init() {}
  public var body: some ReducerOf<Self> { EmptyReducer() }
}

@Reducer
public struct Product {
  @ObservableState
  public struct State: Equatable {
    public let name: String
    public var price: Int?
    public init(name: String) { self.name = name }
  }
  public enum Action: Equatable { case appeared, priced(Int), closed }
  @Dependency(\.continuousClock) var clock
  public init() {}
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .appeared:
        return .run { [clock, name = state.name] send in
          try await clock.sleep(for: .seconds(1))
          await send(.priced(name.count))
        }
      case .priced(let price):
        state.price = price
        return .none
      case .closed:
        return .none
      }
    }
  }
}

@Reducer
public enum Screen {
  case listing(Listing)
  case product(Product)
}
extension Screen.State: Equatable {}
extension Screen.Action: Equatable {}

@Reducer
public struct Shop {
  @ObservableState
  public struct State: Equatable {
    public var routes: [Route<Screen.State>]
    public init() { routes = [.root(.listing(Listing.State(names: ["Tea", "Coffee"])))] }
  }
  public enum Action: Equatable {
    case router(IndexedRouterActionOf<Screen>)
  }
  enum CancelID { case shop }
  public init() {}
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .router(.routeAction(_, .listing(.selected(let name)))):
        state.routes.push(.product(Product.State(name: name)))
      case .router(.routeAction(_, .product(.closed))):
        state.routes.removeLast()
      default:
        break
      }
      return .none
    }
    .forEachRoute(\.routes, action: \.router, cancellationId: CancelID.shop) { Screen.body }
  }
}

@Reducer
public struct Wizard {
  @ObservableState
  public struct State: Equatable {
    public var routes: IdentifiedArrayOf<Route<Page.State>> = []
    public init() {}
  }
  public enum Action: Equatable {
    case router(IdentifiedRouterActionOf<Page>)
    case next
  }

  @Reducer
  public struct Page {
    @ObservableState
    public struct State: Equatable, Identifiable {
      public let id: Int
      public var text = ""
      public init(id: Int, text: String = "") {
        self.id = id
        self.text = text
      }
    }
    public enum Action: Equatable { case typed(String) }
    public init() {}
    public var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .typed(let text):
          state.text = text
          return .none
        }
      }
    }
  }

  public init() {}
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .next = action { state.routes.push(Page.State(id: state.routes.count)) }
      return .none
    }
    .forEachRoute(\.routes, action: \.router) { Page() }
  }
}
