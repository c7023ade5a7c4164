// Buttons that a state may hold.

import RondoAnimation

/// A button of an alert or a dialog.
public struct ButtonState<Action>: Identifiable {
  public let id = ButtonStateID()
  /// What pressing the button does.
  public let action: ButtonStateAction<Action>
  /// What the button says.
  public let label: TextState
  /// What the button is for.
  public let role: ButtonStateRole?

  /// A button that does something, or only closes what it is in.
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

  /// The button in another domain of actions.
  public func map<NewAction>(_ transform: (Action?) -> NewAction?) -> ButtonState<NewAction> {
    ButtonState<NewAction>(role: role, action: action.map(transform), label: { label })
  }

  /// Hands the button's action over to be sent, inside the button's transaction.
  public func withAction<Result>(_ perform: (Action?) -> Result) -> Result {
    withTransaction(action.transaction) { perform(action.action) }
  }
}

/// What tells a button, an alert or a dialog from its equals. It is no part of what they are equal by.
public struct ButtonStateID: Hashable, Sendable {
  private let stamp = Stamp()

  init() {}
}

/// What a button is for.
public enum ButtonStateRole: Hashable, Sendable, Codable {
  case cancel, destructive
}

/// What pressing a button does.
public struct ButtonStateAction<Action> {
  /// The action to send; `nil` only closes what the button is in.
  public let action: Action?
  /// Inside which the action is sent.
  public let transaction: Transaction

  /// Sends an action, or only closes what the button is in.
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
  /// Without the id, which is no part of what buttons are equal by.
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
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }

  public static func buildBlock(_ buttons: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }

  public static func buildArray(_ buttons: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }

  public static func buildOptional(_ buttons: [ButtonState<Action>]?) -> [ButtonState<Action>] {
    buttons ?? []
  }

  public static func buildEither(first buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  public static func buildEither(second buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons
  }

  public static func buildLimitedAvailability(
    _ buttons: [ButtonState<Action>]
  ) -> [ButtonState<Action>] {
    buttons
  }
}
