import ComposableArchitecture

// A library over reducers: screens in an array, each shown in its own way. It knows neither the screens nor
// the actions of those who use it.

public enum Route<Screen> {
  case root(Screen)
  case push(Screen)
  case sheet(Screen)

  public var screen: Screen {
    get {
      switch self {
      case .root(let screen), .push(let screen), .sheet(let screen): return screen
      }
    }
    set {
      switch self {
      case .root: self = .root(newValue)
      case .push: self = .push(newValue)
      case .sheet: self = .sheet(newValue)
      }
    }
  }
}

extension Route: Equatable where Screen: Equatable {}
extension Route: Sendable where Screen: Sendable {}
extension Route: Identifiable where Screen: Identifiable {
  public var id: Screen.ID { screen.id }
}

@CasePathable
public enum IndexedRouterAction<Screen, ScreenAction> {
  case updateRoutes([Route<Screen>])
  case routeAction(id: Int, action: ScreenAction)
}

@CasePathable
public enum IdentifiedRouterAction<Screen, ScreenAction>
where Screen: Identifiable, Screen.ID: Sendable {
  case updateRoutes(IdentifiedArrayOf<Route<Screen>>)
  case routeAction(IdentifiedAction<Screen.ID, ScreenAction>)
}

extension IndexedRouterAction: Equatable where Screen: Equatable, ScreenAction: Equatable {}
extension IdentifiedRouterAction: Equatable where Screen: Equatable, ScreenAction: Equatable {}

public typealias IndexedRouterActionOf<R: Reducer> = IndexedRouterAction<R.State, R.Action>
public typealias IdentifiedRouterActionOf<R: Reducer> = IdentifiedRouterAction<R.State, R.Action>
where R.State: Identifiable, R.State.ID: Sendable

extension RangeReplaceableCollection {
  public mutating func push<Screen>(_ screen: Screen) where Element == Route<Screen> {
    append(.push(screen))
  }

  public mutating func presentSheet<Screen>(_ screen: Screen) where Element == Route<Screen> {
    append(.sheet(screen))
  }
}
