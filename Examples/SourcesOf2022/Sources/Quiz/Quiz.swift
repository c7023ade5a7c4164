import ComposableArchitecture
import Foundation

// A feature in the style of 2022: protocols of the first version, effects with a failure, schedulers.

struct Question: Equatable, Identifiable {
  let id: UUID
  var text: String
}

struct Quiz: ReducerProtocol {
  struct State: Equatable {
    var questions: [Question] = []
    var hint: String?
    var isLoading = false
    var seconds = 0
  }

  enum Action: Equatable {
    case addButtonTapped(String)
    case delete(IndexSet)
    case move(IndexSet, Int)
    case hintButtonTapped
    case hintResponse(TaskResult<String>)
    case saved
    case timerTicked
    case toggleTimer(isOn: Bool)
    case undoTapped
  }

  private enum SaveID {}
  private enum TimerID: Hashable { case timer }

  @Dependency(\.hints) var hints
  @Dependency(\.mainQueue) var mainQueue
  @Dependency(\.uuid) var uuid

  func reduce(into state: inout State, action: Action) -> Effect<Action, Never> {
    switch action {
    case let .addButtonTapped(text):
      state.questions.append(Question(id: self.uuid(), text: text))
      return self.save()

    case let .delete(offsets):
      state.questions.remove(atOffsets: offsets)
      return self.save()

    case let .move(source, destination):
      state.questions.move(fromOffsets: source, toOffset: destination)
      return .none

    case .hintButtonTapped:
      state.isLoading = true
      return .task { [count = state.questions.count] in
        await .hintResponse(TaskResult { try await self.hints.fetch(count) })
      }

    case let .hintResponse(.success(hint)):
      state.hint = hint
      state.isLoading = false
      return .none

    case .hintResponse(.failure):
      state.isLoading = false
      return .none

    case .saved:
      return .none

    case .timerTicked:
      state.seconds += 1
      return .none

    case .toggleTimer(isOn: true):
      return .run { send in
        for await _ in self.mainQueue.timer(interval: .seconds(1)) {
          await send(.timerTicked)
        }
      }
      .cancellable(id: TimerID.timer, cancelInFlight: true)

    case .toggleTimer(isOn: false):
      return .cancel(id: TimerID.timer)

    case .undoTapped:
      return .merge(
        .cancel(id: SaveID.self),
        .fireAndForget { await self.hints.forget() }
      )
    }
  }

  private func save() -> Effect<Action, Never> {
    .task {
      try await self.mainQueue.sleep(for: .seconds(1))
      return .saved
    }
    .cancellable(id: SaveID.self, cancelInFlight: true)
  }
}

struct HintClient {
  var fetch: @Sendable (Int) async throws -> String
  var forget: @Sendable () async -> Void
}

extension HintClient: DependencyKey {
  static let liveValue = Self(fetch: { "Hint \($0)" }, forget: {})
  static let testValue = Self(
    fetch: XCTUnimplemented("\(Self.self).fetch"),
    forget: XCTUnimplemented("\(Self.self).forget", placeholder: ())
  )
}

extension DependencyValues {
  var hints: HintClient {
    get { self[HintClient.self] }
    set { self[HintClient.self] = newValue }
  }
}

// A feature that holds another.

struct Lesson: ReducerProtocol {
  struct State: Equatable {
    var quiz = Quiz.State()
    var log: [String] = []
  }
  enum Action: Equatable {
    case quiz(Quiz.Action)
    case finished
  }

  var body: some ReducerProtocol<State, Action> {
    Scope(state: \.quiz, action: /Action.quiz) {
      Quiz()
    }
    Reduce { state, action in
      switch action {
      case .quiz(.saved):
        state.log.append("saved \(state.quiz.questions.count)")
        return EffectTask(value: .finished)
      case .quiz, .finished:
        return .none
      }
    }
  }
}
