// The alerts of features on a terminal.

import RondoTesting
import RondoWidgets
import Testing

@MainActor
@Suite struct AlertDialogTests {
  private let alert = AlertState<Errands.Action.Alert> {
    TextState("Delete the errand?")
  } actions: {
    ButtonState(role: .destructive, action: .delete) { TextState("Delete") }
    ButtonState(role: .cancel) { TextState("Keep") }
    ButtonState(action: .send(.archive, animation: .linear)) { TextState("Archive") }
  } message: {
    TextState("This cannot be undone.")
  }

  private var store: TestStoreOf<Errands> {
    var state = Errands.State()
    state.alert = alert
    return TestStore(initialState: state) { Errands() }
  }

  // F7
  @Test func theFirstButtonThatDestroysNothingIsPressed() async {
    let store = store
    await store.send(.dialog(.press))
    await store.receive(\.alert.dismiss) { $0.alert = nil }
  }

  // F7
  @Test func aButtonIsSelectedAndPressed() async {
    let store = store
    await store.send(.dialog(.previous)) { $0.dialog.selection = 0 }
    await store.send(.dialog(.press))
    await store.receive(\.alert.delete) {
      $0.alert = nil
      $0.done = [.delete]
      $0.dialog.selection = nil
    }
    await store.send(.dialog(.next))
  }

  // F7
  @Test func theSelectionGoesRound() async {
    let store = store
    for selection in [2, 0, 1] {
      await store.send(.dialog(.next)) { $0.dialog.selection = selection }
    }
    await store.send(.dialog(.cancel))
    await store.receive(\.alert.dismiss) {
      $0.alert = nil
      $0.dialog.selection = nil
    }
  }

  // F7
  @Test func anotherAlertBeginsAnew() async {
    let store = store
    await store.send(.dialog(.previous)) { $0.dialog.selection = 0 }
    let other = AlertState<Errands.Action.Alert> { TextState("Really?") }
    await store.send(.shown(other)) {
      $0.alert = other
      $0.dialog.selection = nil
    }
    await store.send(.dialog(.press))
    await store.receive(\.alert.dismiss) { $0.alert = nil }
  }

  // F7
  @Test func aConfirmationDialogHasButtonsAsWell() async {
    let choice = ConfirmationDialogState<Errands.Action.Alert>(titleVisibility: .hidden) {
      TextState("What to do?")
    } actions: {
      ButtonState(action: .archive) { TextState("Archive") }
    }
    let store = TestStore(initialState: Errands.State()) { Errands() }
    await store.send(.offered(choice)) { $0.choice = choice }
    #expect(
      !picture(AlertDialogState().view(choice, in: .standard), 80, 24).contains("What to do"))
    await store.send(.dialog(.press))
    await store.receive(\.choice.archive) {
      $0.choice = nil
      $0.done = [.archive]
    }
  }

  // F7
  @Test func theAnimationOfAButtonGoesWithItsAction() async {
    var state = Errands.State()
    state.alert = alert
    let store = Store(initialState: state) { Errands() }
    var animations: [Animation?] = []
    let subscription = store.subscribe { animations.append($0.transaction.animation) }
    store.send(.dialog(.next))
    store.send(.dialog(.press))
    #expect(animations.contains(.linear))
    #expect(store.done == [.archive])
    subscription.cancel()
  }

  // F7
  @Test(
    arguments: [
      (.tab, .next), (.backTab, .previous), (.left, .previous), (.right, .next), (.enter, .press),
      (.character(" "), .press), (.escape, .cancel), (.character("x"), nil),
    ] as [(Key, AlertDialogAction?)])
  func aKeyIsAnAction(_ key: Key, _ action: AlertDialogAction?) {
    #expect(AlertDialogAction(.key(key)) == action)
  }

  // F7
  @Test func theAlertIsInTheMiddle() {
    #expect(
      picture(AlertDialogState().view(alert, in: TerminalSize(width: 40, height: 10)), 40, 10)
        == """

           ╭───────────────────────────────╮
           │ Delete the errand?            │
           │                               │
           │ This cannot be undone.        │
           │                               │
           │   Delete  [ Keep ]  Archive   │
           ╰───────────────────────────────╯


        """)
  }

  // F7
  @Test func theButtonThatIsSelectedIsSeenOnTheSmallestScreen() {
    var dialog = AlertDialogState()
    for (selection, lines) in [
      (0, "Delete the\n[ Delete ]\n  Keep"), (1, "Delete the\n  Delete\n[ Keep ]"),
      (2, "Delete the\n  Keep\n[ Archive"),
    ] {
      dialog.selection = selection
      #expect(picture(dialog.view(alert, in: TerminalSize(width: 10, height: 3)), 10, 3) == lines)
    }
    for size in sizes {
      let lines = picture(dialog.view(alert, in: size), 80, 24).split(separator: "\n")
      #expect(lines.count <= size.height && lines.allSatisfy { $0.count <= size.width })
    }
  }

  // F7
  @Test func anAlertOfOneTextClosesByItself() {
    let alert = AlertState<Errands.Action.Alert> { TextState("日本語でも、長い題名は折り返される") }
    #expect(
      picture(AlertDialogState().view(alert, in: TerminalSize(width: 24, height: 8)), 24, 8) == """

         ╭────────────────────╮
         │ 日本語でも、長い題 │
         │ 名は折り返される   │
         │                    │
         │ [ OK ]             │
         ╰────────────────────╯

        """)
  }
}
