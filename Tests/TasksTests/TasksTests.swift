// A list of tasks: what happens to it.

import RondoTesting
import RondoWidgets
import Testing

@testable import tasks

@MainActor
@Suite struct TasksTests {
  private func store(_ titles: String...) -> TestStoreOf<Tasks> {
    let items = titles.enumerated().map { Item(id: UUID($0), title: $1) }
    return TestStore(
      initialState: Tasks.State(items: Shared(value: IdentifiedArray(uniqueElements: items)))
    ) {
      Tasks()
    } withDependencies: {
      $0.uuid = .incrementing
    }
  }

  // F7
  @Test func aTaskIsTypedAndAdded() async {
    let store = store()
    await store.send(.title(.insert("Buy milk "))) {
      $0.title = TextInput.State("Buy milk ", limit: 200)
    }
    await store.send(.titleSubmitted) {
      $0.$items.withLock { $0 = [Item(id: UUID(0), title: "Buy milk")] }
      $0.list.selection = UUID(0)
      $0.title.text = ""
    }
    // Nothing but spaces is no task.
    await store.send(.title(.insert("  "))) { $0.title = TextInput.State("  ", limit: 200) }
    await store.send(.titleSubmitted)
  }

  // F7
  @Test func everyLineOfTheHelpIsReached() async throws {
    for height in 4...24 {
      let store = store()
      store.exhaustivity = .off
      await store.send(.resized(TerminalSize(width: 80, height: height)))
      await store.send(.helpTapped)
      await store.send(.manual(.presented(.scroll(.end))))
      let last = try #require(Tasks.State.manualText.split(separator: "\n").last?.suffix(12))
      #expect(picture(store.state, 80, height).contains(last), "\(height) lines")
    }
  }

  // F7
  @Test func aTitleOfATaskThatHasGoneBecomesATask() async {
    let store = store("Buy milk")
    store.exhaustivity = .off
    await store.send(.editTapped)
    await store.send(.removeTapped)
    await store.send(.titleSubmitted)
    store.assert { #expect($0.items.map(\.title) == ["Buy milk"]) }
  }

  // F7
  @Test func aTitleIsEdited() async {
    let store = store("Buy milk", "Sow")
    await store.send(.focus(.next)) { $0.focus.field = .list }
    await store.send(.list(.move(.end))) { $0.list.selection = UUID(1) }
    await store.send(.editTapped) {
      $0.editedID = UUID(1)
      $0.title.text = "Sow"
      $0.title = TextInput.State("Sow", limit: 200)
      $0.focus.field = .title
    }
    await store.send(.title(.insert(" beans"))) {
      $0.title = TextInput.State("Sow beans", limit: 200)
    }
    await store.send(.titleSubmitted) {
      $0.$items.withLock { $0[id: UUID(1)]?.title = "Sow beans" }
      $0.editedID = nil
      $0.title.text = ""
      $0.focus.field = .list
    }
  }

  // F7
  @Test func whatIsDoneIsRemovedAfterAQuestion() async {
    let store = store("Buy milk", "Sow beans")
    await store.send(.removeDoneTapped)
    await store.send(.toggleTapped) { $0.$items.withLock { $0[id: UUID(0)]?.isDone = true } }
    await store.send(.removeDoneTapped) {
      $0.alert = AlertState {
        TextState("Remove what is done?")
      } actions: {
        ButtonState(role: .destructive, action: .confirmRemoval) { TextState("Remove") }
        ButtonState(role: .cancel) { TextState("Keep") }
      } message: {
        TextState("One task is done.")
      }
    }
    await store.send(.dialog(.next)) { $0.dialog.selection = 0 }
    await store.send(.dialog(.press))
    await store.receive(\.alert.confirmRemoval) {
      $0.alert = nil
      $0.dialog.selection = nil
      $0.$items.withLock { _ = $0.remove(id: UUID(0)) }
    }
  }

  // F7
  @Test func theSelectionGoesOnWhenDoneTasksAreHidden() async {
    let store = store("Buy milk", "Sow beans", "Read")
    await store.send(.list(.select(UUID(1)))) { $0.list.selection = UUID(1) }
    await store.send(.toggleTapped) { $0.$items.withLock { $0[id: UUID(1)]?.isDone = true } }
    await store.send(.doneShown) {
      $0.showsDone = false
      $0.list.selection = UUID(2)
    }
    await store.send(.removeTapped) {
      $0.$items.withLock { _ = $0.remove(id: UUID(2)) }
      $0.list.selection = UUID(0)
    }
  }

  // F7
  @Test func keysDoWhatTheHelpLineSays() {
    var state = store("Buy milk").state
    #expect(state.keys.help.map(\.key) == ["enter", "tab", "esc"])
    #expect(state.keys.command(for: .key(.character("q"))) == .send(.title(.insert("q"))))
    state.focus.field = .list
    #expect(state.keys.command(for: .key(.character("q"))) == .quit)
    #expect(state.keys.command(for: .key(.backTab)) == .send(.focus(.previous)))
    #expect(state.keys.command(for: .resized(.standard)) == .send(.resized(.standard)))
  }

  // F7
  @Test func theScreenHasASizeDownToTenByThree() {
    var state = store("Buy milk", "Sow beans").state
    state.focus.field = .list
    #expect(
      picture(state, 40, 10) == """
        Tasks                       2 of 2 to do
        New task: what is to be done
        ────────────────────────────────────────
        ▸ · Buy milk
          · Sow beans




        space done  enter edit  del remove  …
        """)
    #expect(picture(state, 10, 3) == "what is t…\n▸ · Buy mi\n  · Sow be")
    for (width, height) in [(80, 24), (10, 3), (3, 1), (1, 1)] {
      let lines = picture(state, 80, 24, drawnFor: TerminalSize(width: width, height: height))
        .split(separator: "\n")
      #expect(lines.count <= height && lines.allSatisfy { $0.count <= width })
    }
  }

  private func picture(
    _ state: Tasks.State, _ width: Int, _ height: Int, drawnFor size: TerminalSize? = nil
  ) -> String {
    let stage = Stage()
    let size = size ?? TerminalSize(width: width, height: height)
    stage.commit(state.screen(in: size), at: .zero)
    return Canvas(stage.frame(at: .zero), width: width, height: height).text
  }
}
