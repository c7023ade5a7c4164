// Which child of an enum of features is another one.

import Rondo
import RondoTesting
import Testing

/// A feature whose state is no observable one. Its `id` alone tells two of them apart.
@Reducer
private struct Clock {
  struct State: Equatable, Identifiable {
    var id: Int
    var ticks = 0
  }

  enum Action: Equatable {
    case start
    case ticked
    case become(Int)
  }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start:
        return .run { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
        }
      case .ticked: state.ticks += 1
      case .become(let id): state.id = id
      }
      return .none
    }
  }
}

/// A feature whose state is an enum itself.
@Reducer
private struct Session {
  @ObservableState
  enum State: Equatable {
    case loggedOut
    case loggedIn(String)
  }

  enum Action: Equatable {
    case logIn
    case named(String)
  }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .logIn:
        state = .loggedIn("?")
        return .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(.named("Blob"))
        }
      case .named(let name):
        state = .loggedIn(name)
        return .none
      }
    }
  }
}

@Reducer
private struct App {
  @Reducer(state: .equatable)
  enum Destination {
    case alert(AlertState<Alert>)
    case clock(Clock)
    case session(Session)

    @CasePathable
    enum Alert: Equatable, Sendable {
      case next
    }
  }

  @ObservableState
  struct State: Equatable {
    @Presents var destination: Destination.State?
    var plain: Destination.State?
  }

  enum Action {
    case destination(PresentationAction<Destination.Action>)
    case plain(Destination.Action)
    case show(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .destination(.presented(.alert(.next))), .plain(.alert(.next)):
        state.show(.alert(App.alert))
      case .show(let id): state.show(.clock(Clock.State(id: id)))
      default: break
      }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
    .ifLet(\.plain, action: \.plain)
  }

  static var alert: AlertState<Destination.Alert> { AlertState { TextState("B") } }
}

extension App.State {
  /// Puts a child where one is already.
  fileprivate mutating func show(_ child: App.Destination.State) {
    if $destination.wrappedValue != nil { destination = child }
    if plain != nil { plain = child }
  }
}

@MainActor
@Suite struct ReducerEnumIdentityTests {
  private let clock = TestClock()

  private func store(_ state: App.State) -> TestStoreOf<App> {
    let store = TestStore(initialState: state) {
      App()
    } withDependencies: {
      $0.continuousClock = clock
    }
    store.exhaustivity = .off
    return store
  }

  // C6
  @Test func anAlertInPlaceOfAnAlertIsShown() async {
    let first = AlertState<App.Destination.Alert> { TextState("A") }
    let presented = store(App.State(destination: .alert(first)))
    await presented.send(\.destination.alert.next)
    #expect(presented.state.destination == .alert(App.alert))
    let plain = store(App.State(plain: .alert(first)))
    await plain.send(\.plain.alert.next)
    #expect(plain.state.plain == .alert(App.alert))
  }

  // C6
  @Test func theEffectsOfAChildWithAnotherIDEnd() async {
    let first = App.Destination.State.clock(Clock.State(id: 1))
    let stores = [store(App.State(destination: first)), store(App.State(plain: first))]
    await stores[0].send(\.destination.clock.start)
    await stores[1].send(\.plain.clock.start)
    await clock.advance(by: .seconds(1))
    for store in stores {
      await store.skipReceivedActions()
      await store.send(.show(2))
    }
    await clock.advance(by: .seconds(1))
    for store in stores { await store.finish() }
    #expect(stores[0].state.destination == .clock(Clock.State(id: 2)))
    #expect(stores[1].state.plain == .clock(Clock.State(id: 2)))
  }

  // C2
  @Test func aChildThatGoesIntoAnotherCaseOfItsOwnKeepsItsEffects() async {
    let store = store(App.State(destination: .session(.loggedOut)))
    await store.send(\.destination.session.logIn)
    await clock.advance(by: .seconds(1))
    await store.finish()
    #expect(store.state.destination == .session(.loggedIn("Blob")))
  }

  // C6
  @Test func aChildThatTakesAnotherIDItselfIsAnotherOne() async {
    let store = store(App.State(destination: .clock(Clock.State(id: 1))))
    await store.send(\.destination.clock.start)
    await store.send(\.destination.clock.become, 2)
    await clock.advance(by: .seconds(1))
    await store.finish()
    #expect(store.state.destination == .clock(Clock.State(id: 2)))
  }
}
