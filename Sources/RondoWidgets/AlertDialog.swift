// The alerts and confirmation dialogs of features, on a terminal.

import RondoStage

/// Which button of an alert is selected.
///
/// The feature itself has an `AlertState` or a `ConfirmationDialogState`, which says nothing about
/// a terminal. A terminal adds this:
///
/// ```swift
/// struct State {
///   @Presents var alert: AlertState<Action.Alert>?
///   var dialog = AlertDialogState()
/// }
/// enum Action {
///   enum Alert { case confirmDeletion }
///   case alert(PresentationAction<Alert>)
///   case dialog(AlertDialogAction)
/// }
///
/// Reduce { state, action in … }
///   .ifLet(\.$alert, action: \.alert)
///   .alertDialog(\.dialog, action: \.dialog, alert: \.alert, alertAction: \.alert)
///
/// KeyMap {
///   if alert != nil {
///     Forward(AlertDialogAction.init, help: AlertDialogAction.help) { .dialog($0) }
///   } else { … }
/// }
/// if let alert = state.alert { state.dialog.view(alert, in: size) }
/// ```
public struct AlertDialogState: Hashable, Sendable {
  /// The button that is selected, from 0; `nil` for the first one that destroys nothing.
  public var selection: Int?

  /// The first button that destroys nothing is selected.
  public init() {}
}

/// An action of an alert's buttons.
public enum AlertDialogAction: Hashable, Sendable, CasePathable {
  /// The next button is selected. The first one follows the last.
  case next
  /// The button before is selected.
  case previous
  /// The button that is selected is pressed.
  case press
  /// The button with the role `cancel` is pressed. Without one the alert is dismissed.
  case cancel

  /// The action of an event; `nil` if the event is not for the buttons.
  ///
  /// Tab and the arrows select, Return and space press, Escape cancels.
  public init?(_ event: TerminalEvent) {
    guard case .key(let key) = event else { return nil }
    switch key {
    case .tab, .right, .down: self = .next
    case .backTab, .left, .up: self = .previous
    case .enter, .character(" "): self = .press
    case .escape: self = .cancel
    default: return nil
    }
  }

  /// The help for the keys of a dialog, for a ``Forward``.
  public static let help = [
    KeyHelp(key: "tab", summary: "next"), KeyHelp(key: "enter", summary: "press"),
    KeyHelp(key: "esc", summary: "cancel"),
  ]

  /// The case paths of the actions.
  public struct AllCasePaths: Sendable {
    /// The path to `next`.
    public var next: AnyCasePath<AlertDialogAction, Void> {
      AnyCasePath(embed: { .next }) { if case .next = $0 { () } else { nil } }
    }

    /// The path to `previous`.
    public var previous: AnyCasePath<AlertDialogAction, Void> {
      AnyCasePath(embed: { .previous }) { if case .previous = $0 { () } else { nil } }
    }

    /// The path to `press`.
    public var press: AnyCasePath<AlertDialogAction, Void> {
      AnyCasePath(embed: { .press }) { if case .press = $0 { () } else { nil } }
    }

    /// The path to `cancel`.
    public var cancel: AnyCasePath<AlertDialogAction, Void> {
      AnyCasePath(embed: { .cancel }) { if case .cancel = $0 { () } else { nil } }
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Reducer {
  /// Moves between the buttons of an alert, and presses them: the action of the button is sent,
  /// with its animation, or the alert is dismissed by a button that has none.
  ///
  /// - Parameters:
  ///   - dialog: The button that is selected.
  ///   - action: The case of the actions for it.
  ///   - alert: The alert, if there is one.
  ///   - alertAction: The case of the alert's own actions.
  public func alertDialog<Button>(
    _ dialog: WritableKeyPath<State, AlertDialogState>,
    action: CaseName<Action, AlertDialogAction>,
    alert: @escaping (State) -> AlertState<Button>?,
    alertAction: CaseName<Action, PresentationAction<Button>>
  ) -> some Reducer<State, Action> where Action: CasePathable {
    AlertDialogReducer(
      base: self, dialog: dialog, action: Action.allCasePaths[keyPath: action],
      alert: { alert($0).map(DialogContent.init) },
      alertAction: Action.allCasePaths[keyPath: alertAction])
  }

  /// Moves between the buttons of a confirmation dialog, and presses them.
  ///
  /// - Parameters:
  ///   - dialog: The button that is selected.
  ///   - action: The case of the actions for it.
  ///   - confirmation: The confirmation dialog, if there is one.
  ///   - confirmationAction: The case of its own actions.
  public func alertDialog<Button>(
    _ dialog: WritableKeyPath<State, AlertDialogState>,
    action: CaseName<Action, AlertDialogAction>,
    confirmation: @escaping (State) -> ConfirmationDialogState<Button>?,
    confirmationAction: CaseName<Action, PresentationAction<Button>>
  ) -> some Reducer<State, Action> where Action: CasePathable {
    AlertDialogReducer(
      base: self, dialog: dialog, action: Action.allCasePaths[keyPath: action],
      alert: { confirmation($0).map(DialogContent.init) },
      alertAction: Action.allCasePaths[keyPath: confirmationAction])
  }
}

/// The parts of an alert or of a confirmation dialog.
private struct DialogContent<Action> {
  let id: ButtonStateID
  let title: String?
  let message: String?
  let buttons: [ButtonState<Action>]

  init(_ alert: AlertState<Action>) {
    id = alert.id
    title = String(state: alert.title)
    message = alert.message.map { String(state: $0) }
    buttons = Self.buttons(alert.buttons)
  }

  init(_ dialog: ConfirmationDialogState<Action>) {
    id = dialog.id
    title = dialog.titleVisibility == .hidden ? nil : String(state: dialog.title)
    message = dialog.message.map { String(state: $0) }
    buttons = Self.buttons(dialog.buttons)
  }

  /// The buttons, or one that closes the dialog.
  private static func buttons(_ buttons: [ButtonState<Action>]) -> [ButtonState<Action>] {
    buttons.isEmpty ? [ButtonState(role: .cancel) { TextState("OK") }] : buttons
  }

  /// The place of the button that is selected.
  func selection(_ state: AlertDialogState) -> Int {
    if let selection = state.selection, buttons.indices.contains(selection) { return selection }
    return buttons.firstIndex { $0.role != .destructive } ?? 0
  }
}

private struct AlertDialogReducer<Base: Reducer, Button>: Reducer {
  let base: Base
  let dialog: WritableKeyPath<Base.State, AlertDialogState>
  let action: AnyCasePath<Base.Action, AlertDialogAction>
  let alert: (Base.State) -> DialogContent<Button>?
  let alertAction: AnyCasePath<Base.Action, PresentationAction<Button>>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let before = alert(state)?.id
    let effect = base.reduce(into: &state, action: action)
    let alert = alert(state)
    // Another alert begins anew.
    if alert?.id != before, state[keyPath: dialog].selection != nil {
      state[keyPath: dialog].selection = nil
    }
    guard let action = self.action.extract(from: action), let alert else { return effect }
    let count = alert.buttons.count
    let selection = alert.selection(state[keyPath: dialog])
    switch action {
    case .next: state[keyPath: dialog].selection = (selection + 1) % count
    case .previous: state[keyPath: dialog].selection = (selection + count - 1) % count
    case .press: return effect.merge(with: press(alert.buttons[selection]))
    case .cancel:
      return effect.merge(with: press(alert.buttons.first { $0.role == .cancel }))
    }
    return effect
  }

  private func press(_ button: ButtonState<Button>?) -> Effect<Base.Action> {
    guard let button, let action = button.action.action else {
      return .send(alertAction.embed(.dismiss))
    }
    return .send(alertAction.embed(.presented(action))).transaction(button.action.transaction)
  }
}

// MARK: - View

extension AlertDialogState {
  /// An alert in the middle of the screen, with its buttons.
  public func view(_ alert: AlertState<some Any>, in size: TerminalSize) -> Node {
    view(DialogContent(alert), in: size)
  }

  /// A confirmation dialog in the middle of the screen, with its buttons.
  public func view(_ confirmation: ConfirmationDialogState<some Any>, in size: TerminalSize) -> Node
  {
    view(DialogContent(confirmation), in: size)
  }

  private func view(_ dialog: DialogContent<some Any>, in size: TerminalSize) -> Node {
    let selection = dialog.selection(self)
    let labels = dialog.buttons.enumerated().map { index, button in
      let label = String(state: button.label).wrapped(to: .max).joined(separator: " ")
      return index == selection ? "[ \(label) ]" : "  \(label)  "
    }
    // Without a frame where there is no room for one.
    let hasFrame = size.width >= 16 && size.height >= 5
    let (insetX, insetY) = hasFrame ? (2, 1) : (0, 0)
    let room = max(1, min(size.width - 2 * insetX - (hasFrame ? 2 : 0), 60))
    let buttonRows = Self.rows(of: labels, in: room)
    var lines = dialog.title.map { $0.wrapped(to: room) } ?? []
    let titleCount = lines.count
    if let message = dialog.message {
      if hasFrame, !lines.isEmpty { lines.append("") }
      lines += message.wrapped(to: room)
    }
    if hasFrame { lines.append("") }
    // The button that is selected is seen in any case, and then a line of the title.
    let height = size.height - 2 * insetY
    let shownRows = Self.shown(
      buttonRows, around: selection, in: max(1, height - (lines.isEmpty ? 0 : 1)))
    lines = Array(lines.prefix(max(0, height - shownRows.count)))
    let widths = lines.map(\.cells) + shownRows.map { $0.reduce(0) { $0 + labels[$1].cells } }
    let width = min(room, max(1, widths.max() ?? 1))
    let box = TerminalSize(
      width: min(size.width, width + 2 * insetX), height: lines.count + shownRows.count + 2 * insetY
    )
    return Node.group {
      if hasFrame { Node.text(Self.frame(box)).foreground(.gray) }
      Node.group {
        lines.enumerated().map { index, line in
          let text = Node.text(line).offset(y: Double(index))
          return index < titleCount ? text.foreground(.yellow) : text
        }
        shownRows.enumerated().map { row, indices in
          Node.row {
            indices.map { index in
              Self.button(labels[index], dialog.buttons[index].role, isSelected: index == selection)
            }
          }
          .offset(y: Double(lines.count + row))
        }
      }
      .offset(x: Double(insetX), y: Double(insetY))
    }
    .fitted(in: box)
    .foreground(.white)
    .background(Color(0x242433))
    .offset(
      x: Double(max(0, (size.width - box.width) / 2)),
      y: Double(max(0, (size.height - box.height) / 2)))
  }

  private static func button(_ label: String, _ role: ButtonStateRole?, isSelected: Bool) -> Node {
    let color = role == .destructive ? Color(0xFF6B6B) : .white
    let node = Node.text(label)
    return isSelected ? node.foreground(.black).background(color) : node.foreground(color)
  }

  /// The places of the buttons in rows that are no wider than the room, if a button is not.
  private static func rows(of labels: [String], in room: Int) -> [[Int]] {
    var rows: [[Int]] = []
    var used = 0
    for (index, label) in labels.enumerated() {
      let width = label.cells
      if rows.isEmpty || used + width > room {
        rows.append([])
        used = 0
      }
      rows[rows.count - 1].append(index)
      used += width
    }
    return rows
  }

  /// As many of the rows as there is room for, with the one of a certain button.
  private static func shown(_ rows: [[Int]], around button: Int, in height: Int) -> [[Int]] {
    let row = rows.firstIndex { $0.contains(button) } ?? 0
    let top = ListPickerState<Int>.top(0, showing: row, height: height)
    return Array(rows[top...].prefix(height))
  }

  private static func frame(_ size: TerminalSize) -> String {
    let line = String(repeating: "─", count: max(0, size.width - 2))
    let middle = "│" + String(repeating: " ", count: max(0, size.width - 2)) + "│"
    return
      (["╭\(line)╮"] + Array(repeating: middle, count: max(0, size.height - 2)) + ["╰\(line)╯"])
      .joined(separator: "\n")
  }
}
