// V11: what has not changed is not looked at again, and nobody can tell.

import Foundation
import Rondo
import RondoSeededRandomness
import Testing

@testable import RondoRecording

@MainActor @Suite struct UnchangedRules {
  // V11
  @Test(arguments: [false, true])
  func V11_treesThatWereKeptAreThoseOfTheValues(isRedacted: Bool) throws {
    try forEachSeed(Soak.isOn ? 3 : 2) { random in
      let file = TemporaryFile()
      World.tone = 0
      let store = Store(initialState: Zoo.State(&random)) { Zoo() }
      let recording = try store.record(
        to: file.url, redacting: isRedacted ? [.state(\.favourite?.name), .state(\.byName)] : [])
      @MainActor func tree() -> RecordedNode {
        let tree = RecordedNode(of: store.withState { $0 })
        return isRedacted ? tree.hiding("favourite", "name").hiding("byName") : tree
      }
      var trees = [tree()]
      for _ in 0..<random.int(in: 1..<40) {
        if random.int(in: 0..<6) == 0 { World.tone += 1 }
        // Weak references may end with the state before.
        let before = store.withState { $0 }
        store.send(Zoo.Action(seed: random.next()))
        trees.append(tree())
        withExtendedLifetime(before) {}
      }
      recording.end()
      let recorded = try RecordingFile(contentsOf: file.url)
      #expect(recorded.begin.state == trees[0])
      #expect(recorded.commits.count == trees.count - 1)
      for (commit, (old, new)) in zip(recorded.commits, zip(trees, trees.dropFirst())) {
        #expect(commit.digest == new.digest)
        #expect(commit.changes == old.changes(to: new))
        guard commit.digest == new.digest else { break }
      }
    }
  }

  // V11
  @Test func V11_anObjectThatIsChangedInPlaceIsRecorded() throws {
    let file = TemporaryFile()
    let box = Box()
    let store = Store(initialState: [[box]]) { Reduce<[[Box]], Int> { _, _ in .none } }
    let recording = try store.record(to: file.url)
    box.number = 7
    store.send(1)
    recording.end()
    let changes = try RecordingFile(contentsOf: file.url).commits[0].changes
    #expect(changes.map(\.path) == [["0", "0", "number"]])
  }

  // V11
  @Test func V11_aRowThatHasMovedIsRecordedAtItsPlace() throws {
    let file = TemporaryFile()
    let rows = (0..<20).map { Animal(id: $0, name: "a name of more than fifteen bytes \($0)") }
    let store = Store(initialState: rows) {
      Reduce<[Animal], Int> { rows, action in
        if action == 0 { rows.shuffle() } else { rows.insert(Animal(id: 20), at: 3) }
        return .none
      }
    }
    let recording = try store.record(to: file.url)
    store.send(0)
    let shuffled = RecordedNode(of: store.withState { $0 })
    store.send(1)
    let inserted = RecordedNode(of: store.withState { $0 })
    recording.end()
    let commits = try RecordingFile(contentsOf: file.url).commits
    #expect(commits.map(\.digest) == [shuffled.digest, inserted.digest])
    #expect(commits[1].changes == shuffled.changes(to: inserted))
  }

  // V11
  @Test func V11_anObjectInTheStateIsNotKeptAlive() throws {
    let file = TemporaryFile()
    let store = Store(initialState: [Box()]) {
      Reduce<[Box], Int> { boxes, _ in
        boxes = []
        return .none
      }
    }
    weak let box = store.withState { $0[0] }
    let recording = try store.record(to: file.url)
    store.send(0)
    #expect(box == nil)
    recording.end()
  }

  // V11
  @Test func V11_anObjectInARedactedMemberIsNotKeptAlive() throws {
    struct State {
      var secret = Redacted<Box?>(Box())
      var name = ""
    }
    let file = TemporaryFile()
    let store = Store(initialState: State()) {
      Reduce<State, Int> { state, _ in
        state.secret.wrappedValue = nil
        return .none
      }
    }
    weak let box = store.withState { $0.secret.wrappedValue }
    let recording = try store.record(to: file.url)
    store.send(0)
    #expect(box == nil)
    recording.end()
  }

  // V11
  @Test func V11_entriesThatBecomeObjectsAreTakenApartInTheOrderOfTheirKeys() {
    // A dictionary has an order of its own in each process and of each size.
    for count in 2..<30 {
      var memory = TreeMemory()
      var moods = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", Mood.calm) })
      #expect(memory.tree(of: moods) == RecordedNode(of: moods))
      let box = Box()
      for key in moods.keys { moods[key] = .boxed(box) }
      #expect(memory.tree(of: moods) == RecordedNode(of: moods))
    }
  }

  // V11
  @Test func V11_partsThatHaveNotChangedAreNotTakenApartAgain() {
    struct State {
      var rows = IdentifiedArray(uniqueElements: (0..<50).map { Animal(id: $0) })
      var optionals = (0..<50).map { Optional(Animal(id: $0)) }
      var byNumber = Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, Animal(id: $0)) })
      var secret = Redacted("")
      var range: Range<Int>? = 0..<1
      var nested = Nested()
      var box = Box()
      var name = ""

      struct Nested {
        var list = (0..<50).map { Animal(id: $0) }
      }
    }
    var state = State()
    var memory = TreeMemory()
    let old = memory.tree(of: state)
    state.rows[id: 7]?.name = "seven"
    state.optionals.removeFirst()
    state.byNumber[7]?.name = "seven"
    state.nested.list.insert(Animal(id: 50), at: 0)
    state.name = "changed"
    state.box.number += 1
    let new = memory.tree(of: state)
    #expect(new == RecordedNode(of: state))
    /// Whether a part is the same tree in the same place in memory.
    func isKept(_ path: [String], from oldPath: [String]) -> Bool? {
      guard let after = new[path], let before = old[oldPath] else { return nil }
      return after.children.withUnsafeBufferPointer { after in
        before.children.withUnsafeBufferPointer { after.baseAddress == $0.baseAddress }
      }
    }
    for index in 0..<50 where index != 7 {
      #expect(isKept(["rows", "\(index)"], from: ["rows", "\(index)"]) == true)
      #expect(isKept(["byNumber", "\(index)"], from: ["byNumber", "\(index)"]) == true)
    }
    for index in 0..<49 {
      #expect(isKept(["optionals", "\(index)"], from: ["optionals", "\(index + 1)"]) == true)
      let (place, oldPlace) = ("\(index + 1)", "\(index)")
      #expect(isKept(["nested", "list", place], from: ["nested", "list", oldPlace]) == true)
    }
    #expect(isKept(["rows", "7"], from: ["rows", "7"]) == false)
    #expect(isKept(["box"], from: ["box"]) == false)
  }

  // V11
  @Test func V11_aDeepKeyOfADictionaryIsPrinted() {
    struct Key: Hashable {
      var chain = Chain.end
      static func == (left: Key, right: Key) -> Bool { true }
      func hash(into hasher: inout Hasher) {}
    }
    var key = Key()
    for number in 0..<30_000 { key.chain = .link(number, next: key.chain) }
    var memory = TreeMemory()
    #expect(memory.tree(of: [key: 1]).children.count == 1)
    #expect(RecordedNode(of: [key: 1]).children.count == 1)
  }
}

extension RecordedNode {
  /// The tree without a member.
  fileprivate func hiding(_ path: String...) -> RecordedNode {
    guard let child = self[path], child.kind != nil || child.value != "nil" else {
      return self
    }
    return applying([RecordedChange(path: path, new: .redacted)])
  }
}

/// A value that prints of values depend on, and that no state has.
@MainActor private enum World {
  nonisolated static let shared = Shared(value: 0)

  static var tone: Int {
    get { shared.wrappedValue }
    set { shared.withLock { $0 = newValue } }
  }
}

private final class Box {
  var number = 0
  var animals: [Animal] = []
}

private struct Holder {
  var box: Box?
  weak var other: Box?
}

private struct Mirrored: CustomReflectable {
  var number = 0
  var customMirror: Mirror {
    Mirror(self, children: ["sum": number + World.shared.wrappedValue], displayStyle: .struct)
  }
}

private struct Described: CustomDumpStringConvertible {
  var customDumpDescription: String { "tone \(World.shared.wrappedValue)" }
}

private enum Said: CustomStringConvertible {
  case word
  var description: String { "word \(World.shared.wrappedValue)" }
}

private struct Represented: CustomDumpRepresentable {
  var number = 0
  var customDumpValue: Any { [number, World.shared.wrappedValue] }
}

private struct Key: Hashable, CustomStringConvertible {
  var text: String
  var description: String { text }
}

private protocol Shape {}
private struct Circle: Shape { var radius = 0.0 }
private struct Square: Shape {
  var isFilled = false
  var side = 0.0
  var name = ""
  var color = (1, true, 2.5)
}
extension Box: Shape {}

private indirect enum Chain {
  case end
  case link(Int, next: Chain)
}

private enum Mood {
  case calm
  case angry(at: String, level: Int8)
  case holding(Animal?)
  case boxed(Box)
}

private struct Animal: Identifiable {
  let id: Int
  var name = ""
  var isTame = false
  var weight = 0.0
  var seen: Date?
  var small: Int8 = 0
  var tags: [String] = []
  var friends: [Int: [String]] = [:]
  var key = Redacted("")
  var isFed = false
  var place: (Bool, Double, String) = (false, 0, "")
  var url: URL?
}

private struct Zoo: Reducer {
  struct State {
    var name = ""
    var rows: IdentifiedArrayOf<Animal> = []
    var list: [Animal] = []
    var optionals: [Animal?] = []
    var optionalList: [Animal]?
    var favourite: Animal?
    var byName: [String: Animal] = [:]
    var byKey: [Key: [Double]] = [:]
    var byNumber: [Int: Animal] = [:]
    var words: Set<String> = []
    var groups: [[[Animal]]] = []
    var shapes: [any Shape] = []
    var anything: [Any] = []
    var moods: [Mood] = []
    var boxes: [Box] = []
    var holders: [Holder] = []
    var mirrored: [Mirrored] = []
    var described: [Described] = []
    var said: [Said] = []
    var represented: [Represented] = []
    var shared: [Shared<[Animal]>] = []
    var presented = PresentationState<Animal>(wrappedValue: nil)
    var stack = StackState<Animal>()
    var chain = Chain.end
    var numbers: [Double] = []
    var data: [Data] = []
    var text: Substring = ""
    var secrets: [Redacted<String>] = []
    var redactedRows: [Redacted<Animal>?] = []
    var small: [Int8] = []
    var floats: ContiguousArray<Float> = []
    var slice: ArraySlice<Int> = []
    var range = 0..<1
    var letter: Character = "a"
    var unchanged = (1...20).map { Animal(id: $0) }

    init(_ random: inout Randomness) {
      for _ in 0..<random.int(in: 0..<60) { change(&random) }
    }
  }

  struct Action {
    var seed: UInt64
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    var random = Randomness(seed: action.seed)
    for _ in 0..<random.int(in: 0..<4) { state.change(&random) }
    return .none
  }
}

extension Randomness {
  fileprivate mutating func text() -> String {
    let words = [
      "", "a", "cat", "12", "3", "a text of more than fifteen bytes", "two\nlines", "é\u{0}",
    ]
    return words[int(in: 0..<words.count)] + (bool() ? "\(int(in: 0..<5))" : "")
  }

  fileprivate mutating func number() -> Double {
    let numbers = [0, -0.0, 1, .nan, -.nan, .infinity, Double(nan: 3, signaling: false), 0.1]
    return numbers[int(in: 0..<numbers.count)]
  }

  fileprivate mutating func shape() -> any Shape {
    let shapes: [any Shape] = [Circle(), Square(), Box()]
    return shapes[int(in: 0..<3)]
  }

  fileprivate mutating func anything() -> Any {
    let values: [Any] = [animal(), number(), text(), Box()]
    return values[int(in: 0..<4)]
  }

  fileprivate mutating func animal() -> Animal {
    var animal = Animal(id: int(in: 0..<30))
    for _ in 0..<3 { change(&animal) }
    return animal
  }

  fileprivate mutating func change(_ animal: inout Animal) {
    switch int(in: 0..<13) {
    case 0: animal.name = text()
    case 1: animal.name += "!"
    case 2: animal.isTame.toggle()
    case 3: animal.weight = number()
    case 4: animal.seen = bool() ? nil : Date(timeIntervalSince1970: Double(int(in: 0..<3)))
    case 5: animal.small &+= 1
    case 6: animal.tags.append(text())
    case 7: animal.friends[int(in: 0..<4), default: []].append(text())
    case 8: animal.key = Redacted(text())
    case 9: animal.place.1 = number()
    case 10: animal.place.2 = text()
    case 11: animal.url = URL(string: "https://example.org/\(int(in: 0..<4))")
    default: animal.isFed.toggle()
    }
  }

  /// Changes a list in one of the ways in which lists are changed.
  fileprivate mutating func change<Element>(
    _ list: inout [Element], _ new: (inout Self) -> Element,
    _ edit: (inout Self, inout Element) -> Void
  ) {
    guard !list.isEmpty else { return list.append(new(&self)) }
    let index = int(in: 0..<list.count)
    switch int(in: 0..<9) {
    case 0: list.append(new(&self))
    case 1: list.insert(new(&self), at: index)
    case 2: list.remove(at: index)
    case 3: list.swapAt(0, index)
    case 4: list[index] = list[0]
    case 5: list.reverse()
    case 6: list = Array(list)
    default: edit(&self, &list[index])
    }
  }
}

extension Zoo.State {
  fileprivate mutating func change(_ random: inout Randomness) {
    func edit(_ random: inout Randomness, _ animal: inout Animal) { random.change(&animal) }
    switch random.int(in: 0..<37) {
    case 0: name = random.text()
    case 1: rows.append(random.animal())
    case 2: if !rows.isEmpty { random.change(&rows[random.int(in: 0..<rows.count)]) }
    case 3: if !rows.isEmpty { rows.remove(at: random.int(in: 0..<rows.count)) }
    case 4: if !rows.isEmpty { rows.swapAt(0, random.int(in: 0..<rows.count)) }
    case 5, 6: random.change(&list, { $0.animal() }, edit)
    case 7:
      random.change(&optionals, { $0.bool() ? nil : $0.animal() }) { random, animal in
        if animal == nil { animal = random.animal() } else { random.change(&animal!) }
      }
    case 8: optionalList = random.bool() ? nil : list
    case 9: if optionalList?.isEmpty == false { random.change(&optionalList![0]) }
    case 10: favourite = random.bool() ? nil : random.animal()
    case 11: byName[random.text()] = random.bool() ? nil : random.animal()
    case 12: for key in byName.keys.prefix(1) { random.change(&byName[key]!) }
    case 13: byKey[Key(text: random.text()), default: []].append(random.number())
    case 14: byNumber[random.int(in: 0..<9)] = random.animal()
    case 15: for key in byNumber.keys.prefix(1) { random.change(&byNumber[key]!) }
    case 16: words.formSymmetricDifference([random.text()])
    case 17:
      random.change(&groups, { [[$0.animal()], []] }) { random, group in
        random.change(&group, { [$0.animal()] }) { $0.change(&$1, { $0.animal() }, edit) }
      }
    case 18:
      random.change(&shapes, { $0.shape() }) {
        random, shape in
        if var square = shape as? Square {
          square.name = random.text()
          square.side = random.number()
          shape = square
        }
        (shape as? Box)?.number += 1
      }
    case 19:
      random.change(&anything, { $0.anything() }) {
        random, value in
        value = [random.animal()]
      }
    case 20:
      random.change(&moods, { $0.bool() ? .calm : .holding($0.animal()) }) { random, mood in
        if case .boxed(let box) = mood { box.number += 1 }
        mood = random.bool() ? .angry(at: random.text(), level: 3) : .boxed(Box())
      }
    case 21: random.change(&boxes, { _ in Box() }) { $1.number += $0.int(in: 0..<2) }
    case 22: for box in boxes.prefix(1) { random.change(&box.animals, { $0.animal() }, edit) }
    case 23: holders.append(Holder(box: boxes.first, other: boxes.last))
    case 24: random.change(&mirrored, { _ in Mirrored() }) { $1.number += $0.int(in: 0..<2) }
    case 25: described.append(Described())
    case 26: said.append(.word)
    case 27: random.change(&represented, { _ in Represented() }) { $1.number += $0.int(in: 0..<2) }
    case 28: shared.append(Shared(value: list))
    case 29:
      for value in shared.prefix(1) {
        value.withLock { random.change(&$0, { $0.animal() }, edit) }
      }
    case 30: presented.wrappedValue = random.bool() ? nil : random.animal()
    case 31: if presented.wrappedValue != nil { random.change(&presented.wrappedValue!) }
    case 32: stack.append(random.animal())
    case 33: for id in stack.ids.prefix(1) { random.change(&stack[id: id]!) }
    case 34: for number in 0..<random.int(in: 1..<30) { chain = .link(number, next: chain) }
    case 35: random.change(&numbers, { $0.number() }) { $1 = $0.number() }
    default:
      data.append(Data(random.text().utf8))
      text = Substring(random.text())
      secrets.append(Redacted(random.text()))
      redactedRows.append(random.bool() ? nil : Redacted(random.animal()))
      small.append(Int8(random.int(in: 0..<9)))
      floats.append(Float(random.number()))
      slice.append(1)
      range = 0..<random.int(in: 0..<3)
      letter = random.bool() ? "a" : "b"
    }
  }
}
