// C11: alerts as values.

import Rondo
import RondoCompatibility
import Testing

private struct Deleter: Reducer {
  struct State: Equatable {
    @PresentationState var alert: AlertState<Action.Alert>?
    var isDeleted = false
  }

  enum Action: Equatable, CasePathable {
    case alert(PresentationAction<Alert>), delete

    enum Alert: Equatable { case confirm }

    struct AllCasePaths: Sendable {
      let alert = AnyCasePath(Action.alert)
    }
    static let allCasePaths = AllCasePaths()
  }

  static func alert(_ name: String) -> AlertState<Action.Alert> {
    AlertState {
      TextState("Delete \(name)?")
    } actions: {
      ButtonState(role: .destructive, action: .send(.confirm, animation: .default)) {
        TextState("Delete")
      }
      ButtonState(role: .cancel) { TextState("Cancel") }
    } message: {
      TextState("For good.")
    }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .delete: state.alert = Self.alert("it")
      case .alert(.presented(.confirm)): state.isDeleted = true
      case .alert: break
      }
      return .none
    }
    .ifLet(\.$alert, action: \.alert)
  }
}

@MainActor @Suite struct AlertTests {
  @Test func alertsAreComparedByWhatTheySay() {
    #expect(Deleter.alert("it") == Deleter.alert("it"))
    #expect(Deleter.alert("it") != Deleter.alert("that"))
    #expect(Deleter.alert("it").buttons.map(\.role) == [.destructive, .cancel])
  }

  // C4
  @Test func aCasePathLeadsToTheActionsOfAnAlert() {
    let reducer = EmptyReducer<Deleter.State, Deleter.Action>()
      .ifLet(\.$alert, action: AnyCasePath(Deleter.Action.alert))
    let store = Store(initialState: Deleter.State(alert: Deleter.alert("it"))) { reducer }
    store.send(.alert(.presented(.confirm)))
    #expect(store.alert == nil)
  }

  @Test func anyActionOfAnAlertDismissesIt() {
    let store = Store(initialState: Deleter.State()) { Deleter() }
    store.send(.delete)
    #expect(store.alert == Deleter.alert("it"))
    store.send(.alert(.presented(.confirm)))
    #expect(store.state == Deleter.State(isDeleted: true))
  }

  @Test func alertsAreMapped() {
    let alert = Deleter.alert("it").map { $0.map { "\($0)" } }
    #expect(alert.buttons.map(\.action.action) == ["confirm", nil])
    #expect(alert.buttons[0].withAction { _ in Transaction.current.animation } == .default)
  }

  @Test func textHasEmphasis() {
    let text = TextState("a") + TextState("b").bold()
    #expect(String(state: text) == "ab")
    #expect(text != TextState("ab"))
  }

  @Test func textThatNobodyHasTranslatedIsItsKey() {
    #expect(TextState("Delete?", bundle: .main) == TextState("Delete?"))
    #expect(TextState("Delete?", tableName: "Alerts", comment: "a title") == "Delete?")
  }

  @Test func listedButtonsAreThoseThatAreBuilt() {
    typealias Alert = AlertState<Int>
    let built = Alert {
      TextState("Delete?")
    } actions: {
      ButtonState(role: .destructive, action: 1) { TextState("Delete") }
      ButtonState(role: .cancel) { TextState("Keep") }
    } message: {
      TextState("For good.")
    }
    let listed = Alert(
      title: TextState("Delete?"), message: TextState("For good."),
      primaryButton: .destructive(TextState("Delete"), action: .send(1)),
      secondaryButton: .cancel(TextState("Keep")))
    #expect(listed == built)
    let single = Alert(title: TextState("?"), dismissButton: .default(TextState("OK")))
    #expect(
      single
        == Alert {
          TextState("?")
        } actions: {
          ButtonState { TextState("OK") }
        })
    #expect(Alert(title: TextState("?")) == Alert { TextState("?") })
  }

  @Test func listedButtonsOfADialogAreThoseThatAreBuilt() {
    typealias Dialog = ConfirmationDialogState<Int>
    let listed = Dialog(
      title: TextState("Share"), titleVisibility: .visible, message: TextState("How?"),
      buttons: [.default(TextState("Copy"), action: .send(1))])
    let built = Dialog(titleVisibility: .visible) {
      TextState("Share")
    } actions: {
      ButtonState(action: 1) { TextState("Copy") }
    } message: {
      TextState("How?")
    }
    #expect(listed == built)
  }
}
