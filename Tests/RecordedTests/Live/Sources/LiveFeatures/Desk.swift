// A trading desk: timers of three kinds, orders that are refused, rows and a sheet with timers of their own.

import Rondo

enum DeskError: Error, Equatable {
  case refused(Int)
  case offline
}

@DependencyClient
struct DeskClient: Sendable {
  var buy: @Sendable (_ count: Int) async throws -> Int
  var rate: @Sendable () async -> Result<Int, DeskError> = { .failure(.offline) }
  var note: @Sendable (_ text: String) async throws -> Void
}

extension DeskClient: DependencyKey {
  static let liveValue = Self(
    buy: { count in
      try await Task.sleep(for: .milliseconds(.random(in: 5...120)))
      if Int.random(in: 0..<4) == 0 { throw DeskError.refused(count) }
      if Int.random(in: 0..<6) == 0 { throw DeskError.offline }
      return count * 10
    },
    rate: {
      try? await Task.sleep(for: .milliseconds(.random(in: 5...90)))
      return Int.random(in: 0..<3) == 0 ? .failure(.offline) : .success(.random(in: 1...9))
    },
    note: { _ in
      try await Task.sleep(for: .milliseconds(20))
      if Bool.random() { throw DeskError.offline }
    })
  static let testValue = Self()
}

extension DependencyValues {
  var deskClient: DeskClient {
    get { self[DeskClient.self] }
    set { self[DeskClient.self] = newValue }
  }
}

@Reducer
struct Desk {
  @ObservableState
  struct State: Equatable {
    var isOpen = false
    var ticks = 0
    var beats = 0
    var polls = 0
    var rate: Int?
    var isBuying = false
    var balance = 100
    var error: DeskError?
    var notes = 0
    var failedNotes = 0
    var query = ""
    var hits = 0
    var rows: IdentifiedArrayOf<Lot.State> = []
    @Presents var sheet: Ticket.State?
  }

  enum Action: Equatable {
    case opened
    case closed
    case ticked
    case beaten
    case polled
    case rateTapped
    case rated(Result<Int, DeskError>)
    case buyTapped(Int)
    case bought(TaskOutcome)
    case cancelTapped
    case noteTapped(String)
    case noted
    case noteFailed
    case queryChanged(String)
    case searched(String)
    case addTapped
    case removeTapped(Int)
    case sheetTapped
    case rows(IdentifiedActionOf<Lot>)
    case sheet(PresentationAction<Ticket.Action>)
  }

  enum TaskOutcome: Equatable {
    case done(Int)
    case failed(DeskError)
  }

  enum CancelID { case ticking, beating, polling, buying, searching }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.mainQueue) var mainQueue
  @Dependency(\.deskClient) var client

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .opened:
        guard !state.isOpen else { return .none }
        state.isOpen = true
        return .merge(
          Effect.timer(id: CancelID.ticking, every: .milliseconds(100), on: mainQueue)
            .map { _ in .ticked },
          .run { send in
            for await _ in clock.timer(interval: .milliseconds(130)) { await send(.beaten) }
          }
          .cancellable(id: CancelID.beating),
          .run { send in
            while true {
              try await clock.sleep(for: .milliseconds(170))
              await send(.polled)
            }
          }
          .cancellable(id: CancelID.polling))

      case .closed:
        state.isOpen = false
        return .merge(
          .cancel(id: CancelID.ticking), .cancel(id: CancelID.beating),
          .cancel(id: CancelID.polling))

      case .ticked:
        state.ticks += 1
        return .none

      case .beaten:
        state.beats += 1
        return .none

      case .polled:
        state.polls += 1
        return .none

      case .rateTapped:
        return .run { send in await send(.rated(client.rate())) }

      case .rated(.success(let rate)):
        state.rate = rate
        return .none

      case .rated(.failure(let error)):
        state.error = error
        return .none

      case .buyTapped(let count):
        guard !state.isBuying else { return .none }
        state.isBuying = true
        state.error = nil
        return .run { send in
          do {
            let cost = try await client.buy(count: count)
            await send(.bought(.done(cost)), animation: .default)
          } catch let error as DeskError {
            await send(.bought(.failed(error)))
          }
        }
        .cancellable(id: CancelID.buying)

      case .bought(.done(let cost)):
        state.isBuying = false
        state.balance -= cost
        return .none

      case .bought(.failed(let error)):
        state.isBuying = false
        state.error = error
        return .none

      case .cancelTapped:
        state.isBuying = false
        return .cancel(id: CancelID.buying)

      case .noteTapped(let text):
        return .run { send in
          try await client.note(text: text)
          await send(.noted)
        } catch: { _, send in
          await send(.noteFailed)
        }

      case .noted:
        state.notes += 1
        return .none

      case .noteFailed:
        state.failedNotes += 1
        return .none

      case .queryChanged(let query):
        state.query = query
        return .send(.searched(query))
          .debounce(id: CancelID.searching, for: .milliseconds(60), scheduler: mainQueue)

      case .searched(let query):
        state.hits = query.count
        return .none

      case .addTapped:
        state.rows.append(Lot.State(id: (state.rows.last?.id ?? 0) + 1))
        return .none

      case .removeTapped(let id):
        state.rows.remove(id: id)
        return .none

      case .sheetTapped:
        state.sheet = Ticket.State()
        return .none

      case .sheet(.presented(.doneTapped)):
        state.sheet = nil
        return .none

      case .rows, .sheet:
        return .none
      }
    }
    .forEach(\.rows, action: \.rows) { Lot() }
    .ifLet(\.$sheet, action: \.sheet) { Ticket() }
  }
}

@Reducer
struct Lot {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var age = 0
    var isRunning = false
  }

  enum Action: Equatable {
    case startTapped
    case stopTapped
    case aged
  }

  enum CancelID { case aging }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .startTapped:
        guard !state.isRunning else { return .none }
        state.isRunning = true
        return .run { send in
          for await _ in clock.timer(interval: .milliseconds(90)) { await send(.aged) }
        }
        .cancellable(id: CancelID.aging)
      case .stopTapped:
        state.isRunning = false
        return .cancel(id: CancelID.aging)
      case .aged:
        state.age += 1
        return .none
      }
    }
  }
}

@Reducer
struct Ticket {
  @ObservableState
  struct State: Equatable {
    var count = 1
    var isHinted = false
  }

  enum Action: Equatable {
    case task
    case hinted
    case moreTapped
    case doneTapped
  }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .task:
        return .run { send in
          try await clock.sleep(for: .milliseconds(150))
          await send(.hinted, animation: .default)
        }
      case .hinted:
        state.isHinted = true
        return .none
      case .moreTapped:
        state.count += 1
        return .none
      case .doneTapped:
        return .none
      }
    }
  }
}
