// A quiz: a state that is one of three screens, a countdown, random questions, and answers that are checked.

import Rondo

struct Question: Equatable, Sendable {
  var left: Int
  var right: Int
  var choices: [Int]
}

@DependencyClient
struct QuizClient: Sendable {
  var check: @Sendable (_ question: Question, _ answer: Int) async throws -> Bool
  var best: @Sendable () async throws -> [String: Int]
}

struct Offline: Error {}

extension QuizClient: DependencyKey {
  static let liveValue = Self(
    check: { question, answer in
      try await Task.sleep(for: .milliseconds(.random(in: 2...50)))
      if Int.random(in: 0..<6) == 0 { throw Offline() }
      return question.left + question.right == answer
    },
    best: {
      try await Task.sleep(for: .milliseconds(.random(in: 2...50)))
      return ["Ada": 3, "Blob": .random(in: 1...3)]
    })
  static let testValue = Self()
}

extension DependencyValues {
  var quizClient: QuizClient {
    get { self[QuizClient.self] }
    set { self[QuizClient.self] = newValue }
  }
}

@Reducer
struct Quiz {
  @ObservableState
  @CasePathable
  enum State: Equatable {
    case lobby(QuizLobby.State)
    case round(QuizRound.State)
    case results(score: Int, of: Int)
  }

  enum Action: Equatable {
    case lobby(QuizLobby.Action)
    case round(QuizRound.Action)
    case againTapped
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .lobby(.delegate(.start(let name))):
        state = .round(QuizRound.State(name: name))
        return .send(.round(.begin))
      case .round(.delegate(.ended(let score, let count))):
        state = .results(score: score, of: count)
        return .none
      case .againTapped:
        state = .lobby(QuizLobby.State())
        return .none
      case .lobby, .round:
        return .none
      }
    }
    .ifCaseLet(\.lobby, action: \.lobby) { QuizLobby() }
    .ifCaseLet(\.round, action: \.round) { QuizRound() }
  }
}

@Reducer
struct QuizLobby {
  @ObservableState
  struct State: Equatable {
    var name = ""
    var best: [String: Int]?
    var isLoading = false
  }

  enum Action: Equatable {
    case task
    case bestLoaded([String: Int])
    case nameChanged(String)
    case startTapped
    case delegate(Delegate)

    enum Delegate: Equatable { case start(String) }
  }

  @Dependency(\.quizClient) var client

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .task:
        guard !state.isLoading else { return .none }
        state.isLoading = true
        return .run { send in try await send(.bestLoaded(client.best())) }
      case .bestLoaded(let best):
        state.isLoading = false
        state.best = best
        return .none
      case .nameChanged(let name):
        state.name = name
        return .none
      case .startTapped:
        return .send(.delegate(.start(state.name)))
      case .delegate:
        return .none
      }
    }
  }
}

@Reducer
struct QuizRound {
  @ObservableState
  struct State: Equatable {
    var name: String
    var question: Question?
    var number = 0
    var left = 8
    var score = 0
    var checking: Int?
    var isOffline = false
  }

  enum Action: Equatable {
    case begin
    case ticked
    case answerTapped(Int)
    case checked(Bool)
    case notChecked
    case skipTapped
    case delegate(Delegate)

    enum Delegate: Equatable { case ended(score: Int, of: Int) }
  }

  enum CancelID { case countdown, check }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.quizClient) var client

  static let questions = 4

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .begin:
        return next(&state)

      case .ticked:
        state.left -= 1
        return state.left == 0 ? next(&state) : .none

      case .answerTapped(let answer):
        guard let question = state.question, state.checking == nil else { return .none }
        state.checking = answer
        return .run { send in
          await send(.checked(try await client.check(question: question, answer: answer)))
        } catch: { _, send in
          await send(.notChecked)
        }
        .cancellable(id: CancelID.check)

      case .checked(let isRight):
        state.checking = nil
        if isRight { state.score += 1 }
        return next(&state)

      case .notChecked:
        state.checking = nil
        state.isOffline = true
        return .none

      case .skipTapped:
        state.checking = nil
        return .concatenate(.cancel(id: CancelID.check), next(&state))

      case .delegate:
        return .none
      }
    }
  }

  private func next(_ state: inout State) -> Effect<Action> {
    guard state.number < Self.questions else {
      return .merge(
        .cancel(id: CancelID.countdown), .cancel(id: CancelID.check),
        .send(.delegate(.ended(score: state.score, of: state.number))))
    }
    state.number += 1
    state.left = 8
    state.checking = nil
    let (left, right) = (state.number, state.number * 7 % 5)
    state.question = Question(
      left: left, right: right, choices: [left + right, left * right, left - right])
    return .run { send in
      for await _ in clock.timer(interval: .milliseconds(40)) { await send(.ticked) }
    }
    .cancellable(id: CancelID.countdown, cancelInFlight: true)
  }
}
