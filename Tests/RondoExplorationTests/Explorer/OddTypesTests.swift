// Tests that are printed for features of odd types: they compile, and fail as the exploration did (X6, X21).

import Foundation
import RondoTesting
import Testing

@testable import RondoExploration

/// The same bug everywhere: what was asked first is answered last. A mended feature cancels it.
private enum Mend {
  @TaskLocal static var isOn = false
}

/// Endpoints of odd types.
private struct OddClient: DependencyKey {
  var pay: @Sendable (Payment.Method) async throws -> Int
  var place: @Sendable (Int) async throws -> (x: Int, name: String)
  var map: @Sendable (String) async throws -> [Tag: Set<Tag>]
  var nickname: @Sendable (Int) async throws -> String??
  var price: @Sendable (UUID) async throws -> Decimal
  var say: @Sendable (Page) async throws -> String
  var ticket: @Sendable (Int) async throws -> Ticket
  var item: @Sendable (Int) async throws -> Basket.Item
  var `repeat`: @Sendable () async throws -> Void

  static var liveValue: Self { testValue }
  static var testValue: Self {
    Self(
      pay: unimplemented("pay"), place: unimplemented("place"), map: unimplemented("map"),
      nickname: unimplemented("nickname"), price: unimplemented("price"),
      say: unimplemented("say"), ticket: unimplemented("ticket"), item: unimplemented("item"),
      repeat: unimplemented("repeat"))
  }
}

extension DependencyValues {
  fileprivate var odd: OddClient {
    get { self[OddClient.self] }
    set { self[OddClient.self] = newValue }
  }
}

private func ask<Action: Sendable, Output: Sendable>(
  _ call: @escaping @Sendable (OddClient) async throws -> Output,
  then: @escaping @Sendable (Output) -> Action,
  failed: @escaping @Sendable (any Error) -> Action? = { _ in nil }
) -> Effect<Action> {
  @Dependency(\.odd) var client
  return .run { [client] send in
    await send(then(try await call(client)))
  } catch: { error, send in
    if let action = failed(error) { await send(action) }
  }
  .cancellable(id: "asked", cancelInFlight: Mend.isOn)
}

// MARK: - Features

/// Errors and methods with payloads.
private enum Payment: Reducer {
  case feature

  enum Method: Hashable { case card(number: Int), cash }
  enum Refusal: Error, Equatable {
    case declined(code: Int, Reason)
    enum Reason { case fraud, limit }
  }
  struct State: Hashable {
    var method: Method?
    var code: Int?
  }
  enum Action { case payTapped(Method), paid(Result<Int, any Error>) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .payTapped(let method):
      state = State(method: method)
      return ask {
        try await $0.pay(method)
      } then: {
        .paid(.success($0))
      } failed: {
        .paid(.failure($0))
      }
    case .paid(.failure(Refusal.declined(let code, .limit))): state.code = code
    case .paid: break
    }
    return .none
  }

  static var explorer: Explorer<State, Action> {
    Explorer(initialState: State()) { Payment.feature }
      .actions(.payTapped(.card(number: 7)), .payTapped(.cash))
      .outcomes(of: \.odd.pay) { method in
        if method == .cash { .success(1) } else { .failure(Refusal.declined(code: 51, .limit)) }
      }
      .always { $0.code == nil || $0.method != .cash }
  }
}

/// Words of the language, and actions in actions.
private struct Player: Reducer {
  enum Mode: Hashable { case `default`, `repeat`, `init`, `self`(Int), none }
  struct State: Hashable {
    var mode = Mode.default
    var played: Mode?
  }
  enum Action {
    case row(id: Int, Row)
    enum Row { case `switch`(Mode), played(Mode?) }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .row(_, .switch(let mode)):
      state = State(mode: mode)
      return ask {
        try await $0.repeat()
      } then: {
        .row(id: 1, .played(mode))
      }
    case .row(_, .played(let mode)): state.played = mode
    }
    return .none
  }

  static var explorer: Explorer<State, Action> {
    Explorer(initialState: Player.State()) { Player() }
      .actions(.row(id: 1, .switch(.`init`)), .row(id: 1, .switch(.`self`(2))))
      .actions(.row(id: 1, .switch(.none)))
      .outcomes(of: \.odd.repeat) { [.success(())] }
      .always { $0.played == nil || $0.played == $0.mode || $0.mode != .none }
  }
}

/// Tuples with labels and without.
private struct Board: Reducer {
  struct State: Hashable {
    var x = 0
    var placed: Int?
  }
  enum Action {
    case moved((Int, Int)), both(Int, y: Int), done(Void), placed((x: Int, name: String))
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let (x, _)), .both(let x, _):
      state = State(x: x)
      return ask {
        try await $0.place(x)
      } then: {
        .placed($0)
      }
    case .done:
      state = State()
      return Mend.isOn ? .cancel(id: "asked") : .none
    case .placed(let place): state.placed = place.x
    }
    return .none
  }

  static var explorer: Explorer<State, Action> {
    Explorer(initialState: Board.State()) { Board() }
      .actions(.moved((1, 0)), .both(2, y: 0), .done(()))
      .outcomes(of: \.odd.place) { [.success((x: $0, name: "n"))] }
      .always { $0.placed == nil || $0.placed == $0.x }
  }
}

private enum Tag: String, CustomStringConvertible {
  case red, green

  var description: String { "The colour \(rawValue)" }
}

/// An action that is generic, dictionaries and sets.
private struct Loader<Value: Hashable & Sendable>: Reducer {
  struct State: Hashable {
    var tags: Set<Tag> = []
    var value: Value?
  }
  enum Action { case tagged(Set<Tag>, [Tag: [Int]]), loaded(Value?) }

  let load: @Sendable (OddClient, String) async throws -> Value

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .tagged(let tags, _):
      state = State(tags: tags)
      let load = load
      return ask {
        try await load($0, "\(tags.count)")
      } then: {
        .loaded($0)
      }
    case .loaded(let value): state.value = value
    }
    return .none
  }
}

private enum Loading {
  static var explorer: Explorer<Loader<[Tag: Set<Tag>]>.State, Loader<[Tag: Set<Tag>]>.Action> {
    Explorer(initialState: Loader<[Tag: Set<Tag>]>.State()) { Loader { try await $0.map($1) } }
      .actions(.tagged([.red, .green], [.red: [1], .green: []]), .tagged([], [:]))
      .outcomes(of: \.odd.map) { $0 == "0" ? [.success([:])] : [.success([.red: [.green, .red]])] }
      .always { $0.value?.isEmpty ?? true || !$0.tags.isEmpty }
  }
}

/// Optionals of optionals.
private struct Profile: Reducer {
  struct State: Hashable {
    var chosen: Int??
    var isNamed = false
    var name: String??
  }
  enum Action { case chosen(Int??), named(String??) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .chosen(let number):
      state = State(chosen: number)
      let depth = number == nil ? 0 : number == .some(nil) ? 1 : 2
      return ask {
        try await $0.nickname(depth)
      } then: {
        .named($0)
      }
    case .named(let name): (state.isNamed, state.name) = (true, name)
    }
    return .none
  }

  static var explorer: Explorer<State, Action> {
    Explorer(initialState: Profile.State()) { Profile() }
      .actions(.chosen(3), .chosen(.some(nil)))
      .outcomes(of: \.odd.nickname) { [.success($0 == 1 ? .some(nil) : nil)] }
      .always { !$0.isNamed || ($0.chosen == .some(nil)) == ($0.name == .some(nil)) }
  }
}

/// Dates, identifiers, money.
private struct Booking: Reducer {
  static let first = UUID(uuidString: "9B8F1E0A-0000-4000-8000-0000000000FF")!
  static let other = UUID(uuidString: "EA15B982-CDF1-49A9-96C6-507A85E053DD")!
  struct State: Hashable {
    var id: UUID?
    var date: Date?
    var price: Decimal?
  }
  enum Action { case booked(UUID, on: Date, for: Duration, URL), priced(Decimal) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .booked(let id, let date, _, _):
      state = State(id: id, date: date)
      return ask {
        try await $0.price(id)
      } then: {
        .priced($0)
      }
    case .priced(let price): state.price = price
    }
    return .none
  }

  static var explorer: Explorer<State, Action> {
    let page = URL(string: "https://example.com/a?b=\"c\"")!
    return Explorer(initialState: Booking.State()) { Booking() }
      .actions(
        .booked(first, on: Date(timeIntervalSince1970: 0.1), for: .milliseconds(5), page),
        .booked(other, on: .distantPast, for: .zero, page)
      )
      .outcomes(of: \.odd.price) { [.success($0 == first ? Decimal(string: "12.10")! : 3)] }
      .always { $0.price != Decimal(string: "12.1") || $0.id == first }
  }
}

private enum Page: Int, CustomStringConvertible {
  case first = 1, second

  var description: String { "page \(rawValue) \"of\" 2" }
}

/// A closure in the state, private types, and texts that need to be escaped.
private struct Reading: Reducer {
  struct State: Equatable {
    var page = Page.first
    var text = ""
    var onEnd: @Sendable () -> Void = {}

    static func == (left: Self, right: Self) -> Bool {
      (left.page, left.text) == (right.page, right.text)
    }
  }
  enum Action { case opened(Page), read(String), noted(Character, Double) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened(let page):
      state = State(page: page)
      return ask {
        try await $0.say(page)
      } then: {
        .read($0)
      }
    case .read(let text): state.text = text
    case .noted: break
    }
    return .none
  }

  static var explorer: Explorer<State, Action> {
    Explorer(initialState: Reading.State()) { Reading() }
      .actions(.opened(.first), .opened(.second))
      .outcomes(of: \.odd.say) { page in
        if page == .first { .success("\"1\"\n\\(1) 👩‍👧 \u{7}") } else { .success("") }
      }
      .always { $0.text.isEmpty || $0.page == .first }
  }
}

/// A structure in another type, with an initializer that takes all of its members.
private struct Basket: Reducer {
  struct Item: Hashable {
    let id: Int
    private var names: [String] = []

    init(
      id: Int, names: [String]
    ) {
      (self.id, self.names) = (id, names)
    }

    init?(names: [String]) { nil }
  }
  struct State: Hashable {
    var id = 0
    var item: Item?
  }
  enum Action { case chosen(id: Int), found(Item) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .chosen(let id):
      state = State(id: id)
      return ask {
        try await $0.item(id)
      } then: {
        .found($0)
      }
    case .found(let item): state.item = item
    }
    return .none
  }

  static var explorer: Explorer<State, Action> {
    Explorer(initialState: Basket.State()) { Basket() }
      .actions(.integers(1...2)) { .chosen(id: $0) }
      .outcomes(of: \.odd.item) { [.success(Basket.Item(id: $0, names: ["a"]))] }
      .always { $0.item == nil || $0.item?.id == $0.id }
  }
}

/// A structure that only an initializer of its own makes.
private struct Ticket: Hashable {
  private let number: Int

  init(_ number: Int) { self.number = number }

  func isFor(_ number: Int) -> Bool { self.number == number }
}

private struct Booth: Reducer {
  struct State: Hashable {
    var id = 0
    var ticket: Ticket?
  }
  enum Action { case chosen(id: Int), given(Ticket) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .chosen(let id):
      state = State(id: id)
      return ask {
        try await $0.ticket(id)
      } then: {
        .given($0)
      }
    case .given(let ticket): state.ticket = ticket
    }
    return .none
  }
}

// MARK: - The tests, as they were printed

extension Board {
  fileprivate static func foundByExploration() async {
    let store = TestStore(initialState: Board.State()) { Board() }
    store.exhaustivity = .off
    let place = PendingCalls<(x: Int, name: String)>()
    store.dependencies.odd.place = place.endpoint()

    await store.send(.moved((1, 0)))
    await store.send(.both(2, y: 0))
    place.answer(0, .success((x: 1, name: "n")), strict: false)
    await store.skipReceivedActions(strict: false)
    #expect(store.state.placed == nil || store.state.placed == store.state.x)
  }
}

extension Profile {
  fileprivate static func foundByExploration() async {
    let store = TestStore(initialState: Profile.State()) { Profile() }
    store.exhaustivity = .off
    let nickname = PendingCalls<Optional<Optional<String>>>()
    store.dependencies.odd.nickname = nickname.endpoint()

    await store.send(.chosen(3))
    await store.send(.chosen(.some(nil)))
    nickname.answer(0, .success(nil), strict: false)
    await store.skipReceivedActions(strict: false)
    #expect(
      !store.state.isNamed || (store.state.chosen == .some(nil)) == (store.state.name == .some(nil))
    )
  }
}

extension Payment {
  fileprivate static func foundByExploration() async {
    let store = TestStore(initialState: State()) { Payment.feature }
    store.exhaustivity = .off
    let pay = PendingCalls<Int>()
    store.dependencies.odd.pay = pay.endpoint()

    await store.send(.payTapped(.card(number: 7)))
    await store.send(.payTapped(.cash))
    pay.answer(0, .failure(Payment.Refusal.declined(code: 51, .limit)), strict: false)
    await store.skipReceivedActions(strict: false)
    #expect(store.state.code == nil || store.state.method != .cash)
  }
}

extension Loading {
  fileprivate static func foundByExploration() async {
    let store = TestStore(initialState: Loader<[Tag: Set<Tag>]>.State()) {
      Loader { try await $0.map($1) }
    }
    store.exhaustivity = .off
    let map = PendingCalls<Dictionary<Tag, Set<Tag>>>()
    store.dependencies.odd.map = map.endpoint()

    await store.send(.tagged(Set([.green, .red]), [.green: [], .red: [1]]))
    await store.send(.tagged(Set([]), [:]))
    map.answer(0, .success([.red: Set([.green, .red])]), strict: false)
    await store.skipReceivedActions(strict: false)
    #expect(store.state.value?.isEmpty ?? true || !store.state.tags.isEmpty)
  }
}

extension Reading {
  fileprivate static func foundByExploration() async {
    let store = TestStore(initialState: Reading.State()) { Reading() }
    store.exhaustivity = .off
    let say = PendingCalls<String>()
    store.dependencies.odd.say = say.endpoint()

    await store.send(.opened(.first))
    await store.send(.opened(.second))
    say.answer(0, .success("\"1\"\n\\(1) 👩‍👧 \u{07}"), strict: false)
    await store.skipReceivedActions(strict: false)
    #expect(store.state.text.isEmpty || store.state.page == .first)
  }
}

extension Booking {
  fileprivate static func foundByExploration() async {
    let store = TestStore(initialState: Booking.State()) { Booking() }
    store.exhaustivity = .off
    let price = PendingCalls<Decimal>()
    store.dependencies.odd.price = price.endpoint()

    await store.send(
      .booked(
        UUID(uuidString: "9B8F1E0A-0000-4000-8000-0000000000FF")!,
        on: Date(timeIntervalSinceReferenceDate: -978307199.9), for: .milliseconds(5),
        URL(string: "https://example.com/a?b=%22c%22")!))
    await store.send(
      .booked(
        UUID(uuidString: "EA15B982-CDF1-49A9-96C6-507A85E053DD")!,
        on: Date(timeIntervalSinceReferenceDate: -63114076800.0), for: .seconds(0),
        URL(string: "https://example.com/a?b=%22c%22")!))
    price.answer(0, .success(Decimal(string: "12.1")!), strict: false)
    await store.skipReceivedActions(strict: false)
    #expect(store.state.price != Decimal(string: "12.1") || store.state.id == first)
  }
}

extension Player {
  fileprivate static func foundByExploration() async {
    let store = TestStore(initialState: Player.State()) { Player() }
    store.exhaustivity = .off
    let oddRepeat = PendingCalls<()>()
    store.dependencies.odd.repeat = oddRepeat.endpoint()

    await store.send(.row(id: 1, .switch(.`init`)))
    await store.send(.row(id: 1, .switch(Player.Mode.none)))
    oddRepeat.answer(0, .success(()), strict: false)
    await store.skipReceivedActions(strict: false)
    #expect(
      store.state.played == nil || store.state.played == store.state.mode
        || store.state.mode != .none)
  }
}

extension Basket {
  fileprivate static func foundByExploration() async {
    let store = TestStore(initialState: Basket.State()) { Basket() }
    store.exhaustivity = .off
    let item = PendingCalls<Basket.Item>()
    store.dependencies.odd.item = item.endpoint()

    await store.send(.chosen(id: 1))
    await store.send(.chosen(id: 2))
    item.answer(0, .success(Basket.Item(id: 1, names: ["a"])), strict: false)
    await store.skipReceivedActions(strict: false)
    #expect(store.state.item == nil || store.state.item?.id == store.state.id)
  }
}

/// Finds a failure, compares its test with what is compiled in the file, and runs that.
func expect<State, Action>(
  _ explorer: Explorer<State, Action>, steps: Int = 2, prints printed: () async -> Void,
  file: String = #filePath
) async throws {
  let issues = await captureIssues { await explorer.explore(steps: steps, orders: 2_000) }
  let message = try #require(issues.first?.message)
  let test = try #require(
    message.split(separator: "func foundByExploration() ").dropFirst().first)
  let source = try String(contentsOfFile: file, encoding: .utf8)
  func plain(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }
  #expect(plain(source).contains(plain(test)), "Write this into \(file):\n\n\(message)")
  await withKnownIssue { await printed() }
}

@Suite struct OddTypesTests {
  /// Expects the test of a failure, which holds where the mistake is mended.
  private func expectMended<State, Action>(
    _ explorer: Explorer<State, Action>, prints printed: () async -> Void
  ) async throws {
    try await expect(explorer, prints: printed)
    await Mend.$isOn.withValue(true) {
      await printed()
      await explorer.explore(steps: 2, orders: 2_000)
    }
  }

  @Test func errorsWithPayloads() async throws {
    try await expectMended(Payment.explorer, prints: Payment.foundByExploration)
  }
  @Test func wordsOfTheLanguage() async throws {
    try await expectMended(Player.explorer, prints: Player.foundByExploration)
  }
  @Test func tuples() async throws {
    try await expectMended(Board.explorer, prints: Board.foundByExploration)
  }
  @Test func genericActionsDictionariesAndSets() async throws {
    try await expectMended(Loading.explorer, prints: Loading.foundByExploration)
  }
  @Test func optionalsOfOptionals() async throws {
    try await expectMended(Profile.explorer, prints: Profile.foundByExploration)
  }
  @Test func datesIdentifiersAndMoney() async throws {
    try await expectMended(Booking.explorer, prints: Booking.foundByExploration)
  }
  @Test func closuresInTheStateAndTextsToEscape() async throws {
    try await expectMended(Reading.explorer, prints: Reading.foundByExploration)
  }
  @Test func structuresInOtherTypes() async throws {
    try await expectMended(Basket.explorer, prints: Basket.foundByExploration)
  }
  @Test func valuesOfOtherLibrariesAreWrittenAsCode() {
    let values = ValueCode(PackageSources(of: .init()))
    #expect(values.text(URLError(.timedOut)) == "URLError(URLError.Code(rawValue: -1001))")
    #expect(values.text(Data([1, 2])) == "Data([1, 2])")
    #expect(values.text([-Double.infinity]) == "[-.infinity]")
    #expect(values.text(["a": .some(nil)] as [String: Int??]) == "[\"a\": .some(nil)]")
    #expect(values.unknown == nil)
    // A value that is not equal to itself would never be the one that was found.
    _ = values.text([Double.nan])
    #expect(values.unknown == "nan")
  }

  @Test func initializersThatATestCannotCallAreLeftOut() {
    struct SealedTicket {
      let number: Int
      private init(number: Int) { self.number = number }
    }
    struct CheckedTicket {
      let number: Int
      init(number: Int) throws { self.number = number }
    }
    struct PairedTicket {
      let change: (Int) -> Void
      let number: Int
      init(number: Int) { self.init(change: { _ in }, number: number) }
      init(change: @escaping (Int) -> Void, number: Int) {
        self.change = change
        self.number = number
      }
    }
    let sources = PackageSources(of: .init())
    #expect(!sources.canMake("SealedTicket", of: ["number"]))
    #expect(!sources.canMake("CheckedTicket", of: ["number"]))
    #expect(sources.canMake("PairedTicket", of: ["change", "number"]))
  }

  @Test func structuresThatNoCodeMakesAreReplayed() async throws {
    let explorer = Explorer(initialState: Booth.State()) { Booth() }
      .actions(.chosen(id: 1), .chosen(id: 2))
      .outcomes(of: \.odd.ticket) { [.success(Ticket($0))] }
      .always { $0.ticket?.isFor($0.id) ?? true }
    let issues = await captureIssues { await explorer.explore(steps: 2) }
    #expect(
      issues.first?.message.hasSuffix(
        """
        No test with 'TestStore' is written, because it is not known what makes this value: \
        Ticket(number: 1). Keep the replay as the test.
        """) == true, "\(issues)")
  }

  @Test func typesOfFunctionsAreReplayedInThem() async {
    enum Side: Equatable { case left, right }
    let explorer = Explorer(initialState: [Side]()) {
      Reduce<[Side], Side> { state, side in
        state.append(side)
        return .none
      }
    }
    .actions(.left, .right)
    .always { $0 != [.right, .left] }
    let issues = await captureIssues { await explorer.explore(steps: 2) }
    #expect(
      issues.first?.message.hasSuffix(
        """
        No test outside of this function says this, because a type is declared in it. The replay is the \
        test, in place of '.explore(…)':

        .replay("2-0:1/2,1:1/2")
        """) == true, "\(issues)")
    let again = await captureIssues { await explorer.replay("2-0:1/2,1:1/2") }
    #expect(again.count == 1)
  }
}
