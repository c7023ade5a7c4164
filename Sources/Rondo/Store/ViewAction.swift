// The actions of a feature that its view sends.

/// The actions of a feature, with a case of its own for the actions that the view sends.
///
/// ```swift
/// enum Action: ViewAction {
///   case loaded([Item])
///   case view(View)
///
///   enum View { case refreshTapped }
/// }
/// ```
///
/// A view that sends through ``ViewActionSending`` cannot send the others.
public protocol ViewAction<ViewAction> {
  /// The actions that the view sends.
  associatedtype ViewAction

  /// The case of the view's actions.
  static func view(_ action: ViewAction) -> Self
}

/// A view of a feature that sends the view's actions, and no others.
///
/// The `@ViewAction(for:)` macro writes the conformance.
@MainActor
public protocol ViewActionSending<StoreState, StoreAction> {
  /// The state of the store that the view sends to.
  associatedtype StoreState
  /// The action of the store that the view sends to.
  associatedtype StoreAction: ViewAction

  /// The store of the feature.
  var store: Store<StoreState, StoreAction> { get }
}

extension ViewActionSending {
  /// Sends an action of the view.
  ///
  /// - Returns: A handle for everything that the action starts.
  @discardableResult
  public func send(_ action: StoreAction.ViewAction) -> StoreTask {
    store.send(.view(action))
  }

  /// Sends an action of the view whose change of state is to be shown with an animation.
  @discardableResult
  public func send(_ action: StoreAction.ViewAction, animation: Animation?) -> StoreTask {
    store.send(.view(action), animation: animation)
  }

  /// Sends an action of the view inside a transaction.
  @discardableResult
  public func send(
    _ action: StoreAction.ViewAction, transaction: Transaction
  ) -> StoreTask {
    store.send(.view(action), transaction: transaction)
  }
}
