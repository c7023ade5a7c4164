// A feature with everything that there is a widget for.

import RondoWidgets

struct Errand: Equatable, Identifiable {
  let id: Int
}

@Reducer
struct Errands: Reducer {
  enum Field: CaseIterable { case title, list, manual }

  @ObservableState
  struct State: Equatable {
    var errands: IdentifiedArrayOf<Errand> = []
    var list = ListPickerState<Int>(height: 3)
    @Presents var alert: AlertState<Action.Alert>?
    @Presents var choice: ConfirmationDialogState<Action.Alert>?
    var dialog = AlertDialogState()
    var title = TextInput.State()
    var focus = FocusRing.State(Field.title)
    var manual = ScrollingText.State()
    var done: [Action.Alert] = []

    init(count: Int = 0) {
      errands = IdentifiedArray(uniqueElements: (0..<count).map { Errand(id: $0) })
    }
  }

  enum Action: Equatable {
    @CasePathable
    enum Alert: Equatable { case delete, archive }
    case alert(PresentationAction<Alert>)
    case choice(PresentationAction<Alert>)
    case dialog(AlertDialogAction)
    case focus(FocusRing<Field>.Action)
    case list(ListPickerAction<Int>)
    case manual(ScrollingText.Action)
    case removed(Set<Int>)
    case shown(AlertState<Alert>)
    case offered(ConfirmationDialogState<Alert>)
    case title(TextInput.Action)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.title, action: \.title) { TextInput() }
    Scope(state: \.focus, action: \.focus) { FocusRing() }
    Scope(state: \.manual, action: \.manual) { ScrollingText() }
    Reduce { state, action in
      switch action {
      case .removed(let ids): state.errands.removeAll { ids.contains($0.id) }
      case .shown(let alert): state.alert = alert
      case .offered(let choice): state.choice = choice
      case .alert(.presented(let alert)), .choice(.presented(let alert)): state.done.append(alert)
      default: break
      }
      return .none
    }
    .ifLet(\.$alert, action: \.alert)
    .ifLet(\.$choice, action: \.choice)
    .listPicker(\.list, action: \.list, elements: \.errands)
    .alertDialog(\.dialog, action: \.dialog, alert: \.alert, alertAction: \.alert)
    .alertDialog(\.dialog, action: \.dialog, confirmation: \.choice, confirmationAction: \.choice)
  }
}
