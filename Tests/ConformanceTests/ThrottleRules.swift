// R18: throttle, on every host.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct ThrottleRules {
  private let scheduler = DispatchQueue.test

  /// Sends a word every second, throttled to one in three seconds, and returns what passes, with the second.
  private func log(_ kind: HostKind, latest: Bool, _ words: [String]) async -> [String] {
    let scheduler = scheduler
    let host = await kind.script(stamp: { scheduler.milliseconds / 1_000 }) { action in
      guard action.hasPrefix("in ") else { return .none }
      return .send(String(action.dropFirst(3)))
        .throttle(id: "throttle", for: 3, scheduler: scheduler, latest: latest)
    }
    for word in words {
      await host.send("in \(word)")
      await host.perform { scheduler.advance(by: 1) }
    }
    await host.perform { scheduler.run() }
    #expect(scheduler.timeline.waiting.isEmpty)
    return host.log.entries.filter { !$0.action.hasPrefix("in ") }
      .map { "\($0.stamp) \($0.action)" }
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func theFirstPassesAtOnceAndThenTheLatestOfEachInterval(kind: HostKind) async {
    #expect(
      await log(kind, latest: true, ["a", "b", "c", "d", "e", "f"]) == ["0 a", "3 c", "6 f"])
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func orTheFirstOfEachInterval(kind: HostKind) async {
    #expect(
      await log(kind, latest: false, ["a", "b", "c", "d", "e", "f"]) == ["0 a", "3 b", "6 d"])
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func afterAQuietIntervalTheNextPassesAtOnce(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script { action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 3, scheduler: scheduler, latest: true)
    }
    await host.send("tap")
    await host.perform { scheduler.advance(by: 3) }
    await host.send("tap")
    #expect(await host.state == ["tap", "passed", "tap", "passed"])
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func atMostOnePassesPerIntervalAlsoAfterAKeptOne(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script { [scheduler] action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 3, scheduler: scheduler, latest: true)
    }
    await host.send("tap")
    await host.send("tap")
    await host.perform { scheduler.advance(by: 3) }
    #expect(await host.state.count { $0 == "passed" } == 2)
    await host.perform { scheduler.advance(by: 1) }
    await host.send("tap")
    #expect(await host.state.count { $0 == "passed" } == 2)
    await host.perform { scheduler.advance(by: 2) }
    #expect(await host.state.count { $0 == "passed" } == 3)
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func effectsUnderOneIDShareTheInterval(kind: HostKind) async {
    let scheduler = scheduler
    let effect = Effect.send("passed")
    let host = await kind.script([
      "tap": .merge(
        effect.throttle(id: 1, for: 1, scheduler: scheduler, latest: false),
        effect.throttle(id: 1, for: 1, scheduler: scheduler, latest: false),
        effect.throttle(id: 2, for: 1, scheduler: scheduler, latest: false))
    ])
    await host.send("tap")
    #expect(await host.state == ["tap", "passed", "passed"])
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "passed", "passed", "passed"])
  }

  // R4, R18
  @Test(arguments: HostKind.allCases)
  func anEffectWhoseValueIsKeptIsInFlight(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script { [scheduler] action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    }
    #expect(await host.send("tap").isFinished)
    let second = await host.send("tap")
    #expect(!second.isFinished)
    let third = await host.send("tap")
    #expect(second.isFinished)
    #expect(!third.isFinished)
    await host.perform { scheduler.run() }
    #expect(third.isFinished)
  }

  // R14, R18
  @Test(arguments: HostKind.allCases)
  func aKeptValueIsForgottenWhenItsEffectIsCancelled(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script { [scheduler] action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    }
    await host.send("tap")
    await host.send("tap").cancel()
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "passed", "tap"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func twoHostsThrottleOnTheirOwn(kind: HostKind) async {
    let effect = Effect.send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    let (one, two) = (await kind.script(["tap": effect]), await kind.script(["tap": effect]))
    await one.send("tap")
    await two.send("tap")
    #expect(await one.state == ["tap", "passed"])
    #expect(await two.state == ["tap", "passed"])
  }

  // R13, R18
  @Test(arguments: HostKind.allCases)
  func siblingsThrottleOnTheirOwn(kind: HostKind) async {
    let effect = Effect.send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    let host = await kind.script(["tap": .merge(effect.scoped(to: "a"), effect.scoped(to: "b"))])
    await host.send("tap")
    #expect(await host.state == ["tap", "passed", "passed"])
  }

  // R18, H26
  @Test(arguments: HostKind.stores, Rooms.Place.allCases)
  fileprivate func anIntervalEndsWithTheChildThatHasOpenedIt(
    kind: HostKind, place: Rooms.Place
  ) async {
    for latest in [true, false] {
      let scheduler = scheduler
      let host = await kind.make(Rooms.State()) { Rooms(scheduler: scheduler, latest: latest) }
      await host.send(.edit { $0.add(place) })
      await host.say("a", place)
      await host.send(.edit { $0.remove(place) })
      #expect(scheduler.timeline.waiting.isEmpty)
      await host.send(.edit { $0.add(place) })
      await host.say("b", place)
      #expect(await host.state.heard == ["a", "b"])
      let kept = await host.say("c", place)
      #expect(!kept.isFinished)
      await host.send(.edit { $0.remove(place) })
      await kept.finish()
      #expect(scheduler.timeline.waiting.isEmpty)
      await host.send(.edit { $0.add(place) })
      await host.say("d", place)
      #expect(await host.state.heard == ["a", "b", "d"])
    }
  }

  // R18: a child's intervals end with those around it, also where these have nothing in flight.
  @Test(arguments: HostKind.stores)
  func anIntervalEndsWithAChildAround(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.make(Rooms.State()) { Rooms(scheduler: scheduler, latest: true) }
    for word in ["a", "b"] {
      await host.send(.edit { $0.rows = [Room.State(id: 1, part: Room.Part(inner: Room.Inner()))] })
      await host.send(.rows(.element(id: 1, action: .part(.inner(.say(word))))))
      await host.send(.edit { $0.rows = [] })
      #expect(scheduler.timeline.waiting.isEmpty)
    }
    #expect(await host.state.heard == ["a", "b"])
  }

  // R18: the children of two parts are at one path, so they share the interval.
  @Test(arguments: HostKind.stores, [true, false])
  func anIntervalGoesOnForTheChildrenOfOtherParts(kind: HostKind, latest: Bool) async {
    let scheduler = scheduler
    let host = await kind.make(Rooms.State()) { Rooms(scheduler: scheduler, latest: latest) }
    for place in [Rooms.Place.left, .right] { await host.send(.edit { $0.add(place) }) }
    await host.say("a", .left)
    await host.send(.edit { $0.remove(.right) })
    let one = await host.say("b", .left)
    #expect(!one.isFinished)
    await host.perform { scheduler.advance(by: 60) }
    #expect(one.isFinished)
    #expect(await host.state.heard == ["a", "b"])

    await host.send(.edit { $0.add(.right) })
    let two = await host.say("c", .right)
    await host.send(.edit { $0.remove(.left) })
    #expect(!two.isFinished)
    await host.perform { scheduler.advance(by: 60) }
    await two.finish()
    #expect(await host.state.heard == ["a", "b", "c"])
    await host.send(.edit { $0.remove(.right) })
    #expect(scheduler.timeline.waiting.isEmpty)
  }
}

/// A feature with children of each kind, which say words through a throttle.
private struct Rooms: Reducer {
  enum Place: CaseIterable { case child, row, sheet, path, left, right }

  struct State: Equatable, Carried, Sendable {
    var child: Room.Inner?
    var rows: IdentifiedArrayOf<Room.State> = []
    @PresentationState var sheet: Room.Inner?
    var path = StackState<Room.Inner>()
    var left = Room.Part()
    var right = Room.Part()
    /// The words that have passed.
    var heard: [String] = []

    mutating func add(_ place: Place) {
      switch place {
      case .child: child = Room.Inner()
      case .row: rows.append(Room.State(id: 1))
      case .sheet: sheet = Room.Inner()
      case .path: path.append(Room.Inner())
      case .left: left.inner = Room.Inner()
      case .right: right.inner = Room.Inner()
      }
    }

    mutating func remove(_ place: Place) {
      switch place {
      case .child: child = nil
      case .row: rows.remove(id: 1)
      case .sheet: sheet = nil
      case .path: path.removeLast()
      case .left: left.inner = nil
      case .right: right.inner = nil
      }
    }
  }

  enum Action: CasePathable, Carried, Sendable {
    case child(Words.Action)
    case rows(IdentifiedAction<Int, Room.Action>)
    case sheet(PresentationAction<Words.Action>)
    case path(StackAction<Room.Inner, Words.Action>)
    case left(Room.PartAction)
    case right(Room.PartAction)
    case edit(@Sendable (inout State) -> Void)

    struct AllCasePaths: Sendable {
      let child = AnyCasePath(Action.child)
      let rows = AnyCasePath(Action.rows)
      let sheet = AnyCasePath(Action.sheet)
      let path = AnyCasePath(Action.path)
      let left = AnyCasePath(Action.left)
      let right = AnyCasePath(Action.right)
    }
    static let allCasePaths = AllCasePaths()
  }

  let scheduler: TestSchedulerOf<DispatchQueue>
  let latest: Bool

  private var words: Words { Words(scheduler: scheduler, latest: latest) }

  var body: some ReducerOf<Self> {
    Scope(state: \.left, action: \.left) { RoomPart(words: words) }
    Scope(state: \.right, action: \.right) { RoomPart(words: words) }
    Reduce { state, action in
      switch action {
      case .edit(let edit): edit(&state)
      case .child(.passed(let word)), .rows(.element(_, .words(.passed(let word)))),
        .rows(.element(_, .part(.inner(.passed(let word))))), .sheet(.presented(.passed(let word))),
        .path(.element(_, .passed(let word))), .left(.inner(.passed(let word))),
        .right(.inner(.passed(let word))):
        state.heard.append(word)
      default: break
      }
      return .none
    }
    .ifLet(\.child, action: \.child) { words }
    .forEach(\.rows, action: \.rows) { Room(words: words) }
    .ifLet(\.$sheet, action: \.sheet) { words }
    .forEach(\.path, action: \.path) { words }
  }
}

extension Host<Rooms.State, Rooms.Action> {
  /// Lets the child at a place say a word.
  @discardableResult
  fileprivate func say(_ word: String, _ place: Rooms.Place) async -> any HostTask {
    switch place {
    case .child: await send(.child(.say(word)))
    case .row: await send(.rows(.element(id: 1, action: .words(.say(word)))))
    case .sheet: await send(.sheet(.presented(.say(word))))
    case .path: await send(.path(.element(id: state.path.ids.last!, action: .say(word))))
    case .left: await send(.left(.inner(.say(word))))
    case .right: await send(.right(.inner(.say(word))))
    }
  }
}

/// An element with a part that has a child.
private struct Room: Reducer {
  struct Inner: Equatable, Sendable {}
  struct Part: Equatable, Sendable { var inner: Inner? }
  struct State: Equatable, Identifiable, Sendable {
    let id: Int
    var own = Inner()
    var part = Part()
  }

  enum PartAction: CasePathable, Sendable {
    case inner(Words.Action)

    struct AllCasePaths: Sendable { let inner = AnyCasePath(PartAction.inner) }
    static let allCasePaths = AllCasePaths()
  }

  enum Action: CasePathable, Sendable {
    case words(Words.Action)
    case part(PartAction)

    struct AllCasePaths: Sendable {
      let words = AnyCasePath(Action.words)
      let part = AnyCasePath(Action.part)
    }
    static let allCasePaths = AllCasePaths()
  }

  let words: Words

  var body: some ReducerOf<Self> {
    Scope(state: \.own, action: \.words) { words }
    Scope(state: \.part, action: \.part) { RoomPart(words: words) }
  }
}

private struct RoomPart: Reducer {
  let words: Words

  var body: some Reducer<Room.Part, Room.PartAction> {
    EmptyReducer().ifLet(\.inner, action: \.inner) { words }
  }
}

/// Lets one word through in a minute.
private struct Words: Reducer {
  enum Action: Sendable { case say(String), passed(String) }

  let scheduler: TestSchedulerOf<DispatchQueue>
  let latest: Bool

  func reduce(into state: inout Room.Inner, action: Action) -> Effect<Action> {
    guard case .say(let word) = action else { return .none }
    return .send(.passed(word)).throttle(id: 1, for: 60, scheduler: scheduler, latest: latest)
  }
}
