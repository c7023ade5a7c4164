// Buttons that a state may hold.

import RondoAnimation

/// A button of an alert or a dialog.
public struct ButtonState<Action>: Identifiable {
  public let id = ButtonStateID()
  /// The action to send when the button is pressed, with its transaction.
  public let action: ButtonStateAction<Action>
  /// The text of the button.
  public let label: TextState
  /// The purpose of the button, if it has a special one.
  public let role: ButtonStateRole?

  /// A button that does something, or only closes the alert or dialog that it is in.
  public init(
    role: ButtonStateRole? = nil,
    action: ButtonStateAction<Action> = .send(nil),
    label: () -> TextState
  ) {
    self.role = role
    self.action = action
    self.label = label()
  }

  /// A button that sends an action.
  public init(role: ButtonStateRole? = nil, action: Action, label: () -> TextState) {
    self.init(role: role, action: .send(action), label: label)
  }

  /// The button with its action turned into an action of another type.
  public func map<NewAction>(_ transform: (Action?) -> NewAction?) -> ButtonState<NewAction> {
    ButtonState<NewAction>(role: role, action: action.map(transform), label: { label })
  }

  /// Calls a closure with the button's action, inside the button's transaction, so that it can be
  /// sent.
  public func withAction<Result>(_ perform: (Action?) -> Result) -> Result {
    withTransaction(action.transaction) { perform(action.action) }
  }

  /// Calls an asynchronous closure with the button's action. A transaction is around synchronous code
  /// only: the closure sends with `action.transaction`.
  public nonisolated(nonsending) func withAction<Result>(
    _ perform: nonisolated(nonsending) (Action?) async -> Result
  ) async -> Result {
    await perform(action.action)
  }
}

/// The identity of a button, an alert or a dialog. It tells equal ones apart; `==` does not look at
/// it.
public struct ButtonStateID: Hashable, Sendable {
  private let stamp = Stamp()

  init() {}
}

/// The special purposes of buttons.
public enum ButtonStateRole: Hashable, Sendable, Codable {
  /// The button leaves everything as it is.
  case cancel
  /// The button destroys something.
  case destructive
}

/// The action to send when a button is pressed, with its transaction.
public struct ButtonStateAction<Action> {
  /// The action to send; `nil` only closes the alert or dialog that the button is in.
  public let action: Action?
  /// The transaction in which the action is sent.
  public let transaction: Transaction

  /// Sends an action; `nil` only closes the alert or dialog that the button is in.
  public static func send(_ action: Action?) -> Self {
    Self(action: action, transaction: Transaction())
  }

  /// Sends an action whose change is shown with an animation.
  public static func send(_ action: Action?, animation: Animation?) -> Self {
    Self(action: action, transaction: Transaction(animation: animation))
  }

  func map<NewAction>(_ transform: (Action?) -> NewAction?) -> ButtonStateAction<NewAction> {
    ButtonStateAction<NewAction>(action: transform(action), transaction: transaction)
  }
}

extension ButtonStateAction: Equatable where Action: Equatable {}
extension ButtonStateAction: Sendable where Action: Sendable {}
extension ButtonStateAction: Hashable where Action: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(action)
  }
}

extension ButtonState: Equatable where Action: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.action == rhs.action && lhs.label == rhs.label && lhs.role == rhs.role
  }
}

extension ButtonState: Hashable where Action: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(action)
    hasher.combine(label)
    hasher.combine(role)
  }
}

extension ButtonState: CustomDumpReflectable {
  /// A mirror without the id, which `==` does not look at either.
  public var customDumpMirror: Mirror {
    Mirror(
      self, children: ["role": role as Any, "action": action, "label": label],
      displayStyle: .struct)
  }
}

extension ButtonState: Sendable where Action: Sendable {}

/// Lists buttons. `if`, `switch`, `for` and optionals work as in any Swift code.
@resultBuilder
public enum ButtonStateBuilder<Action> {
  /// A button as a list of one.
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }

  /// The buttons of all statements, in order.
  public static func buildBlock(_ buttons: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }

  /// The buttons of a loop, in order.
  public static func buildArray(_ buttons: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }

  /// The buttons of an `if`, or none.
  public static func buildOptional(_ buttons: [ButtonState<Action>]?) -> [ButtonState<Action>] {
    buttons ?? []
  }

  /// The buttons of the first branch.
  public static func buildEither(first buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  /// The buttons of the second branch.
  public static func buildEither(second buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  /// The buttons of an `if #available`.
  public static func buildLimitedAvailability(
    _ buttons: [ButtonState<Action>]
  ) -> [ButtonState<Action>] {
    buttons
  }
}
