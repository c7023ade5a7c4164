// A text that is longer than the screen.

import RondoTesting
import RondoWidgets
import Testing

@MainActor
@Suite struct ScrollingTextTests {
  private let text = "one two three four five six seven eight nine ten"
  private let size = TerminalSize(width: 12, height: 3)

  // F7
  @Test func aTextScrollsToItsEndAndNoFurther() async {
    let store = TestStore(initialState: ScrollingText.State(text, size: size)) { ScrollingText() }
    #expect(
      store.state.lines == ["one two", "three four", "five six", "seven", "eight nine", "ten"])
    store.exhaustivity = .off
    await store.send(.scroll(.rows(1)))
    #expect(store.state.top == 1)
    await store.send(.scroll(.pages(1)))
    #expect(store.state.top == 3 && store.state.isAtEnd)
    await store.send(.scroll(.rows(.max)))
    #expect(store.state.top == 3)
    await store.send(.scroll(.start))
    #expect(store.state.top == 0 && !store.state.isAtEnd)
    await store.send(.scroll(.end))
    #expect(store.state.top == 3)
  }

  // F7
  @Test func aLargerRoomShowsTheEnd() {
    var state = ScrollingText.State(text, size: size)
    _ = ScrollingText().reduce(into: &state, action: .scroll(.end))
    state.size = TerminalSize(width: 80, height: 3)
    #expect(state.lines == [text] && state.top == 0)
    state.text = ""
    #expect(state.lines == [""])
  }

  // F7
  @Test func aPartIsSeenWithABar() {
    var state = ScrollingText.State(text, size: size)
    #expect(
      picture(state.view(in: size), 12, 3) == """
        one two    ┃
        three four │
        five six   │
        """)
    _ = ScrollingText().reduce(into: &state, action: .scroll(.end))
    #expect(
      picture(state.view(in: size), 12, 3) == """
        seven      │
        eight nine │
        ten        ┃
        """)
    // In a lower room than it has been told, the end is seen all the same.
    #expect(picture(state.view(in: TerminalSize(width: 12, height: 1)), 12, 1) == "ten        ┃")
    for size in sizes {
      let lines = picture(state.view(in: size), 80, 24).split(separator: "\n")
      #expect(lines.count <= size.height && lines.allSatisfy { $0.count <= size.width })
    }
  }
}
