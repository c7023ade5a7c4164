// A text field.

import RondoSeededRandomness
import RondoTesting
import RondoWidgets
import Testing

@MainActor
@Suite struct TextInputTests {
  private func store(_ state: TextInput.State) -> TestStoreOf<TextInput> {
    TestStore(initialState: state) { TextInput() }
  }

  /// The state after some actions.
  private func text(_ state: TextInput.State, _ actions: TextInput.Action...) -> TextInput.State {
    var state = state
    for action in actions { _ = TextInput().reduce(into: &state, action: action) }
    return state
  }

  // F7
  @Test func aTextIsTypedAndChanged() async {
    let store = store(TextInput.State())
    await store.send(.insert("h")) { $0 = TextInput.State("h") }
    await store.send(.insert("ello world")) { $0 = TextInput.State("hello world") }
    await store.send(.move(.wordLeft)) { $0 = TextInput.State("hello world", cursor: 6) }
    await store.send(.move(.left)) { $0 = TextInput.State("hello world", cursor: 5) }
    await store.send(.delete(.left)) { $0 = TextInput.State("hell world", cursor: 4) }
    await store.send(.delete(.right)) { $0 = TextInput.State("hellworld", cursor: 4) }
    await store.send(.move(.end)) { $0 = TextInput.State("hellworld") }
    await store.send(.delete(.start)) { $0 = TextInput.State() }
  }

  // F7
  @Test(
    arguments: [
      (.wordLeft, "one  two three", 14, 9), (.wordLeft, "one  two three", 9, 5),
      (.wordLeft, "one  two", 4, 0), (.wordLeft, "one  ", 5, 0), (.wordLeft, "", 0, 0),
      (.wordRight, "one  two", 0, 3), (.wordRight, "one  two", 3, 8), (.wordRight, "one  ", 3, 5),
      (.left, "a", 0, 0), (.right, "a", 1, 1), (.start, "日本 語", 4, 0), (.wordLeft, "日本 語", 4, 3),
    ] as [(TextInput.Reach, String, Int, Int)])
  func theCursorMoves(_ reach: TextInput.Reach, _ text: String, _ from: Int, _ to: Int) {
    let moved = self.text(TextInput.State(text, cursor: from), .move(reach))
    #expect(moved == TextInput.State(text, cursor: to))
    // The characters between the two places are deleted.
    let deleted = self.text(TextInput.State(text, cursor: from), .delete(reach))
    let characters = Array(text)
    let rest = String(characters[..<min(from, to)] + characters[max(from, to)...])
    #expect(deleted == TextInput.State(rest, cursor: min(from, to)))
  }

  // F7
  @Test func anAccentJoinsTheLetterBeforeIt() {
    #expect(text(TextInput.State("e"), .insert("\u{301}")) == TextInput.State("é", cursor: 1))
    // Behind the cursor, too: what is between them goes.
    let text = text(TextInput.State("ex\u{301}y", cursor: 1), .delete(.right), .insert("a"))
    #expect(text == TextInput.State("eay", cursor: 2))
    let lone = self.text(TextInput.State("\u{301}y", cursor: 0), .insert("a"))
    #expect(lone == TextInput.State("áy", cursor: 1))
  }

  // F7
  @Test func aFamilyIsOneCharacter() {
    let state = text(TextInput.State("a👩‍👩‍👧b"), .move(.left), .delete(.left))
    #expect(state == TextInput.State("ab", cursor: 1))
    #expect(text(TextInput.State("🇩"), .insert("🇪")) == TextInput.State("🇩🇪", cursor: 1))
  }

  // F7
  @Test(arguments: [
    ("two\nlines", "two lines"), ("a\r\nb\rc", "a b c"), ("a\tb", "a b"),
    ("\u{1b}[31mred", "[31mred"),
    ("a\u{0}b\u{7f}\u{9b}c", "abc"), ("a\u{2028}b", "a b"), ("日本\n", "日本 "), ("", ""),
  ])
  func whatIsPastedIsOneLineThatNothingObeys(_ pasted: String, _ line: String) {
    #expect(text(TextInput.State(), .insert(pasted)).text == line)
  }

  // F7
  @Test(arguments: ["word ", "日本e\u{301}\n"])
  func aMegabyteIsPasted(_ piece: String) {
    let pasted = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
    let state = text(TextInput.State("<>", cursor: 1), .insert(pasted))
    #expect(state.cursor == 1 + pasted.count)
    #expect(state.text.hasPrefix("<") && state.text.hasSuffix(">"))
    let picture = picture(state.view(in: TerminalSize(width: 10, height: 1)), 10, 1)
    #expect(picture.hasSuffix(">"), "\(picture)")
    #expect(text(state, .delete(.start)) == TextInput.State(">", cursor: 0))
  }

  // F7
  @Test func aLimitIsKept() {
    let state = TextInput.State("abc", cursor: 1, limit: 4)
    #expect(text(state, .insert("xyz")).text == "axbc")
    #expect(text(state, .insert("xyz"), .insert("w")).text == "axbc")
  }

  @Test(arguments: [
    (Int.max, "abx"), (.max - 1, "abx"), (.max - 2, "abx"), (0, "ab"), (.min, "ab"),
  ])
  func aLimitMayBeAnyNumber(_ limit: Int, _ shown: String) {
    #expect(text(TextInput.State("ab", limit: limit), .insert("x")).text == shown)
    #expect(text(TextInput.State(limit: limit), .insert("")).text == "")
  }

  // F7
  @Test func whatJoinsACharacterTakesNoRoom() {
    let state = TextInput.State("abce", limit: 4)
    #expect(text(state, .insert("\u{301}")).text == "abce\u{301}")
    #expect(text(state, .insert("\u{301}x")).text == "abce\u{301}")
    let family = ["👩", "\u{200D}", "👩", "\u{200D}", "👧"].map { TextInput.Action.insert($0) }
    let joined = family.reduce(TextInput.State("abc", limit: 4)) { text($0, $1) }
    #expect(joined.text == "abc👩‍👩‍👧")
  }

  // F7
  @Test func aTextThatIsReplacedKeepsTheCursorInside() {
    var state = TextInput.State("hello", cursor: 3)
    state.text = "hi"
    #expect(state == TextInput.State("hi", cursor: 2))
    state.text = ""
    #expect(state == TextInput.State())
    #expect(TextInput.State("ab", cursor: -1).cursor == 0)
    #expect(TextInput.State("ab", cursor: .max).cursor == 2)
  }

  // F7
  @Test func anyEditIsThatOfAListOfCharacters() {
    let alphabet: [Character] = ["a", "b", " ", "日", "👩‍👩‍👧", "é", "-"]
    forEachSeed(60) { random in
      var state = TextInput.State()
      var (characters, cursor) = ([Character](), 0)
      for _ in 0..<30 {
        func isSpace(_ place: Int) -> Bool { characters[place] == " " }
        let reach: TextInput.Reach = [.left, .right, .wordLeft, .wordRight, .start, .end]
          .randomElement(using: &random)!
        var target = cursor
        switch reach {
        case .left: target -= target > 0 ? 1 : 0
        case .right: target += target < characters.count ? 1 : 0
        case .start: target = 0
        case .end: target = characters.count
        case .wordLeft:
          while target > 0, isSpace(target - 1) { target -= 1 }
          while target > 0, !isSpace(target - 1) { target -= 1 }
        case .wordRight:
          while target < characters.count, isSpace(target) { target += 1 }
          while target < characters.count, !isSpace(target) { target += 1 }
        }
        switch random.int(in: 0..<4) {
        case 0:
          state = text(state, .move(reach))
          cursor = target
        case 1:
          state = text(state, .delete(reach))
          characters.removeSubrange(min(cursor, target)..<max(cursor, target))
          cursor = min(cursor, target)
        default:
          let piece = (0...random.int(in: 0..<4)).map { _ in alphabet.randomElement(using: &random)!
          }
          state = text(state, .insert(String(piece)))
          characters.insert(contentsOf: piece, at: cursor)
          cursor += piece.count
        }
        #expect(state == TextInput.State(String(characters), cursor: cursor))
      }
    }
  }

  // F7
  @Test func noEditLosesAScalarOrCutsACharacter() {
    let scalars: [Unicode.Scalar] = [
      "a", "\u{301}", "\u{200D}", "🇩", "🇪", "👩", "\u{FE0F}", " ", "日",
    ]
    forEachSeed(60) { random in
      var state = TextInput.State()
      for _ in 0..<30 {
        let before = Array(state.text.prefix(state.cursor).unicodeScalars)
        let after = Array(state.text.dropFirst(state.cursor).unicodeScalars)
        if random.int(in: 0..<3) == 0 {
          state = text(state, .move(Bool.random(using: &random) ? .left : .wordRight))
          #expect(Array(state.text.unicodeScalars) == before + after)
        } else {
          let scalar = scalars.randomElement(using: &random)!
          state = text(state, .insert(String(Character(scalar))))
          #expect(Array(state.text.unicodeScalars) == before + [scalar] + after)
          #expect(state.text.prefix(state.cursor).unicodeScalars.count > before.count)
        }
        #expect((0...state.text.count).contains(state.cursor))
        // A picture of any of it is one line of the size that was asked for.
        let width = random.int(in: 0..<12)
        let shown = canvas(state.view(in: TerminalSize(width: width, height: 1)), 20, 2)
        let beside = (width..<20).map { shown[column: $0, row: 0] }
        let below = (0..<20).map { shown[column: $0, row: 1] }
        #expect((beside + below).allSatisfy { $0 == .blank })
      }
    }
  }

  // MARK: Keys

  // F7
  @Test(
    arguments: [
      (.key(.character("x")), .insert("x")), (.paste("a\nb"), .insert("a\nb")),
      (.key(.backspace), .delete(.left)), (.key(.delete), .delete(.right)),
      (.key(.control("w")), .delete(.wordLeft)), (.key(.control("u")), .delete(.start)),
      (.key(.control("k")), .delete(.end)), (.key(.home), .move(.start)), (.key(.end), .move(.end)),
      (.key(.wordLeft), .move(.wordLeft)), (.key(.enter), nil), (.key(.tab), nil),
      (.key(.escape), nil),
      (.key(.up), nil), (.key(.endOfInput), nil), (.resized(.standard), nil),
    ] as [(TerminalEvent, TextInput.Action?)])
  func anEventIsAnAction(_ event: TerminalEvent, _ action: TextInput.Action?) {
    #expect(TextInput.Action(event) == action)
  }

  // MARK: Pictures

  private func view(
    _ text: String, cursor: Int? = nil, width: Int = 12, prompt: String = "", isFocused: Bool = true
  ) -> String {
    picture(
      TextInput.State(text, cursor: cursor).view(
        in: TerminalSize(width: width, height: 1), prompt: prompt, placeholder: "a title",
        isFocused: isFocused),
      width, 1)
  }

  // F7
  @Test func theTextIsSeenWithItsCursor() {
    #expect(view("hello") == "hello█")
    #expect(view("hello", isFocused: false) == "hello")
    #expect(view("hello", prompt: "> ") == "> hello█")
    #expect(view("", isFocused: false) == "a title")
    // There is no room for such a prompt.
    #expect(view("hello", prompt: "a long prompt: ") == "hello█")
    let canvas = canvas(
      TextInput.State("a日b", cursor: 1).view(in: TerminalSize(width: 10, height: 1)), 10, 1)
    let places = (0..<10).filter { canvas[column: $0, row: 0].background != nil }
    #expect(places == [1, 2])
    #expect(canvas.text == "a日b")
  }

  // F7
  @Test func aLongTextScrollsSoThatTheCursorIsSeen() {
    let text = "abcdefghijklmnopqrstuvwxyz"
    #expect(view(text) == "pqrstuvwxyz█")
    #expect(view(text, cursor: 25) == "opqrstuvwxyz")
    #expect(view(text, cursor: 13) == "fghijklmnopq")
    #expect(view(text, cursor: 2) == "abcdefghijkl")
    #expect(view("日本語日本語日本語", width: 7) == "日本語█")
    #expect(view("日本語日本語日本語", width: 8) == "日本語█")
    #expect(view(text, width: 1) == "█")
    #expect(view(text, cursor: 3, width: 1) == "d")
  }

  // F7
  @Test func aPasswordIsNotSeen() {
    let state = TextInput.State("日é1")
    #expect(
      picture(state.view(in: TerminalSize(width: 9, height: 1), mask: "•"), 9, 1) == "•••█")
  }
}
