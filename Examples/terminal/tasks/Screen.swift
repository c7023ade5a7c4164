// A list of tasks: what is seen, and what the keys do.

import RondoWidgets

extension Tasks.State {
  func screen(in size: TerminalSize) -> Node {
    .group {
      if let manual {
        Node.rows(in: size) {
          Area { manual.view(in: $0) }
          if size.height > 3 { Area(.fixed(1)) { keys.helpLine(in: $0) } }
        }
      } else {
        tasks(in: size)
      }
      if let alert { dialog.view(alert, in: size) }
    }
  }

  private func tasks(in size: TerminalSize) -> Node {
    .rows(in: size) {
      if size.height > 4 { Area(.fixed(1)) { header(in: $0) } }
      Area(.fixed(1)) {
        title.view(
          in: $0, prompt: editedID == nil ? "New task: " : "Title: ",
          placeholder: "what is to be done", isFocused: alert == nil && focus.field == .title)
      }
      if size.height > 6 { Area(.fixed(1)) { rule(in: $0) } }
      Area(.flexible(minimum: 1)) { size in
        if shown.isEmpty {
          Node.text("Nothing to do.").foreground(.gray)
        } else {
          list.view(shown, in: size, isFocused: focus.field == .list) { item, _ in
            Node.text((item.isDone ? "✓ " : "· ") + item.title)
              .foreground(item.isDone ? .gray : .white)
          }
        }
      }
      if size.height > 3 { Area(.fixed(1)) { keys.helpLine(in: $0) } }
    }
  }

  private func header(in size: TerminalSize) -> Node {
    let open = items.count { !$0.isDone }
    let count = "\(open) of \(items.count) to do"
    return .columns(in: size) {
      Area(.flexible(minimum: 5)) { _ in Node.text("Tasks").foreground(.orange) }
      if let problem = $items.loadError ?? $items.saveError {
        Area(.flexible(2)) { _ in Node.text("not kept: \(problem)").foreground(.red) }
      }
      Area(.fixed(count.count)) { _ in Node.text(count).foreground(.gray) }
    }
  }

  private func rule(in size: TerminalSize) -> Node {
    .text(String(repeating: "─", count: size.width)).foreground(.gray)
  }
}

extension Tasks.State {
  var keys: KeyMap<Tasks.Action> {
    KeyMap {
      Forward({ if case .resized(let size) = $0 { size } else { nil } }) { .resized($0) }
      if alert != nil {
        Forward(AlertDialogAction.init, help: AlertDialogAction.help) { .dialog($0) }
      } else if manual != nil {
        KeyBinding(.escape, .character("q"), .character("?"), help: "back") { .manual(.dismiss) }
        Forward(ScrollingText.Action.init) { .manual(.presented($0)) }
      } else if focus.field == .title {
        KeyBinding(.enter, help: editedID == nil ? "add" : "keep") { .titleSubmitted }
        KeyBinding(.tab, .backTab, .down, label: "tab", help: "to the list") { .focus(.next) }
        KeyBinding(.escape, help: editedID == nil ? "clear" : "leave it") { .escapeTapped }
        Forward(TextInput.Action.init) { .title($0) }
      } else {
        KeyBinding(.character(" "), help: "done", isEnabled: selected != nil) { .toggleTapped }
        KeyBinding(.enter, .character("e"), help: "edit", isEnabled: selected != nil) {
          .editTapped
        }
        KeyBinding(.delete, .character("x"), help: "remove", isEnabled: selected != nil) {
          .removeTapped
        }
        KeyBinding(.character("X"), help: "remove done") { .removeDoneTapped }
        KeyBinding(.character("h"), help: showsDone ? "hide done" : "show done") { .doneShown }
        KeyBinding(.character("?"), help: "help") { .helpTapped }
        KeyBinding.quit(.character("q"))
        KeyBinding(.character("n"), label: "tab", help: "new") { .focus(.focus(.title)) }
        Forward(FocusRing.Action.init) { .focus($0) }
        Forward(ListPickerAction.init) { .list($0) }
      }
    }
  }

  static let manualText = """
    Tasks

    Type what is to be done, and press Return. Tab leads to the list and back.

    In the list, the arrows select a task, space says that it is done, Return changes its title, and \
    Delete removes it. X removes all that is done, and asks before it does. h hides it, and shows it \
    again.

    Tasks are kept in a file as soon as they change: tasks.json in the folder that you have started \
    in, or the file that you have named behind the command. When another program changes the file, \
    this one shows it.

    q ends the program, and so does Ctrl-D anywhere.
    """
}
