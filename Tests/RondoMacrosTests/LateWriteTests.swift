// What a control writes after its child has gone.

import Rondo
import Testing

@MainActor @Suite struct LateWriteTests {
  // A control that loses the focus while its sheet goes writes once more.
  @Test func aWriteToAChildThatHasGoneIsDropped() throws {
    let store = Store(initialState: Screen.State(note: Note.State())) { Screen() }
    let note = try #require(store.scope(state: \.note, action: \.note.presented))
    let part = note.scope(state: \.self, action: \.self)
    let binding = note.binding(get: { $0.text }, send: { .binding(.set(\.text, $0)) })
    store.send(.note(.dismiss))
    note.text = "late"
    part.text = "late"
    binding.wrappedValue = "late"
    #expect(note.text == "")
    #expect(store.note == nil)
  }
}

@Reducer
private struct Note {
  @ObservableState struct State: Equatable { var text = "" }
  enum Action: BindableAction { case binding(BindingAction<State>) }
  var body: some ReducerOf<Self> { BindingReducer() }
}

@Reducer
private struct Screen {
  @ObservableState struct State: Equatable { @Presents var note: Note.State? }
  enum Action { case note(PresentationAction<Note.Action>) }
  var body: some ReducerOf<Self> {
    EmptyReducer().ifLet(\.$note, action: \.note) { Note() }
  }
}
