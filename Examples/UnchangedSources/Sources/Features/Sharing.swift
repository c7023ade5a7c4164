import ComposableArchitecture
import Foundation

struct Stats: Codable, Equatable, Sendable {
  private(set) var count = 0
  private(set) var maxCount = 0
  private(set) var numberOfCounts = 0

  mutating func increment() {
    count += 1
    numberOfCounts += 1
    maxCount = max(maxCount, count)
  }
  mutating func decrement() {
    count -= 1
    numberOfCounts += 1
  }
}

extension SharedKey where Self == FileStorageKey<Stats> {
  fileprivate static var stats: Self {
    fileStorage(.documentsDirectory.appending(component: "stats.json"))
  }
}

extension SharedReaderKey where Self == FileStorageKey<IdentifiedArrayOf<SyncUp>>.Default {
  static var syncUps: Self {
    Self[.fileStorage(.syncUps), default: []]
  }
}

extension SharedKey where Self == InMemoryKey<Bool>.Default {
  static var isOnboarded: Self { Self[.inMemory("isOnboarded"), default: false] }
}

extension URL {
  static let syncUps = Self.documentsDirectory.appending(component: "sync-ups.json")
}

struct SyncUp: Equatable, Identifiable, Codable, Sendable {
  let id: UUID
  var title = ""
  var attendees: IdentifiedArrayOf<Attendee> = []

  struct Attendee: Equatable, Identifiable, Codable, Sendable {
    let id: UUID
    var name = ""
  }
}

@Reducer
struct StatsTab {
  @ObservableState
  struct State: Equatable {
    @Presents var alert: AlertState<Action.Alert>?
    @Shared(.stats) var stats = Stats()
  }

  enum Action {
    case alert(PresentationAction<Alert>)
    case decrementButtonTapped
    case incrementButtonTapped
    case isPrimeButtonTapped
    case resetStatsButtonTapped
    enum Alert: Equatable {}
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .alert:
        return .none
      case .decrementButtonTapped:
        state.$stats.withLock { $0.decrement() }
        return .none
      case .incrementButtonTapped:
        state.$stats.withLock { $0.increment() }
        return .none
      case .isPrimeButtonTapped:
        state.alert = AlertState {
          TextState(isPrime(state.stats.count) ? "Prime" : "Not prime")
        }
        return .none
      case .resetStatsButtonTapped:
        state.$stats.withLock { $0 = Stats() }
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }
}

private func isPrime(_ number: Int) -> Bool {
  guard number > 1 else { return false }
  return !(2..<number).contains { number.isMultiple(of: $0) }
}

@Reducer
struct SyncUpDetail {
  @ObservableState
  struct State: Equatable {
    @Shared var syncUp: SyncUp
    var isEditing = false
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case renameButtonTapped(String)
    case deleteButtonTapped
    case addAttendee
  }

  @Dependency(\.uuid) var uuid
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding:
        return .none
      case let .renameButtonTapped(title):
        state.$syncUp.withLock { $0.title = title }
        return .none
      case .addAttendee:
        state.$syncUp.attendees.withLock { _ = $0.append(SyncUp.Attendee(id: uuid())) }
        return .none
      case .deleteButtonTapped:
        @Shared(.syncUps) var syncUps
        $syncUps.withLock { _ = $0.remove(id: state.syncUp.id) }
        return .run { _ in await dismiss() }
      }
    }
  }
}

@Reducer
struct SyncUpsList {
  @ObservableState
  struct State: Equatable {
    @Shared(.syncUps) var syncUps
    @Shared(.appStorage("opened")) var openCount = 0
    @Shared(.isOnboarded) var isOnboarded
    @Presents var detail: SyncUpDetail.State?
  }

  enum Action {
    case addButtonTapped
    case onDelete(IndexSet)
    case syncUpTapped(id: SyncUp.ID)
    case detail(PresentationAction<SyncUpDetail.Action>)
    case importTapped
    case imported
  }

  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addButtonTapped:
        _ = state.$syncUps.withLock { $0.append(SyncUp(id: uuid(), title: "New")) }
        return .none
      case let .onDelete(indexSet):
        state.$syncUps.withLock { $0.remove(atOffsets: indexSet) }
        return .none
      case .syncUpTapped(let id):
        guard let syncUp = Shared(state.$syncUps[id: id]) else { return .none }
        state.detail = SyncUpDetail.State(syncUp: syncUp)
        state.$openCount.withLock { $0 += 1 }
        return .none
      case .importTapped:
        return .run { [syncUps = state.$syncUps, isOnboarded = state.$isOnboarded] send in
          syncUps.withLock { syncUps in
            for index in syncUps.indices { syncUps[index].title += "!" }
          }
          isOnboarded.withLock { $0 = true }
          await send(.imported)
        }
      case .imported, .detail:
        return .none
      }
    }
    .ifLet(\.$detail, action: \.detail) { SyncUpDetail() }
  }
}
