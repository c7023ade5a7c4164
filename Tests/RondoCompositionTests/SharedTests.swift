// C12: values that several features hold.

import Foundation
import Observation
import Rondo
import RondoCompatibility
import RondoProcesses
import Synchronization
import Testing

struct SharedTests {
  private struct Settings: Equatable, Codable, Sendable {
    var name = ""
    var volume = 5
    var games: IdentifiedArrayOf<Game> = []
  }

  struct Game: Equatable, Codable, Identifiable, Sendable {
    let id: Int
    var score = 0
  }

  // MARK: One value

  @Test("C12: who says the same key shares the value")
  func sameKey() {
    @Shared(.inMemory("count")) var one = 1
    @Shared(.inMemory("count")) var two = 2
    $one.withLock { $0 += 10 }
    #expect(one == 11)
    #expect(two == 11)
  }

  @Test("C12: values of different keys are apart")
  func otherKey() {
    @Shared(.inMemory("one")) var one = 0
    @Shared(.inMemory("two")) var two = 0
    $one.withLock { $0 = 1 }
    #expect(two == 0)
  }

  @Test("C12: every test has values of its own", arguments: [1, 2, 3, 4])
  func isolation(argument: Int) {
    @Shared(.inMemory("isolated")) var value = 0
    #expect(value == 0)
    $value.withLock { $0 = argument }
  }

  @Test("C12: a storage that is overridden has other values")
  func storages() {
    @Shared(.inMemory("stored")) var outer = 1
    withDependencies {
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      @Shared(.inMemory("stored")) var inner = 2
      $inner.withLock { $0 += 1 }
      #expect(inner == 3)
    }
    #expect(outer == 1)
  }

  @Test("C12: a key may bring its default")
  func defaults() {
    @Shared(.answer) var answer
    @Shared(.answer) var overridden = 43
    @Shared(.inMemory("nothing")) var nothing: Int?
    #expect(answer == 42)
    #expect(overridden == 42)
    #expect(nothing == nil)
  }

  @Test("C12: earlier names mean what the present ones mean")
  func earlierNames() {
    @Shared(PersistenceKeyDefault(.inMemory("earlier"), 42)) var earlier
    @Shared(.inMemory("earlier")) var present = 0
    #expect(present == 42)
    #expect(Shared(7) == Shared(value: 7))
  }

  @Test("C12: a change that another one overwrites, around it, is reported")
  func nestedChanges() {
    let count = Shared(value: 0)
    let line: UInt = #line + 2
    let issues = captureIssues {
      count.withLock { number in
        count.withLock { $0 += 1 }
        number += 1
      }
    }
    #expect(issues.map(\.position.line) == [line])
    #expect(issues.first?.message.contains("withLock") == true)
    // A look at the value changes nothing.
    count.withLock { number in number += count.withLock { $0 } }
    #expect(count.wrappedValue == 2)
  }

  // MARK: Parts

  @Test("C12: a part is shared with the whole")
  func parts() {
    @Shared(value: Settings()) var settings
    let volume = $settings.volume
    volume.withLock { $0 = 9 }
    #expect(settings.volume == 9)
    $settings.withLock { $0.volume = 3 }
    #expect(volume.wrappedValue == 3)
  }

  @Test("C12: an element is shared for as long as it is there, then keeps a value of its own")
  func elements() throws {
    @Shared(value: Settings(games: [Game(id: 1), Game(id: 2)])) var settings
    let game = try #require(Shared($settings.games[id: 2]))
    game.score.withLock { $0 = 5 }
    #expect(settings.games[id: 2]?.score == 5)
    $settings.withLock { _ = $0.games.remove(id: 2) }
    #expect(game.wrappedValue.score == 5)
    game.score.withLock { $0 = 6 }
    #expect(game.wrappedValue.score == 6)
    #expect(Array(settings.games.ids) == [1])
    #expect(Shared($settings.games[id: 2]) == nil)
  }

  @Test("C12: a reader sees what others change")
  func readers() {
    @Shared(value: 1) var value
    let reader = SharedReader($value)
    $value.withLock { $0 = 2 }
    #expect(reader.wrappedValue == 2)
    #expect(SharedReader.constant(3).wrappedValue == 3)
  }

  @Test("C12: a value may be read while it is changed, as what it was")
  func readingInside() {
    @Shared(value: 1) var value
    $value.withLock { $0 = value + 10 }
    #expect(value == 11)
  }

  @Test("C12: shared values are equal, hashed and printed as the values are")
  func equality() {
    let one = Shared(value: 1)
    let other = Shared(value: 1)
    #expect(one == other)
    #expect(Set([one, other]).count == 1)
    #expect(one.description == "Shared<Int>(value: 1)")
    other.withLock { $0 = 2 }
    #expect(one != other)
  }

  // C12
  @Test func anAssignmentChangesTheValueOfAll() {
    struct State {
      @Shared(value: 0) var notes
      @Shared(value: [1, 2]) var list
    }
    let state = State()
    let other = state
    state.notes += 1
    state.list[0] = 5
    state.list.append(3)
    #expect(other.notes == 1)
    #expect(other.list == [5, 2, 3])
  }

  // MARK: Observing

  @Test("C12: every holder learns of a change")
  func observation() {
    @Shared(.inMemory("observed")) var one = 0
    @Shared(.inMemory("observed")) var two = 0
    let wakes = Mutex(0)
    withObservationTracking {
      _ = two
    } onChange: {
      wakes.withLock { $0 += 1 }
    }
    $one.withLock { $0 = 1 }
    #expect(wakes.withLock { $0 } == 1)
  }

  @Test("C12: who is told of a change can read it at once")
  func observationTellsAfterTheChange() {
    let shared = Shared(value: 0)
    let read = Mutex(0)
    withObservationTracking {
      _ = shared.wrappedValue
    } onChange: {
      let value = shared.wrappedValue
      read.withLock { $0 = value }
    }
    shared.withLock { $0 = 1 }
    #expect(read.withLock { $0 } == 1)
  }

  // C12, K4
  @Test func aProjectionThatIsReadIsObserved() {
    @Shared(value: 0) var count
    @SharedReader($count) var reader: Int
    let wakes = Mutex<[String]>([])
    withObservationTracking {
      _ = $count
    } onChange: {
      wakes.withLock { $0.append("shared") }
    }
    withObservationTracking {
      _ = $reader
    } onChange: {
      wakes.withLock { $0.append("reader") }
    }
    $count.withLock { $0 = 1 }
    #expect(wakes.withLock { $0.sorted() } == ["reader", "shared"])
  }

  @Test("C12: values are a sequence")
  func values() async {
    let shared = Shared(value: 1)
    var iterator = shared.values.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    shared.withLock { $0 = 2 }
    #expect(await iterator.next() == 2)
  }

  @Test("C12: a commit that changes only shared values has changes")
  @MainActor
  func commits() {
    struct Feature: Reducer {
      struct State: Equatable { @Shared(.inMemory("commits")) var count = 0 }
      func reduce(into state: inout State, action: Bool) -> Effect<Bool> {
        if action { state.$count.withLock { $0 += 1 } }
        return .none
      }
    }
    let store = Store(initialState: Feature.State()) { Feature() }
    var changes = 0
    let subscription = store.subscribe(changesOnly: true) { _ in changes += 1 }
    store.send(true)
    store.send(false)
    #expect(changes == 1)
    subscription.cancel()
  }

  @Test("C12: no change is lost between threads")
  func threads() async {
    let shared = Shared(value: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { shared.withLock { $0 += 1 } } }
      }
    }
    #expect(shared.wrappedValue == 4000)
  }
}

extension SharedKey where Self == InMemoryKey<Int>.Default {
  fileprivate static var answer: Self { Self[.inMemory("answer"), default: 42] }
}

struct SharedPersistenceTests {
  // MARK: Files

  @Test("C12: a file is read, and written when the value changes")
  func files() throws {
    let url = URL(filePath: "/numbers.json")
    try withDependencies {
      $0.defaultFileStorage = .inMemory
      try $0.defaultFileStorage.save(Data("[1, 2]".utf8), to: url)
    } operation: {
      @Dependency(\.defaultFileStorage) var storage
      @Shared(.fileStorage(url)) var numbers: [Int] = []
      #expect(numbers == [1, 2])
      $numbers.withLock { $0.append(3) }
      let written = try storage.load(from: url)
      #expect(String(decoding: written, as: UTF8.self) == "[1,2,3]")
    }
  }

  @Test("C12: a file that somebody else writes is read again")
  func watching() throws {
    @Dependency(\.defaultFileStorage) var storage
    let url = URL(filePath: "/watched.json")
    @Shared(.fileStorage(url)) var numbers: [Int] = []
    try storage.save(Data("[9]".utf8), to: url)
    #expect(numbers == [9])
  }

  @Test("C12: a file that cannot be read leaves the default, and an error")
  func unreadable() throws {
    @Dependency(\.defaultFileStorage) var storage
    let url = URL(filePath: "/broken.json")
    try storage.save(Data("{".utf8), to: url)
    @Shared(.fileStorage(url)) var numbers = [0]
    #expect(numbers == [0])
    #expect($numbers.loadError is DecodingError)
    try storage.save(Data("[1]".utf8), to: url)
    #expect(numbers == [1])
    #expect($numbers.loadError == nil)
  }

  @Test("C12: a value that cannot be written leaves an error")
  func unwritable() async {
    struct Unwritable: Error {}
    @Shared(
      .fileStorage(
        URL(filePath: "/x"), decode: { @Sendable _ in 0 },
        encode: { @Sendable _ in throw Unwritable() })
    ) var value = 0
    $value.withLock { $0 = 1 }
    #expect(value == 1)
    #expect($value.saveError is Unwritable)
    await #expect(throws: Unwritable.self) { try await $value.save() }
  }

  @Test("C12: real files are written whole, in folders that are made, and watched")
  func fileSystem() async throws {
    let folder = TemporaryFolder()
    let url = folder.file("deep/numbers.json")
    try await withDependencies {
      $0.defaultFileStorage = .fileSystem
    } operation: {
      @Shared(.fileStorage(url)) var numbers: [Int] = []
      for number in 1...100 { $numbers.withLock { $0.append(number) } }
      try await $numbers.save()
      let written = try JSONDecoder().decode([Int].self, from: Data(contentsOf: url))
      #expect(written == Array(1...100))

      var values = $numbers.values.makeAsyncIterator()
      _ = await values.next()
      try Data("[7]".utf8).write(to: url, options: .atomic)
      #expect(await values.next() == [7])
    }
  }

  // MARK: User defaults

  @Test("C12: user defaults are read and written")
  func appStorage() {
    enum Mode: String { case light, dark }
    @Dependency(\.defaultAppStorage) var defaults
    defaults.set(3, forKey: "count")
    @Shared(.appStorage("count")) var count = 0
    @Shared(.appStorage("mode")) var mode = Mode.light
    @Shared(.appStorage("url")) var url: URL?
    #expect(count == 3)
    $count.withLock { $0 += 1 }
    $mode.withLock { $0 = .dark }
    $url.withLock { $0 = URL(string: "https://example.com") }
    #expect(defaults.object(forKey: "count") as? Int == 4)
    #expect(defaults.object(forKey: "mode") as? String == "dark")
    #expect(defaults.object(forKey: "url") as? String == "https://example.com")
    $url.withLock { $0 = nil }
    #expect(defaults.object(forKey: "url") == nil)
    defaults.set(9, forKey: "count")
    #expect(count == 9)
  }
}
