// A list with a selection that moves and scrolls.

import RondoSeededRandomness
import RondoTesting
import RondoWidgets
import Testing

@MainActor
@Suite struct ListPickerTests {
  // F7
  @Test func theSelectionMovesAndTheListFollows() async {
    let store = TestStore(initialState: Errands.State(count: 6)) { Errands() }
    await store.send(.list(.move(.rows(1)))) { $0.list.selection = 1 }
    await store.send(.list(.move(.rows(1)))) { $0.list.selection = 2 }
    await store.send(.list(.move(.rows(1)))) {
      $0.list.selection = 3
      $0.list.top = 1
    }
    await store.send(.list(.move(.rows(-1)))) { $0.list.selection = 2 }
    await store.send(.list(.move(.pages(1)))) {
      $0.list.selection = 5
      $0.list.top = 3
    }
    await store.send(.list(.move(.start))) {
      $0.list.selection = 0
      $0.list.top = 0
    }
    await store.send(.list(.move(.rows(-1))))
    await store.send(.list(.select(4))) {
      $0.list.selection = 4
      $0.list.top = 2
    }
    await store.send(.list(.select(99)))
  }

  // F7
  @Test func anElementThatGoesLeavesTheSelectionToTheNextOne() async {
    var state = Errands.State(count: 6)
    state.list.selection = 3
    let store = TestStore(initialState: state) { Errands() }
    await store.send(.removed([3])) {
      $0.errands.remove(id: 3)
      $0.list.selection = 4
    }
    await store.send(.removed([0])) { $0.errands.remove(id: 0) }
    await store.send(.removed([4, 5])) {
      $0.errands.removeAll { $0.id > 2 }
      $0.list.selection = 2
    }
    await store.send(.removed([1, 2])) {
      $0.errands = []
      $0.list.selection = nil
    }
    #expect(store.state.list.selected(in: store.state.errands) == nil)
  }

  // F7
  @Test func aSelectionWaitsForElementsThatAreLoadedLater() {
    var state = Errands.State(count: 0)
    state.list.selection = 3
    _ = Errands().reduce(into: &state, action: .removed([]))
    #expect(state.list.selection == 3)
    #expect(state.list.selected(in: state.errands) == nil)
    state.errands = Errands.State(count: 6).errands
    _ = Errands().reduce(into: &state, action: .removed([]))
    #expect(state.list.selected(in: state.errands)?.id == 3)
  }

  // F7
  @Test func aSelectionIsAlwaysAnElementThatIsSeen() {
    forEachSeed(40) { random in
      var state = Errands.State(count: random.int(in: 0..<12))
      state.list.height = random.int(in: 0..<6)
      for _ in 0..<20 {
        let action: Errands.Action =
          switch random.int(in: 0..<6) {
          case 0: .list(.move(.rows([-1, 1, 3, .min, .max].randomElement(using: &random)!)))
          case 1: .list(.move(.pages([-1, 1, .min, .max].randomElement(using: &random)!)))
          case 2: .list(.move(Bool.random(using: &random) ? .start : .end))
          case 3: .list(.select(random.int(in: 0..<14)))
          default: .removed([random.int(in: 0..<12)])
          }
        _ = Errands().reduce(into: &state, action: action)
        let (list, ids) = (state.list, Array(state.errands.ids))
        #expect(list.selection.map(ids.contains) ?? true)
        #expect(list.top >= 0 && list.top <= max(0, ids.count - max(1, list.height)))
        let size = TerminalSize(width: 8, height: random.int(in: 1..<6))
        let seen = picture(view(state, size), 8, size.height)
        #expect(
          ids.isEmpty || seen.split(separator: "\n").count { $0.hasPrefix("▸") } == 1, "\(seen)")
      }
    }
  }

  private func view(_ state: Errands.State, _ size: TerminalSize) -> Node {
    state.list.view(state.errands, in: size) { errand, _ in Node.text("errand \(errand.id)") }
  }

  // F7
  @Test func theRowsAreSeenWithAMarkAndABar() {
    var state = Errands.State(count: 6)
    state.list.selection = 4
    func lines(_ width: Int, _ height: Int) -> [Substring] {
      picture(view(state, TerminalSize(width: width, height: height)), width, height)
        .split(separator: "\n")
    }
    #expect(lines(14, 3) == ["  errand 2   │", "  errand 3   ┃", "▸ errand 4   │"])
    #expect(lines(10, 8) == (0..<6).map { "\($0 == 4 ? "▸" : " ") errand \($0)" })
    #expect(lines(6, 1) == ["▸ er ┃"])
    // The row is seen where the terminal shows no colours, and its colour where it does.
    let canvas = canvas(view(state, TerminalSize(width: 14, height: 3)), 14, 3)
    #expect((0..<14).filter { canvas[column: $0, row: 2].background != nil } == Array(0..<12))
  }

  // F7
  @Test func noSizeIsTooSmall() {
    for size in sizes {
      for count in [0, 1, 100] {
        let text = picture(view(Errands.State(count: count), size), 80, 24)
        let lines = text.split(separator: "\n")
        #expect(lines.count <= size.height && lines.allSatisfy { $0.count <= size.width })
      }
    }
  }
}
