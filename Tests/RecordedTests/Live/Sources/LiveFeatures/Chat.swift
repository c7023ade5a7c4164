// A chat: a line that drops and comes back, messages that are sent again, and somebody who is typing.

import Foundation
import Rondo

enum ChatEvent: Equatable, Sendable {
  case joined(name: String)
  case line(id: Int, text: String)
  case typing
}

struct LineDropped: Error, Equatable {}

@DependencyClient
struct ChatClient: Sendable {
  var connect: @Sendable (_ room: String) -> AsyncThrowingStream<ChatEvent, any Error> = { _ in
    .finished()
  }
  var post: @Sendable (_ text: String) async throws -> Int
  var presence: @Sendable () -> AsyncStream<Int> = { .finished }
}

extension ChatClient: DependencyKey {
  static let liveValue = Self(
    connect: { _ in
      AsyncThrowingStream { continuation in
        let task = Task {
          for number in 0..<Int.random(in: 3...12) {
            try await Task.sleep(for: .milliseconds(.random(in: 5...60)))
            switch Int.random(in: 0..<4) {
            case 0: continuation.yield(.joined(name: ["Ada", "Blob"].randomElement()!))
            case 1: continuation.yield(.typing)
            default: continuation.yield(.line(id: number, text: "line \(number)"))
            }
          }
          continuation.finish(throwing: Bool.random() ? LineDropped() : nil)
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    },
    post: { text in
      try await Task.sleep(for: .milliseconds(.random(in: 2...40)))
      if Int.random(in: 0..<3) == 0 { throw LineDropped() }
      return text.count
    },
    presence: {
      AsyncStream { continuation in
        let task = Task {
          while !Task.isCancelled {
            try await Task.sleep(for: .milliseconds(.random(in: 30...120)))
            continuation.yield(.random(in: 1...5))
          }
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    })
  static let testValue = Self()
}

extension DependencyValues {
  var chatClient: ChatClient {
    get { self[ChatClient.self] }
    set { self[ChatClient.self] = newValue }
  }
}

@Reducer
struct Chat {
  enum Connection: Equatable {
    case closed
    case open(attempt: Int)
    case waiting(attempt: Int)
  }

  struct Message: Equatable, Identifiable {
    let id: UUID
    var text: String
    var status: Status

    enum Status: Equatable { case sending, sent(length: Int), failed }
  }

  @ObservableState
  struct State: Equatable {
    var connection = Connection.closed
    var lines: [String] = []
    var names: Set<String> = []
    var messages: IdentifiedArrayOf<Message> = []
    var someoneIsTyping = false
    var present = 0
    var lastSeen: Date?
  }

  enum Action {
    case view(View)
    case connected(ChatEvent)
    case dropped(any Error)
    case ended
    case reconnect
    case typingEnded
    case posted(id: UUID, Result<Int, any Error>)
    case present(Int)

    enum View: Equatable {
      case joinTapped(String)
      case leaveTapped
      case postTapped(String)
      case retryTapped(UUID)
      case presenceToggled(Bool)
    }
  }

  enum CancelID { case line, typing, presence }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.chatClient) var client
  @Dependency(\.uuid) var uuid
  @Dependency(\.date.now) var now

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.joinTapped(let room)):
        guard state.connection == .closed else { return .none }
        state.connection = .open(attempt: 1)
        return connect(room)

      case .view(.leaveTapped):
        state.connection = .closed
        state.someoneIsTyping = false
        return .merge(.cancel(id: CancelID.line), .cancel(id: CancelID.typing))

      case .view(.postTapped(let text)):
        let message = Message(id: uuid(), text: text, status: .sending)
        state.messages.append(message)
        return post(message)

      case .view(.retryTapped(let id)):
        guard let message = state.messages[id: id], message.status == .failed else { return .none }
        state.messages[id: id]?.status = .sending
        return post(message)

      case .view(.presenceToggled(true)):
        return .run { send in
          for await count in client.presence() { await send(.present(count)) }
        }
        .cancellable(id: CancelID.presence, cancelInFlight: true)

      case .view(.presenceToggled(false)):
        return .cancel(id: CancelID.presence)

      case .connected(.joined(let name)):
        state.names.insert(name)
        return .none

      case .connected(.line(_, let text)):
        state.lines.append(text)
        state.lastSeen = now
        return .none

      case .connected(.typing):
        state.someoneIsTyping = true
        return .run { send in
          try await clock.sleep(for: .milliseconds(50))
          await send(.typingEnded)
        }
        .cancellable(id: CancelID.typing, cancelInFlight: true)

      case .typingEnded:
        state.someoneIsTyping = false
        return .none

      case .dropped, .ended:
        guard case .open(let attempt) = state.connection else { return .none }
        state.connection = .waiting(attempt: attempt)
        return .run { send in
          try await clock.sleep(for: .milliseconds(30 * attempt))
          await send(.reconnect)
        }
        .cancellable(id: CancelID.line)

      case .reconnect:
        guard case .waiting(let attempt) = state.connection else { return .none }
        state.connection = .open(attempt: attempt + 1)
        return connect("again")

      case .posted(let id, .success(let length)):
        state.messages[id: id]?.status = .sent(length: length)
        return .none

      case .posted(let id, .failure):
        state.messages[id: id]?.status = .failed
        return .none

      case .present(let count):
        state.present = count
        return .none
      }
    }
  }

  private func connect(_ room: String) -> Effect<Action> {
    .run { send in
      for try await event in client.connect(room) { await send(.connected(event)) }
      await send(.ended)
    } catch: { error, send in
      await send(.dropped(error))
    }
    .cancellable(id: CancelID.line, cancelInFlight: true)
  }

  private func post(_ message: Message) -> Effect<Action> {
    .run { send in
      await send(
        .posted(id: message.id, Result { try await client.post(message.text) }))
    }
  }
}
