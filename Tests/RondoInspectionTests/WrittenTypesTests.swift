// Features whose types a recording has to tell of, and the tests that are written from their recordings.

import Foundation
import Rondo
import RondoHistory
import RondoProcesses
import RondoRecording
import RondoTesting
import Testing

@testable import RondoInspection

// The case paths are found by reflection: these tests are built without macros too.
struct Tally: Reducer {
  struct State: Equatable {
    @Shared(.inMemory("tally-count")) var count = 0
  }

  enum Action { case increment, failed(any Error) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.$count.withLock { $0 += 1 }
    return .none
  }
}

/// A generic feature whose state is not `Equatable`, and of whose actions some carry what is not.
struct Picker<Item: Equatable & Sendable>: Reducer {
  enum Sort: Equatable { case none, byName }
  enum QuickAction: Equatable { case share(Int) }
  struct Profile { var name: String }
  struct Refusal: Error, Equatable { var code: Int }

  struct State {
    var profile: Profile?
    var sort: Sort?
    var price: Decimal
    var items: [Item]
    var tally: Tally.State
  }

  enum Action: CasePathable {
    case appeared
    case tally(Tally.Action)
    case loaded(Profile)
    case failed(any Error), refused(Refusal)
    case chosen(QuickAction)

    struct AllCasePaths: Sendable {
      var tally: AnyCasePath<Action, Tally.Action> { AnyCasePath(Action.tally) }
      var loaded: AnyCasePath<Action, Profile> { AnyCasePath(Action.loaded) }
      var failed: AnyCasePath<Action, any Error> { AnyCasePath(Action.failed) }
      var refused: AnyCasePath<Action, Refusal> { AnyCasePath(Action.refused) }
      var chosen: AnyCasePath<Action, QuickAction> { AnyCasePath(Action.chosen) }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some Reducer<State, Action> {
    Scope(state: \.tally, action: \.tally) { Tally() }
    Reduce { state, action in
      switch action {
      case .appeared:
        return .run { send in
          await send(.loaded(Profile(name: "Ada")))
          await send(.failed(Refusal(code: 404)))
          await send(.refused(Refusal(code: 403)))
          await send(.chosen(.share(3)))
          await send(.tally(.increment))
        }
      case .loaded(let profile):
        state.profile = profile
        state.price = Decimal(string: "3.133")!
      case .chosen:
        state.sort = Sort.none
      case .failed, .refused, .tally:
        break
      }
      return .none
    }
  }
}

/// A feature without case paths.
struct Door: Reducer {
  struct Closed {
    struct State: Equatable { var knocks: Int }
  }

  enum State: Equatable {
    case closed(Closed.State)
    case open
  }

  enum Action {
    case knocked, opened
    case heard(Closed)
    case counted(Int)
    case moved(Int, by: Int)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .knocked:
      state = .closed(Closed.State(knocks: 3))
      return .run { send in
        await send(.heard(Closed()))
        await send(.counted(3))
        await send(.moved(1, by: 2))
        await send(.opened)
      }
    case .opened: state = .open
    case .heard, .counted, .moved: break
    }
    return .none
  }
}

private struct Item: Hashable { var id = 1 }
private struct Generic<Value> { var id = 1 }
private struct Book {
  struct Page<Other> { var id = 1 }
}
private struct Hidden<Item> {
  struct Row<Other> { var id = 1 }
  enum Part { struct Row { var id = 1 } }
}

/// A value in an optional, in which a shared value comes later.
private struct Folder {
  struct Row { @Shared var count: Int }
  struct Sheet { var rows: [Row] = [] }
  var sheet: Sheet? = Sheet()
}

/// Expects that the test which is written from a recording is in the file, where it is compiled and run.
func expectSource(
  of recording: RecordingFile, _ name: String, in file: String = #filePath
) throws {
  let written = TestWriter(History(recording, name: "\(name).jsonl"), TestOptions()).text
  let start = try #require(written.firstRange(of: "@MainActor\n"))
  let source = try String(contentsOfFile: file, encoding: .utf8)
  #expect(source.contains(written[start.lowerBound...]), "\(written)")
}

// V8
@MainActor @Suite struct WrittenTypesTests {
  private let folder = TemporaryFolder()
  private var url: URL { folder.file("a.jsonl") }

  private func expectSource(of name: String) throws {
    try RondoInspectionTests.expectSource(of: RecordingFile(contentsOf: url), name)
  }

  @Test func typesThatCannotBeComparedAreToldByTheRecording() async throws {
    let store = TestStore(
      comparingDumpsOf: Picker<Int>.State(price: 0, items: [1], tally: Tally.State())
    ) { Picker<Int>() }
    let recording = try store.record(to: url)
    store.exhaustivity = .off
    await store.send(.appeared)
    await store.finish()
    recording.end()
    try expectSource(of: "picker")
  }

  @Test func aNameHasTheTypesAroundIt() {
    func name(_ value: Any) -> String? { RecordedNode(of: value).type }
    #expect(
      name(Hidden<[Item?: any Error]>.Row<Item>())
        == "Hidden<Dictionary<Optional<Item>, Error>>.Row<Item>")
    #expect(name(Optional(Hidden<Tally.State>.Row<Int>()) as Any) == "Hidden<Tally.State>.Row<Int>")
    #expect(name(Hidden<Int>.Part.Row()) == "Hidden<Int>.Part.Row")
    #expect(summary(of: Hidden<Tally.State>.Part.Row()) == "Hidden<Tally.State>.Part.Row(id: 1)")
    #expect(typeName((Int, Tally.State).self) == "(Int, Tally.State)")
    #expect(name(Door.Closed.State(knocks: 0)) == "Door.Closed.State")
    #expect(name(Book.Page<Tally.State>()) == "Book.Page<Tally.State>")
    // These names are in the digests of older recordings.
    #expect(name(Generic<Hidden<Int>.Part.Row>(id: 1)) == "Generic<Row>")
    #expect(name(Item()) == "Item")
    #expect(name(Generic<Tally.State>(id: 1)) == "Generic<State>")
    #expect(name(Optional(Door.State.closed(.init(knocks: 0))) as Any) == "State")
  }

  @Test func aSharedValueThatComesIntoAnOptionalIsReachedThroughIt() throws {
    var folder = Folder()
    let states = [[], [0], [1]].map { counts in
      folder.sheet?.rows = counts.map { Folder.Row(count: Shared(value: $0)) }
      return RecordedNode(of: folder)
    }
    var recording = RecordingText(feature: "Folder", state: states[0])
    for (old, new) in zip(states, states.dropFirst()) {
      recording.action(".next", old.changes(to: new))
    }
    try recording.expectTest(has: "{ $0.sheet?.rows[0].$count.withLock { $0 = 1 } }")
  }

  @Test func aFeatureWithoutCasePathsIsToldByTheRecording() async throws {
    let store = TestStore(initialState: .closed(Door.Closed.State(knocks: 0))) { Door() }
    let recording = try store.record(to: url)
    store.exhaustivity = .off
    await store.send(.knocked)
    await store.finish()
    recording.end()
    try expectSource(of: "door")
  }
}

// swift-format-ignore
@MainActor
@Test func picker() async {
  let store = TestStore(comparingDumpsOf: Picker<Int>.State(
    profile: nil,
    sort: nil,
    price: 0,
    items: [1],
    tally: Tally.State(count: 0)
  )) {
    Picker<Int>()
  }

  await store.send(.appeared)
  await store.receive(\.loaded) {
    $0.profile = Picker<Int>.Profile(name: "Ada")
    $0.price = Decimal(string: "3.133")!
  }
  await store.receive(\.failed)
  await store.receive(\.refused)
  await store.receive(\.chosen, .share(3)) { $0.sort = Picker<Int>.Sort.none }
  await store.receive(\.tally) { $0.tally.$count.withLock { $0 = 1 } }
  await store.finish()
}

@MainActor
@Test func door() async {
  let store = TestStore(initialState: .closed(Door.Closed.State(knocks: 0))) {
    Door()
  }

  await store.send(.knocked) { $0 = .closed(Door.Closed.State(knocks: 3)) }
  await store.receive(case: Door.Action.heard)
  await store.receive(case: Door.Action.counted, 3)
  await store.receive(case: Door.Action.moved)
  await store.receive(case: Door.Action.opened) { $0 = .open }
  await store.finish()
}
