// The actions of keys, and the line of help about them.

import RondoStage

/// The actions that keys send in a certain state, and the line of help about them.
///
/// ```swift
/// extension Tasks.State {
///   var keys: KeyMap<Tasks.Action> {
///     KeyMap {
///       if focus.field == .title {
///         KeyBinding(.enter, help: "add") { .addTapped }
///         Forward(TextInput.Action.init) { .title($0) }
///       } else {
///         KeyBinding(.delete, .character("x"), help: "delete") { .deleteTapped }
///         Forward(ListPickerAction.init) { .list($0) }
///         KeyBinding.quit(.character("q"))
///       }
///       Forward(FocusRing.Action.init) { .focus($0) }
///     }
///   }
/// }
/// ```
///
/// It is a plain value made from the state, so that a test asks it: `state.keys.command(for:
/// .key(.enter))`. Of two entries for one event the first one counts.
public struct KeyMap<Action> {
  /// An entry: a binding, or events that are handed on.
  public struct Entry {
    let command: (TerminalEvent) -> KeyCommand<Action>?
    let help: [KeyHelp]
  }

  private let entries: [Entry]

  /// A map with some entries, the most important first.
  public init(@KeyMapBuilder<Action> _ entries: () -> [Entry]) {
    self.entries = entries()
  }

  /// The command of an event; `nil` if there is none.
  public func command(for event: TerminalEvent) -> KeyCommand<Action>? {
    for entry in entries {
      if let command = entry.command(event) { return command }
    }
    return nil
  }

  /// The help for the keys, in the order of the entries. Entries without help are left out.
  public var help: [KeyHelp] { entries.flatMap(\.help) }
}

/// A command that an event gives.
public enum KeyCommand<Action> {
  /// It sends an action, whose change is shown with an animation, if there is one.
  case send(Action, animation: Animation? = nil)
  /// It ends the program.
  case quit
}

extension KeyCommand: Equatable where Action: Equatable {}

/// A key and its effect, as a line of help says it.
public struct KeyHelp: Hashable, Sendable {
  /// The name of the key.
  public var key: String

  /// The effect of the key, in a word or two.
  public var summary: String

  /// A key and its effect.
  public init(key: String, summary: String) {
    self.key = key
    self.summary = summary
  }
}

/// Some keys that send an action.
///
/// ```swift
/// KeyBinding(.enter, help: "add") { .addTapped }
/// KeyBinding(.up, .down, label: "↑↓", help: "move", isEnabled: !isEmpty) { .moved }
/// ```
public struct KeyBinding<Action> {
  let entry: KeyMap<Action>.Entry

  /// Some keys that send an action.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - label: How the help calls the keys; `nil` for the name of the first one.
  ///   - help: The effect of the keys, in a word or two; `nil` for no help.
  ///   - isEnabled: Whether the keys do it now. If not, they are as good as not listed.
  ///   - animation: The animation that the change is shown with.
  ///   - action: The action.
  public init(
    _ keys: Key...,
    label: String? = nil,
    help: String? = nil,
    isEnabled: Bool = true,
    animation: Animation? = nil,
    action: () -> Action
  ) {
    self.init(keys, label, help, isEnabled, .send(action(), animation: animation))
  }

  /// Some keys that end the program. Ctrl-D, which ends the input, always does.
  public static func quit(
    _ keys: Key..., label: String? = nil, help: String? = "quit"
  ) -> KeyBinding {
    KeyBinding(keys, label, help, true, .quit)
  }

  private init(
    _ keys: [Key], _ label: String?, _ help: String?, _ isEnabled: Bool,
    _ command: KeyCommand<Action>
  ) {
    guard isEnabled, let first = keys.first else {
      entry = KeyMap.Entry(command: { _ in nil }, help: [])
      return
    }
    entry = KeyMap.Entry(
      command: { event in
        guard case .key(let key) = event, keys.contains(key) else { return nil }
        return command
      },
      help: help.map { [KeyHelp(key: label ?? first.name, summary: $0)] } ?? [])
  }
}

/// Hands on the events that are for a widget.
///
/// ```swift
/// Forward(TextInput.Action.init) { .title($0) }
/// Forward({ event in if case .resized(let size) = event { size } else { nil } }) { .resized($0) }
/// ```
public struct Forward<Action> {
  let entry: KeyMap<Action>.Entry

  /// Hands on the events that something can be made of.
  ///
  /// - Parameters:
  ///   - convert: Makes the widget's action of an event; `nil` if the event is not for it.
  ///   - help: The help for the keys that are handed on.
  ///   - action: The action for it.
  public init<Part>(
    _ convert: @escaping (TerminalEvent) -> Part?, help: [KeyHelp] = [],
    action: @escaping (Part) -> Action
  ) {
    entry = KeyMap.Entry(command: { convert($0).map { .send(action($0)) } }, help: help)
  }
}

/// Lists the entries of a map.
@resultBuilder
public enum KeyMapBuilder<Action> {
  /// A binding as a list of one.
  public static func buildExpression(_ binding: KeyBinding<Action>) -> [KeyMap<Action>.Entry] {
    [binding.entry]
  }
  /// A forward as a list of one.
  public static func buildExpression(_ forward: Forward<Action>) -> [KeyMap<Action>.Entry] {
    [forward.entry]
  }
  /// All entries of another map.
  public static func buildExpression(_ map: KeyMap<Action>) -> [KeyMap<Action>.Entry] {
    [KeyMap<Action>.Entry(command: map.command(for:), help: map.help)]
  }
  /// The entries of all statements, in order.
  public static func buildBlock(_ parts: [KeyMap<Action>.Entry]...) -> [KeyMap<Action>.Entry] {
    parts.flatMap(\.self)
  }
  /// The entries of an `if`, or none.
  public static func buildOptional(_ part: [KeyMap<Action>.Entry]?) -> [KeyMap<Action>.Entry] {
    part ?? []
  }
  /// The entries of the first branch.
  public static func buildEither(first part: [KeyMap<Action>.Entry]) -> [KeyMap<Action>.Entry] {
    part
  }
  /// The entries of the second branch.
  public static func buildEither(second part: [KeyMap<Action>.Entry]) -> [KeyMap<Action>.Entry] {
    part
  }
  /// The entries of a loop, in order.
  public static func buildArray(_ parts: [[KeyMap<Action>.Entry]]) -> [KeyMap<Action>.Entry] {
    parts.flatMap(\.self)
  }
}

extension KeyMap {
  /// The help for the keys in one line: as many as there is room for, and `…` if there are more.
  public func helpLine(in size: TerminalSize) -> Node {
    var x = 0
    var parts: [Node] = []
    for (index, help) in help.enumerated() {
      let width = help.key.cells + 1 + help.summary.cells
      // Room for the mark behind all but the last one.
      let isLast = index == self.help.count - 1
      guard x + width + (isLast ? 0 : 3) <= size.width else {
        parts.append(Node.text("…").foreground(.gray).offset(x: Double(x)))
        break
      }
      parts.append(Node.text(help.key).offset(x: Double(x)))
      parts.append(
        Node.text(help.summary).foreground(.gray).offset(x: Double(x + help.key.cells + 1)))
      x += width + 2
    }
    return Node.group { parts }.fitted(in: size)
  }
}

extension Key {
  /// The key as a line of help names it: `enter`, `shift-tab`, `ctrl-w`, `↑`, `f1`, or the
  /// character.
  public var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .control(let character): "ctrl-\(character)"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .wordLeft: "ctrl-←"
    case .wordRight: "ctrl-→"
    case .home: "home"
    case .end: "end"
    case .pageUp: "pgup"
    case .pageDown: "pgdn"
    case .insert: "ins"
    case .delete: "del"
    case .enter: "enter"
    case .escape: "esc"
    case .backspace: "backspace"
    case .tab: "tab"
    case .backTab: "shift-tab"
    case .function(let number): "f\(number)"
    case .endOfInput: "ctrl-d"
    }
  }
}
