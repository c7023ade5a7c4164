// A courier's day: parcels with timers of their own, a form, a choice of screens, and groups of calls.

import Foundation
import Rondo

struct Coordinate: Equatable, Sendable {
  var latitude: Double
  var longitude: Double
}

struct RouteError: Error, Equatable {
  enum Reason: Equatable { case closed, tooFar(kilometres: Int) }

  var reason: Reason
}

@DependencyClient
struct CourierClient: Sendable {
  var position: @Sendable () async -> Coordinate = { Coordinate(latitude: 0, longitude: 0) }
  var route: @Sendable (_ from: Coordinate, _ to: String) async throws -> [Coordinate]
  var deliver: @Sendable (_ id: Int, _ signature: String) async throws -> Date
  var weather: @Sendable () async throws -> String
  var traffic: @Sendable () async throws -> Int
}

extension CourierClient: DependencyKey {
  static let liveValue = Self(
    position: {
      try? await Task.sleep(for: .milliseconds(.random(in: 1...12)))
      return Coordinate(latitude: .random(in: 50...51), longitude: -0.25)
    },
    route: { from, to in
      try await Task.sleep(for: .milliseconds(.random(in: 5...70)))
      if Int.random(in: 0..<5) == 0 { throw RouteError(reason: .tooFar(kilometres: to.count)) }
      if Int.random(in: 0..<8) == 0 { throw RouteError(reason: .closed) }
      return [from, Coordinate(latitude: 52.5, longitude: Double(to.count))]
    },
    deliver: { id, _ in
      try await Task.sleep(for: .milliseconds(.random(in: 5...40)))
      if id % 3 == 0, Bool.random() { throw RouteError(reason: .closed) }
      return Date(timeIntervalSince1970: Double(id) * 1000)
    },
    weather: {
      try await Task.sleep(for: .milliseconds(.random(in: 1...30)))
      return ["rain", "sun", "snow \"heavy\""].randomElement()!
    },
    traffic: {
      try await Task.sleep(for: .milliseconds(.random(in: 1...30)))
      return .random(in: 0...9)
    })
  static let testValue = Self()
}

extension DependencyValues {
  var courierClient: CourierClient {
    get { self[CourierClient.self] }
    set { self[CourierClient.self] = newValue }
  }
}

@Reducer
struct Courier {
  @Reducer(state: .equatable, action: .equatable)
  enum Destination {
    case form(ParcelForm)
    case details(ParcelDetails)
    case sort(ConfirmationDialogState<Sort>)
  }

  enum Sort: Equatable { case byName, byAge }

  struct Conditions: Equatable, Sendable {
    var weather: String
    var traffic: Int
  }

  @ObservableState
  struct State: Equatable {
    var parcels: IdentifiedArrayOf<Parcel.State> = []
    var position: Coordinate?
    var route: [Coordinate] = []
    var routeError: RouteError?
    var conditions: Conditions?
    var visits: [String: Int] = [:]
    var tags: Set<String> = []
    var shift = Duration.zero
    var isOnDuty = false
    @Presents var destination: Destination.State?
    @Shared(.appStorage("courier-delivered")) var delivered = 0
  }

  enum Action: Equatable {
    case onAppear
    case dutyToggled
    case shiftTicked
    case located(Coordinate)
    case routeTapped(String)
    case routeFound([Coordinate])
    case routeFailed(RouteError)
    case conditionsTapped
    case conditionsLoaded(Conditions)
    case conditionsUnknown
    case tagTapped(String)
    case addTapped
    case detailsTapped(Int)
    case sortTapped
    case parcels(IdentifiedActionOf<Parcel>)
    case destination(PresentationAction<Destination.Action>)
  }

  enum CancelID: Hashable { case shift, route, position }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.courierClient) var client

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .onAppear:
        return .run { send in
          while true {
            await send(.located(client.position()))
            try await clock.sleep(for: .milliseconds(140))
          }
        }
        .cancellable(id: CancelID.position, cancelInFlight: true)

      case .dutyToggled:
        state.isOnDuty.toggle()
        guard state.isOnDuty else { return .cancel(id: CancelID.shift) }
        return .run { send in
          for await _ in clock.timer(interval: .milliseconds(75)) {
            await send(.shiftTicked, animation: .linear)
          }
        }
        .cancellable(id: CancelID.shift, cancelInFlight: true)

      case .shiftTicked:
        state.shift += .milliseconds(75)
        return .none

      case .located(let position):
        state.position = position
        return .none

      case .routeTapped(let street):
        guard let position = state.position else { return .none }
        state.routeError = nil
        state.visits[street, default: 0] += 1
        return .run { send in
          await send(.routeFound(try await client.route(from: position, to: street)))
        } catch: { error, send in
          if let error = error as? RouteError { await send(.routeFailed(error)) }
        }
        .cancellable(id: CancelID.route, cancelInFlight: true)

      case .routeFound(let route):
        state.route = route
        return .none

      case .routeFailed(let error):
        state.routeError = error
        state.route = []
        return .none

      case .conditionsTapped:
        state.conditions = nil
        return .run { send in
          async let weather = client.weather()
          async let traffic = client.traffic()
          await send(
            .conditionsLoaded(Conditions(weather: try await weather, traffic: try await traffic)))
        } catch: { _, send in
          await send(.conditionsUnknown)
        }

      case .conditionsLoaded(let conditions):
        state.conditions = conditions
        return .none

      case .conditionsUnknown:
        return .none

      case .tagTapped(let tag):
        if state.tags.remove(tag) == nil { state.tags.insert(tag) }
        return .none

      case .addTapped:
        state.destination = .form(ParcelForm.State())
        return .none

      case .detailsTapped(let id):
        guard let parcel = state.parcels[id: id] else { return .none }
        state.destination = .details(ParcelDetails.State(id: id, street: parcel.street))
        return .none

      case .sortTapped:
        state.destination = .sort(
          ConfirmationDialogState {
            TextState("Sort \(state.parcels.count) parcels")
          } actions: {
            ButtonState(action: .byName) { TextState("By name") }
            ButtonState(action: .byAge) { TextState("By age") }
            ButtonState(role: .cancel) { TextState("Cancel") }
          } message: {
            TextState("Which order?")
          })
        return .none

      case .destination(.presented(.sort(let sort))):
        let parcels = state.parcels.elements.sorted {
          sort == .byName
            ? ($0.street, $0.id) < ($1.street, $1.id) : ($0.age, $0.id) < ($1.age, $1.id)
        }
        state.parcels = IdentifiedArray(uniqueElements: parcels)
        return .none

      case .destination(.presented(.form(.delegate(.saved(let street))))):
        let id = (state.parcels.ids.max() ?? 0) + 1
        state.parcels.append(Parcel.State(id: id, street: street))
        return .none

      case .destination(.presented(.details(.delegate(.dropped(let id))))):
        state.parcels.remove(id: id)
        return .none

      case .parcels(.element(id: _, action: .delivered(.success))):
        state.$delivered.withLock { $0 += 1 }
        return .none

      case .parcels, .destination:
        return .none
      }
    }
    .forEach(\.parcels, action: \.parcels) { Parcel() }
    .ifLet(\.$destination, action: \.destination)
  }
}

@Reducer
struct Parcel {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var street: String
    var age = 0
    var status = Status.waiting

    enum Status: Equatable {
      case waiting
      case carried(since: Int)
      case delivered(Date)
      case returned(RouteError)
    }
  }

  enum Action: Equatable {
    case carryTapped
    case aged
    case signed(String)
    case delivered(Result<Date, RouteError>)
  }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.courierClient) var client

  private enum CancelID { case aging }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .carryTapped:
        state.status = .carried(since: state.age)
        return .run { send in
          for step in 1...5 {
            try await clock.sleep(for: .milliseconds(25 * step))
            await send(.aged)
          }
        }
        .cancellable(id: CancelID.aging, cancelInFlight: true)

      case .aged:
        state.age += 1
        return .none

      case .signed(let name):
        guard case .carried = state.status else { return .none }
        return .concatenate(
          .cancel(id: CancelID.aging),
          .run { [id = state.id] send in
            do {
              await send(.delivered(.success(try await client.deliver(id: id, signature: name))))
            } catch let error as RouteError {
              await send(.delivered(.failure(error)))
            }
          })

      case .delivered(.success(let date)):
        state.status = .delivered(date)
        return .none

      case .delivered(.failure(let error)):
        state.status = .returned(error)
        return .none
      }
    }
  }
}

@Reducer
struct ParcelForm {
  @ObservableState
  struct State: Equatable {
    var street = ""
    var isExpress = false
    var weight = 1.5
    var problem: String?
  }

  enum Action: Equatable, BindableAction {
    case binding(BindingAction<State>)
    case checked(isKnown: Bool)
    case saveTapped
    case cancelTapped
    case delegate(Delegate)

    enum Delegate: Equatable { case saved(String) }
  }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss

  private enum CancelID { case check }

  var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.street) { _, street in
        Reduce { state, _ in
          state.problem = street.isEmpty ? "A street is needed" : nil
          return .run { send in
            try await clock.sleep(for: .milliseconds(45))
            await send(.checked(isKnown: street.count > 4))
          }
          .cancellable(id: CancelID.check, cancelInFlight: true)
        }
      }
    Reduce { state, action in
      switch action {
      case .checked(let isKnown):
        if !isKnown { state.problem = "'\(state.street)' is not known" }
        return .none
      case .saveTapped:
        guard !state.street.isEmpty else {
          state.problem = "A street is needed"
          return .none
        }
        return .concatenate(
          .send(.delegate(.saved(state.street))),
          .run { _ in await dismiss() })
      case .cancelTapped:
        return .run { _ in await dismiss(animation: .default) }
      case .binding, .delegate:
        return .none
      }
    }
  }
}

@Reducer
struct ParcelDetails {
  @ObservableState
  struct State: Equatable {
    let id: Int
    let street: String
    var seconds = 0
    @Presents var alert: AlertState<Action.Alert>?
  }

  enum Action: Equatable {
    case task
    case ticked
    case dropTapped
    case alert(PresentationAction<Alert>)
    case delegate(Delegate)

    enum Alert: Equatable { case confirmDropTapped }
    enum Delegate: Equatable { case dropped(Int) }
  }

  @Dependency(\.mainQueue) var mainQueue
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .task:
        return .run { send in
          for await _ in mainQueue.timer(interval: .milliseconds(95)) { await send(.ticked) }
        }
      case .ticked:
        state.seconds += 1
        return .none
      case .dropTapped:
        state.alert = AlertState {
          TextState("Drop \(state.street)?")
        } actions: {
          ButtonState(role: .destructive, action: .confirmDropTapped) { TextState("Drop") }
        }
        return .none
      case .alert(.presented(.confirmDropTapped)):
        return .run { [id = state.id] send in
          await send(.delegate(.dropped(id)), animation: .default)
          await dismiss()
        }
      case .alert, .delegate:
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }
}
