// K4: what shared values under keys do, as elsewhere.

import Dispatch
import Foundation
import Observation
import RondoCompatibility
import RondoRuntimeTestSupport
import Synchronization
import Testing

@testable import Rondo

struct SharedKeyTests {
  // MARK: Defaults

  // K4
  @Test func anOptionalHasItsDefault() {
    @Shared(.inMemory("one")) var one: Int? = 0
    @Shared(.inMemory("two")) var two: Int? = nil
    @Shared(.inMemory("three")) var three: Int?? = .some(.none)
    @SharedReader(.inMemory("four")) var four: Int?? = .some(.none)
    @Shared(.inMemory("five")) var five: Int?? = .some(5)
    #expect(one == 0)
    #expect(two == nil)
    #expect(three == .some(.none))
    #expect(four == .some(.none))
    #expect(five == .some(5))
  }

  // K4
  @Test func aValueInMemoryNeedsNoDefault() {
    do { @Shared(.inMemory("one")) var one = 1 }
    var count = 0
    func makeDefault() -> Int {
      count += 1
      return 2
    }
    @Shared(.inMemory("one")) var one = makeDefault()
    #expect(one == 1)
    #expect(count == 0)
  }

  // K4
  @Test func observersAreToldInTheOrderInWhichTheyCame() {
    @Shared(value: 0) var number
    let told = LockIsolated<[Int]>([])
    let subscriptions = (0..<20).map { index in
      $number.reference.root.observe { told.withValue { $0.append(index) } }
    }
    $number.withLock { $0 += 1 }
    #expect(told.value == Array(0..<20))
    withExtendedLifetime(subscriptions) {}
  }

  // K4
  @Test func aRemovedElementKeepsWhatIsWrittenToIt() {
    @Shared(value: [1, 2, 3]) var numbers
    let all = Array($numbers)
    $numbers.withLock { _ = $0.removeLast() }
    all[2].withLock { $0 += 1 }
    #expect(all[2].wrappedValue == 4)
    #expect(numbers == [1, 2])
  }

  // K4
  @Test func theURLOfAFileIsKeptAsItsPath() {
    @Dependency(\.defaultAppStorage) var defaults
    let file = URL(fileURLWithPath: "/somewhere/a file")
    @Shared(.appStorage("place")) var place = file
    #expect(defaults.string(forKey: "place") == "/somewhere/a file")
    defaults.set("/elsewhere", forKey: "place")
    #expect(place == URL(fileURLWithPath: "/elsewhere"))
    defaults.set("https://example.com/a", forKey: "place")
    #expect(place == URL(string: "https://example.com/a"))
  }

  // K4
  @Test func anOptionalThatIsSetToNilStaysNil() {
    do {
      @Shared(.inMemory("one")) var one: Int? = 0
      $one.withLock { $0 = nil }
    }
    @Shared(.inMemory("one")) var one: Int? = 0
    #expect(one == nil)
  }

  // K4
  @Test func theEndOfAValueInMemoryMayShareAnotherOne() {
    @Shared(.inMemory("ends")) var ends = 0
    @Shared(.inMemory("witness")) var witness = Witness {}
    $witness.withLock { $0 = Witness { [$ends] in $ends.withLock { $0 += 1 } } }
    $witness.withLock { $0 = Witness {} }
    #expect(ends == 1)
  }

  // K4
  @Test func theEndOfAValueMayWaitForThreadsThatChangeIt() {
    let ends = LockIsolated(0)
    @Shared(.inMemory("waiting")) var witness = Witness {}
    $witness.withLock {
      $0 = Witness { [$witness] in
        onOtherThread { $witness.withLock { _ in ends.withValue { $0 += 1 } } }
      }
    }
    $witness.withLock { $0 = Witness {} }
    #expect(ends.value == 1)
  }

  // K4
  @Test func theEndOfALockedValueMayUseTheLock() {
    let ends = LockIsolated(0)
    let witness = LockIsolated(Witness {})
    witness.setValue(
      Witness { [weak witness] in if witness?.value != nil { ends.withValue { $0 += 1 } } })
    witness.setValue(Witness {})
    #expect(ends.value == 1)
  }

  // K4
  @Test func theFirstDefaultIsKept() async throws {
    do {
      @SharedReader(.inMemory("count")) var count = 10
    }
    @SharedReader(.inMemory("count")) var count = 0
    #expect(count == 10)
    let required = try await SharedReader<Int>(require: .inMemory("count"))
    #expect(required.wrappedValue == 10)
  }

  // K4
  @Test func theDefaultOfAKeyIsKept() {
    do {
      @Shared(.isOn) var isOn = true
    }
    @Shared(.isOn) var isOn
    #expect(isOn)
    #expect(InMemoryKey<Bool>.Default.isOn.initialValue == false)
  }

  // K4
  @Test func userDefaultsHoldTheDeclaredDefault() {
    @Dependency(\.defaultAppStorage) var store
    @Shared(.appStorage("bool")) var bool = true
    @Shared(.appStorage("int")) var int = 42
    @Shared(.appStorage("double")) var double = 1.5
    @Shared(.appStorage("string")) var string = "Blob"
    @Shared(.appStorage("strings")) var strings = ["Blob"]
    @Shared(.appStorage("data")) var data = Data([4, 2])
    #expect(store.bool(forKey: "bool"))
    #expect(store.integer(forKey: "int") == 42)
    #expect(store.double(forKey: "double") == 1.5)
    #expect(store.string(forKey: "string") == "Blob")
    #expect(store.stringArray(forKey: "strings") == ["Blob"])
    #expect(store.data(forKey: "data") == Data([4, 2]))
    store.set(false, forKey: "bool")
    #expect(!bool)
    @Shared(.appStorage("int")) var again = 7
    #expect(again == 42)
  }

  // K4
  @Test func userDefaultsOfAnOptional() {
    @Dependency(\.defaultAppStorage) var store
    @Shared(.appStorage("bool")) var bool: Bool? = true
    #expect(store.bool(forKey: "bool"))
    store.set(false, forKey: "bool")
    #expect(bool == false)
    store.removeObject(forKey: "bool")
    #expect(bool == true)
    $bool.withLock { $0 = nil }
    #expect(bool == nil)
    #expect(store.object(forKey: "bool") == nil)
  }

  // K4
  @Test func userDefaultsOfOnesOwn() throws {
    let mine = UserDefaults.inMemory
    @Shared(.appStorage("count", store: mine)) var count = 3
    @Shared(.appStorage("count")) var other = 4
    #expect(mine.integer(forKey: "count") == 3)
    #expect(other == 4)
    $count.withLock { $0 += 1 }
    #expect(mine.integer(forKey: "count") == 4)
  }

  // K4
  @Test func userDefaultsThatAreWrittenElsewhereAndHereEndInAgreement() throws {
    let defaults = try #require(HookedDefaults(suiteName: UUID().uuidString))
    @Shared(.appStorage("count", store: defaults)) var count = 1
    let shared = $count
    // As if another thread stored a value while this one has read 5 and waits to tell of it.
    defaults.didRead.withLock { $0 = { shared.withLock { $0 = 2 } } }
    defaults.set(5, forKey: "count")
    #expect(defaults.integer(forKey: "count") == 2)
    #expect(count == 2)
    defaults.set(6, forKey: "count")
    #expect(count == 6)
  }

  // K4
  @Test func aValueThatIsChangedWhileUserDefaultsAreLoadedStays() async throws {
    let defaults = try #require(HookedDefaults(suiteName: UUID().uuidString))
    @Shared(.appStorage("count", store: defaults)) var count = 1
    let shared = $count
    defaults.didRead.withLock { $0 = { shared.withLock { $0 = 2 } } }
    try await $count.load()
    #expect(count == 2)
    #expect(defaults.integer(forKey: "count") == 2)
  }

  // K4
  @Test func aNumberThatIsNotEqualToItselfIsReadFromUserDefaults() throws {
    let defaults = UserDefaults.inMemory
    @Shared(.appStorage("number", store: defaults)) var number = 1.0
    defaults.set(Double.nan, forKey: "number")
    #expect(number.isNaN)
  }

  // MARK: Another value in the same place

  // K4
  @Test func assigningToTheProjectionReachesCopies() {
    @Shared(value: 1) var count
    let copy = $count
    @Shared var second: Int
    _second = $count
    $count = Shared(value: 2)
    #expect(copy.wrappedValue == 2)
    #expect(second == 2)
    copy.withLock { $0 = 3 }
    #expect(count == 3)
    copy.projectedValue = Shared(value: 4)
    #expect(count == 4)
  }

  // K4
  @Test func partsStayPartsOfTheOldValue() {
    @Shared(value: Point(x: 1)) var point
    let x = $point.x
    let reader = SharedReader($point.x)
    $point = Shared(value: Point(x: 5))
    #expect(x.wrappedValue == 1)
    #expect(reader.wrappedValue == 1)
    #expect($point.x.wrappedValue == 5)
  }

  // K4
  @Test func assigningWakesWhoeverObserves() async {
    @Shared(value: 1) var count
    let wakes = Mutex(0)
    withObservationTracking {
      _ = count
    } onChange: {
      wakes.withLock { $0 += 1 }
    }
    var values = $count.values.makeAsyncIterator()
    #expect(await values.next() == 1)
    let other = Shared(value: 2)
    $count = other
    #expect(wakes.withLock { $0 } == 1)
    #expect(await values.next() == 2)
    other.withLock { $0 = 3 }
    #expect(await values.next() == 3)
  }

  // K4
  @Test func anObserverThatComesWhileAnotherPlaceIsShownHearsOfThatPlace() {
    let place = HookedReference(1)
    let shared = Shared(reference: place)
    let other = Shared(value: 2)
    // As if another thread had shown another place while this one subscribes.
    place.willSubscribe.withLock { $0 = { shared.show(other.reference) } }
    let tellings = Mutex(0)
    let subscription = shared.handle.observe { tellings.withLock { $0 += 1 } }
    #expect(shared.wrappedValue == 2)
    tellings.withLock { $0 = 0 }
    place.box.withLock { $0 = 3 }
    #expect(tellings.withLock { $0 } == 0)
    other.withLock { $0 = 4 }
    #expect(tellings.withLock { $0 } == 1)
    subscription.cancel()
  }

  // MARK: The last value of a sequence

  // K4
  @Test func aChangeWhileTheFirstValueIsReadIsSeen() async {
    let shared = Shared(value: 1)
    let reader = shared.read { value in
      if value == 1 { shared.withLock { $0 = 2 } }
      return value
    }
    var values = reader.values.makeAsyncIterator()
    #expect(await values.next() == 2)
    shared.withLock { $0 = 3 }
    #expect(await values.next() == 3)
  }

  /// A reader that, while it reads 1, lets another thread set 2 and tell of it.
  private func slowReader(of shared: Shared<Int>) -> SharedReader<Int> {
    shared.read { value in
      guard value == 1 else { return value }
      let hasSet = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        shared.withLock { $0 = 2 }
        hasSet.signal()
      }
      hasSet.wait()
      return value
    }
  }

  // K4
  @Test func theLastElementIsTheLastValue() async {
    let shared = Shared(value: 0)
    var values = slowReader(of: shared).values.makeAsyncIterator()
    shared.withLock { $0 = 1 }
    #expect(await values.next() == 2)
  }

  // K4
  @Test func noOlderValueComesAfterANewerOne() async {
    let shared = Shared(value: 0)
    let values = slowReader(of: shared).publisher.values
    shared.withLock { $0 = 1 }
    shared.withLock { $0 = 3 }
    var all: [Int] = []
    for await value in values {
      all.append(value)
      if value == 3 { break }
    }
    #expect(all == [0, 1, 2, 3])
  }

  // K4
  @Test func aReaderIsAssignedTo() {
    let key = SlowKey()
    @SharedReader(value: 0) var value
    let copy = $value
    $value = SharedReader(wrappedValue: 7, key)
    #expect(copy.isLoading)
    #expect(copy.wrappedValue == 7)
    key.answer(.success(42))
    #expect(!copy.isLoading)
    #expect(value == 42)
  }

  // K25
  @Test func anotherKeyIsLoaded() async throws {
    @Dependency(\.defaultInMemoryStorage) var storage
    @Shared(.inMemory("two")) var two = 2
    let shared = Shared(wrappedValue: 1, .inMemory("one"))
    let reader = SharedReader(wrappedValue: 1, .inMemory("one"))
    let copy = shared
    try await shared.load(.inMemory("two"))
    try await reader.load(.inMemory("two"))
    #expect(copy.wrappedValue == 2)
    #expect(reader.wrappedValue == 2)
    copy.withLock { $0 = 3 }
    #expect(two == 3)
  }

  // K25
  @Test func aKeyThatCannotBeLoadedLeavesTheValue() async {
    struct Unreachable: Error {}
    let key = SlowKey()
    @SharedReader(value: 5) var value
    let reader = $value
    let loading = Task { try await reader.load(key) }
    await key.asked()
    key.answer(.failure(Unreachable()))
    await #expect(throws: Unreachable.self) { try await loading.value }
    #expect(value == 5)
    #expect($value.loadError is Unreachable)
  }

  // K25
  @Test func whatAClosureMakesOfAValueIsRead() {
    @Shared(value: [1, 2]) var numbers
    @SharedReader var count: Int
    _count = $numbers.read { $0.count }
    let doubled = $count.read { $0 * 2 }
    #expect(count == 2 && doubled.wrappedValue == 4)
    let wakes = Mutex(0)
    withObservationTracking {
      _ = doubled.wrappedValue
    } onChange: {
      wakes.withLock { $0 += 1 }
    }
    $numbers.withLock { $0.append(3) }
    #expect(count == 3 && doubled.wrappedValue == 6)
    #expect(wakes.withLock { $0 } == 1)
  }

  // K4
  @Test func aReaderOfAnOptional() {
    @Shared(value: nil) var number: Int?
    #expect(SharedReader($number) as SharedReader<Int>? == nil)
    $number.withLock { $0 = 1 }
    let reader: SharedReader<Int>? = SharedReader($number)
    #expect(reader?.wrappedValue == 1)
  }

  // MARK: Loading

  // K4
  @Test func aValueThatComesEndsLoading() {
    let key = SlowKey()
    @Shared(key) var value = 1
    key.answer(.success(2))
    #expect(!$value.isLoading)
    key.subscriber?.yieldLoading()
    #expect($value.isLoading)
    key.subscriber?.yield(3)
    #expect(!$value.isLoading)
    #expect(value == 3)
    key.subscriber?.yieldLoading()
    key.subscriber?.yield(throwing: CancellationError())
    #expect(!$value.isLoading)
    #expect($value.loadError is CancellationError)
    key.subscriber?.yield(4)
    #expect($value.loadError == nil)
  }

  // K4
  @Test func aKeyThatDoesNotAnswerIsReportedAndNobodyWaitsForIt() async throws {
    struct Silent: SharedKey {
      let id = 0
      func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {}
      func subscribe(
        context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
      ) -> SharedSubscription { SharedSubscription {} }
      func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {}
    }
    let issues = await captureIssues {
      @Shared(Silent()) var value = 7
      #expect(!$value.isLoading)
      $value.withLock { $0 = 8 }
      await #expect(throws: Never.self) {
        try await $value.load()
        try await $value.save()
      }
      #expect(!$value.isLoading)
      #expect(value == 8)
    }
    #expect(
      issues.map { $0.message.contains("Silent(id: 0) has released") } == [true, true, true, true])
    #expect(issues.map { $0.message.contains("'load'") } == [true, false, true, false])
  }

  // K4
  @Test func aSecondAnswerIsReported() {
    let issues = captureIssues {
      let answers = Mutex<[Int?]>([])
      let continuation = LoadContinuation<Int>("Mine") { result in
        answers.withLock { $0.append(try? result.get()) }
      }
      continuation.resume(returning: 1)
      continuation.resume(returning: 2)
      #expect(answers.withLock { $0 } == [1])
    }
    #expect(
      issues.map(\.message) == [
        "Mine has answered 'load' twice. The second answer has no effect."
      ])
  }

  // K4
  @Test func waitingForAKeyCanBeCancelled() async {
    let key = SlowKey()
    @Shared(key) var value = 7
    let shared = $value
    key.answer(.success(1))
    let task = Task { try await shared.load() }
    await key.asked()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!$value.isLoading)
    key.answer(.success(9))
    #expect(value == 9)
  }

  // MARK: Saving

  // K4
  @Test func aSaveThatSucceedsClearsTheErrors() async throws {
    struct Full: Error {}
    let key = SlowKey()
    @Shared(key) var value = 7
    key.answer(.failure(Full()))
    #expect($value.loadError is Full)
    key.saving.withLock { $0 = .failure(Full()) }
    $value.withLock { $0 = 8 }
    #expect($value.saveError is Full)
    #expect($value.loadError is Full)
    key.saving.withLock { $0 = .success(()) }
    $value.withLock { $0 = 9 }
    #expect($value.saveError == nil)
    #expect($value.loadError == nil)
    key.saving.withLock { $0 = .failure(Full()) }
    await #expect(throws: Full.self) { try await $value.save() }
    key.saving.withLock { $0 = .success(()) }
    try await $value.save()
    #expect($value.saveError == nil)
  }

  // K4
  @Test func aSaveThatIsAskedForIsNotSavedOverANewerValue() async throws {
    let key = DiskKey()
    @Shared(key) var value = 1
    let shared = $value
    let saving = try #require(shared.reference.root.persistence?.saving)
    let hasSaved = DispatchSemaphore(value: 0)
    key.willSave.withLock { willSave in
      willSave = {
        // Another thread changes the value. It goes on when it has saved it, or has to wait.
        let isAhead = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          let mayWait = !saving.try()
          if mayWait { isAhead.signal() } else { saving.unlock() }
          shared.withLock { $0 = 2 }
          if !mayWait { isAhead.signal() }
          hasSaved.signal()
        }
        isAhead.wait()
      }
    }
    try await shared.save()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        hasSaved.wait()
        continuation.resume()
      }
    }
    #expect(value == 2)
    #expect(key.saved.withLock { $0 } == 2)
  }

  // MARK: Print

  // K4
  @Test func itIsPrintedByItsKey() {
    @Shared(value: 0) var count
    @Shared(.appStorage("count")) var kept = 0
    #expect($count.description == "Shared<Int>(value: 0)")
    #expect($kept.description == #"Shared<Int>(.appStorage("count"))"#)
    #expect(SharedReader($kept).description == #"SharedReader<Int>(.appStorage("count"))"#)
  }

  // K38a
  @Test func aFileIsPrintedByItsURL() {
    @Shared(.fileStorage(URL(filePath: "/"))) var count = 0
    @Shared(.inMemory("count")) var other = 0
    #expect($count.description == "Shared<Int>(.fileStorage(file:///))")
    #expect($other.description == #"Shared<Int>(.inMemory("count"))"#)
  }

  // K38a
  @Test func aCodableValueIsKeptInTheUserDefaults() throws {
    struct Settings: Codable, Equatable { var volume = 1, names = ["Blob"] }
    let defaults = UserDefaults.inMemory
    do {
      @Shared(.appStorage("settings", store: defaults)) var settings = Settings()
      @Shared(.appStorage("numbers", store: defaults)) var numbers = [1, 2]
      @Shared(.appStorage("none", store: defaults)) var none: Settings? = nil
      $settings.withLock { $0.volume = 2 }
      #expect(none == nil)
      $none.withLock { $0 = Settings(volume: 3) }
      #expect(numbers == [1, 2])
    }
    let data = try #require(defaults.object(forKey: "settings") as? Data)
    let kept = try JSONDecoder().decode(Settings.self, from: data)
    #expect(kept == Settings(volume: 2))
    defaults.set(try JSONEncoder().encode([7]), forKey: "numbers")
    @Shared(.appStorage("settings", store: defaults)) var settings = Settings()
    @Shared(.appStorage("numbers", store: defaults)) var numbers = [1, 2]
    @Shared(.appStorage("none", store: defaults)) var none: Settings?
    #expect(settings.volume == 2)
    #expect(numbers == [7])
    #expect(none?.volume == 3)
  }

  // K4
  @Test func aKeyMayComeFromTheContentOfAnother() async throws {
    @Shared(.inMemory("name")) var name = "one"
    let shared = Shared(wrappedValue: 0, .inMemory("value-\(name)"))
    shared.withLock { $0 = 1 }
    $name.withLock { $0 = "two" }
    shared.projectedValue = Shared(wrappedValue: 0, .inMemory("value-\(name)"))
    #expect(shared.wrappedValue == 0)
    @Shared(.inMemory("value-one")) var one = 9
    #expect(one == 1)
  }
}

private struct Point: Equatable, Sendable { var x = 0 }

/// A place that calls a closure, once, when somebody is about to subscribe to it.
private final class HookedReference: SharedReference<Int>, @unchecked Sendable {
  let box: Shared<Int>
  let willSubscribe = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ value: Int) { box = Shared(value: value) }

  override var root: any SharedRoot {
    willSubscribe.withLock { $0.take() }?()
    return box.reference.root
  }

  override func read() -> Int { box.wrappedValue }
}

extension SharedReaderKey where Self == InMemoryKey<Bool>.Default {
  fileprivate static var isOn: Self { Self[.inMemory("isOn"), default: false] }
}

/// A key that answers when it is told to.
private final class SlowKey: SharedKey {
  private struct State {
    var waiting: LoadContinuation<Int>?
    var subscriber: SharedSubscriber<Int>?
    var asked: [CheckedContinuation<Void, Never>] = []
  }

  let id = UUID()
  private let state = Mutex(State())
  let saving = Mutex<Result<Void, any Error>>(.success(()))

  var subscriber: SharedSubscriber<Int>? { state.withLock(\.subscriber) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    let asked = state.withLock { state in
      state.waiting = continuation
      defer { state.asked = [] }
      return state.asked
    }
    for each in asked { each.resume() }
  }

  /// Waits until somebody wants to load the value.
  func asked() async {
    await withCheckedContinuation { continuation in
      let isAsked = state.withLock { state in
        if state.waiting == nil { state.asked.append(continuation) }
        return state.waiting != nil
      }
      if isAsked { continuation.resume() }
    }
  }

  func answer(_ result: Result<Int?, any Error>) {
    state.withLock { $0.waiting.take() }?.resume(with: result)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    state.withLock { $0.subscriber = subscriber }
    return SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume(with: saving.withLock { $0 })
  }
}

/// A key that saves at once.
private final class DiskKey: SharedKey {
  let id = UUID()
  /// Called once, before the next value that somebody asks to save is saved.
  let willSave = Mutex<(@Sendable () -> Void)?>(nil)
  let saved = Mutex<Int?>(nil)

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    if context == .userInitiated { willSave.withLock { $0.take() }?() }
    saved.withLock { $0 = value }
    continuation.resume()
  }
}

/// User defaults in memory that call a closure, once, when somebody has read an object, and another one
/// before somebody sets one.
final class HookedDefaults: UserDefaults {
  let didRead = Mutex<(@Sendable () -> Void)?>(nil)
  let willSet = Mutex<(@Sendable () -> Void)?>(nil)
  private let objects = LockIsolated<[String: Any]>([:])

  override func object(forKey key: String) -> Any? {
    let object = objects.withLock { $0[key] }
    didRead.withLock { $0.take() }?()
    return object
  }

  override func set(_ value: Any?, forKey key: String) {
    willSet.withLock { $0.take() }?()
    objects.withLock { $0[key] = value }
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: self)
  }

  override func removeObject(forKey key: String) {
    set(nil as Any?, forKey: key)
  }

  override func synchronize() -> Bool { true }
}

/// Calls a closure when it is released.
private final class Witness: Equatable, Sendable {
  private let didEnd: @Sendable () -> Void
  init(_ didEnd: @escaping @Sendable () -> Void) { self.didEnd = didEnd }
  deinit { didEnd() }
  static func == (one: Witness, other: Witness) -> Bool { one === other }
}
