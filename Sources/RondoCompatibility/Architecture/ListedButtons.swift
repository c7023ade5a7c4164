// Alerts and dialogs whose buttons are listed as values, as older features spell them.

import Rondo

/// The same as `ConfirmationDialogState`.
public typealias ActionSheetState = ConfirmationDialogState

/// The same as `AlertState`.
public typealias LegacyAlertState = AlertState

extension AlertState {
  /// An alert with any number of buttons.
  public init(title: TextState, message: TextState? = nil, buttons: [ButtonState<Action>]) {
    self.init(title: { title }, actions: { for button in buttons { button } })
    self.message = message
  }

  /// An alert with one button, or with the one that it has without any.
  public init(
    title: TextState, message: TextState? = nil, dismissButton: ButtonState<Action>? = nil
  ) {
    self.init(title: title, message: message, buttons: dismissButton.map { [$0] } ?? [])
  }

  /// An alert with two buttons.
  public init(
    title: TextState, message: TextState? = nil,
    primaryButton: ButtonState<Action>, secondaryButton: ButtonState<Action>
  ) {
    self.init(title: title, message: message, buttons: [primaryButton, secondaryButton])
  }
}

extension ConfirmationDialogState {
  /// A choice of actions.
  public init(
    title: TextState, titleVisibility: ConfirmationDialogStateTitleVisibility = .automatic,
    message: TextState? = nil, buttons: [ButtonState<Action>] = []
  ) {
    self.init(
      titleVisibility: titleVisibility, title: { title },
      actions: { for button in buttons { button } })
    self.message = message
  }
}

extension ButtonState {
  /// A button that cancels.
  public static func cancel(
    _ label: TextState, action: ButtonStateAction<Action> = .send(nil)
  ) -> Self {
    Self(role: .cancel, action: action, label: { label })
  }

  /// A button for anything.
  public static func `default`(
    _ label: TextState, action: ButtonStateAction<Action> = .send(nil)
  ) -> Self {
    Self(action: action, label: { label })
  }

  /// A button that destroys something.
  public static func destructive(
    _ label: TextState, action: ButtonStateAction<Action> = .send(nil)
  ) -> Self {
    Self(role: .destructive, action: action, label: { label })
  }
}
