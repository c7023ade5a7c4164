// A mailbox: a stack of screens, shared values that are read and written, an alert, and a poll.

import Foundation
import RondoCompatibility

struct Session: Equatable, Sendable, Identifiable {
  var id: UUID
  var name: String
  var began: Date
}

enum MailError: Error, Equatable {
  case full(limit: Int)
  case gone
}

@DependencyClient
struct MailClient: Sendable {
  var fetch: @Sendable () async throws -> [String]
  var send: @Sendable (_ text: String, _ name: String) async throws -> Int
}

extension MailClient: DependencyKey {
  static let liveValue = Self(
    fetch: {
      try await Task.sleep(for: .milliseconds(.random(in: 5...60)))
      if Int.random(in: 0..<3) == 0 { throw MailError.full(limit: 5) }
      return (0..<Int.random(in: 1...3)).map { "mail \($0)" }
    },
    send: { text, _ in
      try await Task.sleep(for: .milliseconds(.random(in: 5...60)))
      if Int.random(in: 0..<3) == 0 { throw MailError.gone }
      return text.count
    })
  static let testValue = Self()
}

extension DependencyValues {
  var mailClient: MailClient {
    get { self[MailClient.self] }
    set { self[MailClient.self] = newValue }
  }
}

@Reducer
struct Mailbox {
  @Reducer(state: .equatable, action: .equatable)
  enum Path {
    case folder(Folder)
    case letter(Letter)
  }

  @ObservableState
  struct State: Equatable {
    var path = StackState<Path.State>()
    @Shared(.inMemory("mailbox-sessions")) var sessions: IdentifiedArrayOf<Session> = []
    @SharedReader(.inMemory("mailbox-limit")) var limit = 3
    @Presents var alert: AlertState<Action.Alert>?
    var polls = 0
    var mails: [String] = []
    var isLoading = false
  }

  enum Action: Equatable {
    case task
    case polled
    case refreshTapped
    case refreshed(Result<[String], MailError>)
    case loginTapped(String)
    case logoutTapped
    case folderTapped(String)
    case path(StackActionOf<Path>)
    case alert(PresentationAction<Alert>)

    @CasePathable
    enum Alert: Equatable {
      case logoutConfirmed
      case retryTapped(Int)
    }
  }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.mailClient) var client
  @Dependency(\.uuid) var uuid
  @Dependency(\.date) var date

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .task:
        return .run { send in
          for await _ in clock.timer(interval: .milliseconds(110)) { await send(.polled) }
        }

      case .polled:
        state.polls += 1
        return .none

      case .refreshTapped, .alert(.presented(.retryTapped)):
        guard !state.isLoading else { return .none }
        state.isLoading = true
        return .run { send in
          do {
            await send(.refreshed(.success(try await client.fetch())))
          } catch let error as MailError {
            await send(.refreshed(.failure(error)))
          }
        }

      case .refreshed(.success(let mails)):
        state.isLoading = false
        state.mails = mails
        return .none

      case .refreshed(.failure):
        state.isLoading = false
        state.alert = AlertState {
          TextState("Not loaded")
        } actions: {
          ButtonState(action: .retryTapped(1)) { TextState("Again") }
          ButtonState(role: .cancel) { TextState("Cancel") }
        } message: {
          TextState("Try again.")
        }
        return .none

      case .loginTapped(let name):
        guard state.sessions.count < state.limit else { return .none }
        let session = Session(id: uuid(), name: name, began: date.now)
        state.$sessions.withLock { $0.append(session) }
        return .none

      case .logoutTapped:
        state.alert = AlertState {
          TextState("Log out?")
        } actions: {
          ButtonState(role: .destructive, action: .logoutConfirmed) { TextState("Log out") }
        }
        return .none

      case .alert(.presented(.logoutConfirmed)):
        state.$sessions.withLock { $0.removeAll() }
        state.path.removeAll()
        return .none

      case .folderTapped(let name):
        state.path.append(.folder(Folder.State(name: name, sessions: state.$sessions)))
        return .none

      case .path(.element(id: _, action: .folder(.delegate(.opened(let subject))))):
        state.path.append(.letter(Letter.State(subject: subject)))
        return .none

      case .path, .alert:
        return .none
      }
    }
    .forEach(\.path, action: \.path)
    .ifLet(\.$alert, action: \.alert)
  }
}

@Reducer
struct Folder {
  @ObservableState
  struct State: Equatable {
    var name: String
    @Shared var sessions: IdentifiedArrayOf<Session>
    var blinks = 0
  }

  enum Action: Equatable {
    case task
    case blinked
    case renameTapped(String)
    case letterTapped(String)
    case delegate(Delegate)

    @CasePathable
    enum Delegate: Equatable { case opened(String) }
  }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .task:
        return .run { send in
          while true {
            try await clock.sleep(for: .milliseconds(80))
            await send(.blinked)
          }
        }
      case .blinked:
        state.blinks += 1
        return .none
      case .renameTapped(let name):
        state.name = name
        return .none
      case .letterTapped(let subject):
        return .send(.delegate(.opened(subject)))
      case .delegate:
        return .none
      }
    }
  }
}

@Reducer
struct Letter {
  @ObservableState
  struct State: Equatable {
    var subject: String
    var text = ""
    var sent: Int?
    var isSending = false
    var hasFailed = false
  }

  enum Action: Equatable, BindableAction {
    case binding(BindingAction<State>)
    case sendTapped
    case sent(TaskResult<Int>)
    case closeTapped
  }

  @Dependency(\.mailClient) var client
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding:
        return .none
      case .sendTapped:
        guard !state.isSending else { return .none }
        state.isSending = true
        return .run { [text = state.text, subject = state.subject] send in
          await send(.sent(TaskResult { try await client.send(text: text, name: subject) }))
        }
      case .sent(.success(let count)):
        state.isSending = false
        state.sent = count
        return .none
      case .sent(.failure):
        state.isSending = false
        state.hasFailed = true
        return .none
      case .closeTapped:
        return .run { _ in await dismiss() }
      }
    }
  }
}
