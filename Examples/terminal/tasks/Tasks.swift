// A list of tasks that is kept in a file: the feature.

import RondoWidgets

struct Item: Codable, Equatable, Identifiable, Sendable {
  let id: UUID
  var title: String
  var isDone = false
}

@Reducer
struct Tasks: Reducer {
  enum Field: CaseIterable {
    case title
    case list
  }

  @ObservableState
  struct State: Equatable {
    @Shared var items: IdentifiedArrayOf<Item>
    @Presents var alert: AlertState<Action.Alert>?
    var dialog = AlertDialogState()
    var editedID: Item.ID?
    var focus = FocusRing.State(Field.title)
    var list = ListPickerState<Item.ID>()
    @Presents var manual: ScrollingText.State?
    var showsDone = true
    var size = TerminalSize.standard
    var title = TextInput.State(limit: 200)
  }

  enum Action: Equatable {
    @CasePathable
    enum Alert {
      case confirmRemoval
    }

    case alert(PresentationAction<Alert>)
    case dialog(AlertDialogAction)
    case doneShown
    case editTapped
    case escapeTapped
    case focus(FocusRing<Field>.Action)
    case helpTapped
    case list(ListPickerAction<Item.ID>)
    case manual(PresentationAction<ScrollingText.Action>)
    case removeDoneTapped
    case removeTapped
    case resized(TerminalSize)
    case title(TextInput.Action)
    case titleSubmitted
    case toggleTapped
  }

  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    Scope(state: \.title, action: \.title) { TextInput() }
    Scope(state: \.focus, action: \.focus) { FocusRing() }
    Reduce { state, action in
      switch action {
      case .alert(.presented(.confirmRemoval)):
        state.$items.withLock { $0.removeAll { $0.isDone } }

      case .doneShown:
        state.showsDone.toggle()

      case .editTapped:
        guard let item = state.selected else { return .none }
        state.editedID = item.id
        state.title = TextInput.State(item.title, limit: state.title.limit)
        state.focus.field = .title

      case .escapeTapped:
        state.editedID = nil
        state.title.text = ""
        state.focus.field = .list

      case .helpTapped:
        state.manual = ScrollingText.State(State.manualText, size: state.manualSize)

      case .removeDoneTapped:
        let count = state.items.count { $0.isDone }
        guard count > 0 else { return .none }
        state.alert = AlertState {
          TextState("Remove what is done?")
        } actions: {
          ButtonState(role: .destructive, action: .confirmRemoval) { TextState("Remove") }
          ButtonState(role: .cancel) { TextState("Keep") }
        } message: {
          TextState(count == 1 ? "One task is done." : "\(count) tasks are done.")
        }

      case .removeTapped:
        guard let item = state.selected else { return .none }
        state.$items.withLock { _ = $0.remove(id: item.id) }

      case .resized(let size):
        state.size = size
        state.list.height = max(1, size.height - 4)
        let manualSize = state.manualSize
        state.manual?.size = manualSize

      case .titleSubmitted:
        submit(&state)

      case .toggleTapped:
        guard let item = state.selected else { return .none }
        state.$items.withLock { $0[id: item.id]?.isDone.toggle() }

      case .alert, .dialog, .focus, .list, .manual, .title:
        break
      }
      return .none
    }
    .ifLet(\.$alert, action: \.alert)
    .ifLet(\.$manual, action: \.manual) { ScrollingText() }
    .listPicker(\.list, action: \.list, elements: \.shown)
    .alertDialog(\.dialog, action: \.dialog, alert: \.alert, alertAction: \.alert)
  }

  /// Keeps what has been typed: as the title of the task that is edited, or as a new task.
  private func submit(_ state: inout State) {
    let title = state.title.text.trimmingCharacters(in: .whitespaces)
    guard !title.isEmpty else { return }
    if let id = state.editedID, state.items.ids.contains(id) {
      state.$items.withLock { $0[id: id]?.title = title }
      state.focus.field = .list
    } else {
      let item = Item(id: uuid(), title: title)
      state.$items.withLock { _ = $0.append(item) }
      state.list.selection = item.id
    }
    state.editedID = nil
    state.title.text = ""
  }
}

extension Tasks.State {
  /// The tasks that are listed.
  var shown: [Item] { items.filter { showsDone || !$0.isDone } }

  /// The task that the keys are about.
  var selected: Item? { list.selected(in: shown) }

  /// The room of the help: a line of keys is below it.
  var manualSize: TerminalSize {
    TerminalSize(width: size.width, height: size.height - (size.height > 3 ? 1 : 0))
  }
}
