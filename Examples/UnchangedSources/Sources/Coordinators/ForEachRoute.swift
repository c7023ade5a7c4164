import ComposableArchitecture

extension Reducer {
  /// Runs the reducer of screens in an array, which are known by their places.
  public func forEachRoute<
    ScreenState, ScreenAction, Screen: Reducer<ScreenState, ScreenAction>
  >(
    _ routes: WritableKeyPath<State, [Route<ScreenState>]>,
    action: CaseKeyPath<Action, IndexedRouterAction<ScreenState, ScreenAction>>,
    cancellationId: (some Hashable & Sendable)?,
    @ReducerBuilder<ScreenState, ScreenAction> screen: () -> Screen
  ) -> some ReducerOf<Self> {
    CombineReducers {
      ForEachIndex(
        parent: self,
        elements: routes,
        action: AnyCasePath(action.appending(path: \.routeAction)),
        element: OnRoute(screen: screen()),
        cancellationId: cancellationId
      )
      UpdateRoutes(routes: routes, action: action.appending(path: \.updateRoutes))
    }
  }

  /// Runs the reducer of screens that have ids.
  public func forEachRoute<
    ScreenState: Identifiable, ScreenAction, Screen: Reducer<ScreenState, ScreenAction>
  >(
    _ routes: WritableKeyPath<State, IdentifiedArrayOf<Route<ScreenState>>>,
    action: CaseKeyPath<Action, IdentifiedRouterAction<ScreenState, ScreenAction>>,
    @ReducerBuilder<ScreenState, ScreenAction> screen: () -> Screen
  ) -> some ReducerOf<Self> where ScreenState.ID: Sendable {
    CombineReducers {
      UpdateRoutes(routes: routes, action: action.appending(path: \.updateRoutes))
      self.forEach(routes, action: action.appending(path: \.routeAction)) {
        OnRoute(screen: screen())
      }
    }
  }
}

/// A screen, as a part of its route.
struct OnRoute<Screen: Reducer>: Reducer {
  typealias State = Route<Screen.State>
  typealias Action = Screen.Action

  let screen: Screen

  var body: some ReducerOf<Self> {
    Scope(state: \.screen, action: \.self) { screen }
  }
}

/// Replaces the routes when they change as a whole.
struct UpdateRoutes<State, Action, Routes>: Reducer {
  let routes: WritableKeyPath<State, Routes>
  let action: CaseKeyPath<Action, Routes>

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard let routes = AnyCasePath(self.action).extract(from: action) else { return .none }
    state[keyPath: self.routes] = routes
    return .none
  }
}

/// The elements of an array, by their places. Effects of those that are gone are cancelled.
struct ForEachIndex<Parent: Reducer, Element: Reducer, CancellationID: Hashable & Sendable>: Reducer
{
  struct ID: Hashable, Sendable {
    let coordinator: CancellationID
    let index: Int
  }

  let parent: Parent
  let elements: WritableKeyPath<Parent.State, [Element.State]>
  let action: AnyCasePath<Parent.Action, (id: Int, action: Element.Action)>
  let element: Element
  let cancellationId: CancellationID?

  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    let elementEffect = reduceElement(into: &state, action: action)
    let before = state[keyPath: elements].indices
    let parentEffect = parent.reduce(into: &state, action: action)
    let after = state[keyPath: elements].indices
    guard let cancellationId, before.count > after.count else {
      return .merge(elementEffect, parentEffect)
    }
    let cancellations: [Effect<Parent.Action>] = before.dropFirst(after.count).map {
      .cancel(id: ID(coordinator: cancellationId, index: $0))
    }
    return .merge([elementEffect, parentEffect] + cancellations)
  }

  private func reduceElement(
    into state: inout Parent.State, action: Parent.Action
  ) -> Effect<Parent.Action> {
    guard let (index, elementAction) = self.action.extract(from: action) else { return .none }
    guard state[keyPath: elements].indices.contains(index) else {
      reportIssue("An action came for the screen at \(index), which is not there.")
      return .none
    }
    let effect =
      element
      .reduce(into: &state[keyPath: elements][index], action: elementAction)
      .map { [toElement = self.action] in toElement.embed((index, $0)) }
    guard let cancellationId else { return effect }
    return effect.cancellable(id: ID(coordinator: cancellationId, index: index))
  }
}

/// Which of the cases of an action are of interest, as values.
public struct ActionFilter<Action: CasePathable> {
  private let paths: [PartialCaseKeyPath<Action>]

  public init(_ paths: PartialCaseKeyPath<Action>...) {
    self.paths = paths
  }

  public func contains(_ action: Action) -> Bool {
    paths.contains { action.is($0) }
  }
}

public func filter<Action>(_ path: PartialCaseKeyPath<Action>) -> ActionFilter<Action> {
  ActionFilter(path)
}
