// Alerts and confirmation dialogs, as values.

/// An alert: a title, a message, and buttons that send actions.
///
/// ```swift
/// state.alert = AlertState {
///   TextState("Delete?")
/// } actions: {
///   ButtonState(role: .destructive, action: .confirmDeletion) { TextState("Delete") }
///   ButtonState(role: .cancel) { TextState("Cancel") }
/// } message: {
///   TextState("This cannot be undone.")
/// }
/// ```
///
/// Compose it with `.ifLet(\.$alert, action: \.alert)`: any of its actions dismisses it.
public struct AlertState<Action>: Identifiable, _EphemeralState {
  public let id = ButtonStateID()
  /// The title.
  public var title: TextState
  /// The text below the title.
  public var message: TextState?
  /// The buttons, in order.
  public var buttons: [ButtonState<Action>]

  /// An alert. Without buttons it is shown with one that closes it.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.message = message?()
    buttons = actions()
  }

  /// The alert with its buttons' actions transformed; `nil` drops the action, and the button only
  /// closes the alert.
  public func map<NewAction>(_ transform: (Action?) -> NewAction?) -> AlertState<NewAction> {
    var alert = AlertState<NewAction>(title: { title })
    alert.message = message
    alert.buttons = buttons.map { $0.map(transform) }
    return alert
  }
}

/// A choice of actions.
///
/// ```swift
/// state.dialog = ConfirmationDialogState {
///   TextState("Share")
/// } actions: {
///   ButtonState(action: .copyLink) { TextState("Copy link") }
/// }
/// ```
public struct ConfirmationDialogState<Action>: Identifiable, _EphemeralState {
  public let id = ButtonStateID()
  /// The title.
  public var title: TextState
  /// Whether the title is shown.
  public var titleVisibility: ConfirmationDialogStateTitleVisibility
  /// The text below the title.
  public var message: TextState?
  /// The buttons, in order.
  public var buttons: [ButtonState<Action>]

  /// A choice of actions.
  public init(
    titleVisibility: ConfirmationDialogStateTitleVisibility = .automatic,
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.titleVisibility = titleVisibility
    self.title = title()
    self.message = message?()
    buttons = actions()
  }

  /// The dialog with its buttons' actions transformed; `nil` drops the action, and the button only
  /// closes the dialog.
  public func map<NewAction>(
    _ transform: (Action?) -> NewAction?
  ) -> ConfirmationDialogState<NewAction> {
    var dialog = ConfirmationDialogState<NewAction>(
      titleVisibility: titleVisibility, title: { title })
    dialog.message = message
    dialog.buttons = buttons.map { $0.map(transform) }
    return dialog
  }
}

/// Whether a dialog shows its title.
public enum ConfirmationDialogStateTitleVisibility: Hashable, Sendable, Codable {
  /// As the platform does.
  case automatic
  /// The title is not shown.
  case hidden
  /// The title is shown.
  case visible
}

extension AlertState: Equatable where Action: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}

extension AlertState: Hashable where Action: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(message)
    hasher.combine(buttons)
  }
}

extension ConfirmationDialogState: Equatable where Action: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.title == rhs.title && lhs.titleVisibility == rhs.titleVisibility
      && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}

extension ConfirmationDialogState: Hashable where Action: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(titleVisibility)
    hasher.combine(message)
    hasher.combine(buttons)
  }
}

extension AlertState: Sendable where Action: Sendable {}
extension ConfirmationDialogState: Sendable where Action: Sendable {}

// The id is not printed or compared: it only tells apart values that are equal otherwise.

extension AlertState: CustomDumpReflectable {
  public var customDumpMirror: Mirror {
    Mirror(
      self, children: ["title": title, "message": message as Any, "buttons": buttons],
      displayStyle: .struct)
  }
}

extension ConfirmationDialogState: CustomDumpReflectable {
  public var customDumpMirror: Mirror {
    Mirror(
      self,
      children: [
        "title": title, "titleVisibility": titleVisibility, "message": message as Any,
        "buttons": buttons,
      ],
      displayStyle: .struct)
  }
}
