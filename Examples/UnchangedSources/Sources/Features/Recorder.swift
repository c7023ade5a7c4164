import ComposableArchitecture
import Foundation

@DependencyClient
struct AudioRecorderClient: Sendable {
  var currentTime: @Sendable () async -> TimeInterval?
  var requestRecordPermission: @Sendable () async -> Bool = { false }
  var startRecording: @Sendable (_ url: URL) async throws -> Bool
  var stopRecording: @Sendable () async -> Void
  var volumes: @Sendable () -> AsyncStream<Float> = { .finished }
}

extension AudioRecorderClient: TestDependencyKey {
  static var previewValue: Self {
    let isRecording = LockIsolated(false)
    let currentTime = LockIsolated(0.0)
    return Self(
      currentTime: { currentTime.value },
      requestRecordPermission: { true },
      startRecording: { _ in
        isRecording.setValue(true)
        while isRecording.value {
          try await Task.sleep(for: .seconds(1))
          currentTime.withValue { $0 += 1 }
        }
        return true
      },
      stopRecording: {
        isRecording.setValue(false)
        currentTime.setValue(0)
      },
      volumes: { .never }
    )
  }
  static let testValue = Self()
}

extension DependencyValues {
  var audioRecorder: AudioRecorderClient {
    get { self[AudioRecorderClient.self] }
    set { self[AudioRecorderClient.self] = newValue }
  }
}

@Reducer
struct RecordingMemo {
  @ObservableState
  struct State: Equatable, Sendable {
    var date: Date
    var duration: TimeInterval = 0
    var mode: Mode = .recording
    var url: URL

    enum Mode: Sendable {
      case recording
      case encoding
    }
  }

  enum Action: Sendable {
    case audioRecorderDidFinish(Result<Bool, any Error>)
    case delegate(Delegate)
    case finalRecordingTime(TimeInterval)
    case onTask
    case timerUpdated
    case stopButtonTapped

    @CasePathable
    enum Delegate: Sendable {
      case didFinish(Result<State, any Error>)
    }
  }

  struct Failed: Equatable, Error {}

  @Dependency(\.audioRecorder) var audioRecorder
  @Dependency(\.continuousClock) var clock

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .audioRecorderDidFinish(.success(true)):
        return .send(.delegate(.didFinish(.success(state))))
      case .audioRecorderDidFinish(.success(false)):
        return .send(.delegate(.didFinish(.failure(Failed()))))
      case let .audioRecorderDidFinish(.failure(error)):
        return .send(.delegate(.didFinish(.failure(error))))
      case .delegate:
        return .none
      case let .finalRecordingTime(duration):
        state.duration = duration
        return .none
      case .stopButtonTapped:
        state.mode = .encoding
        return .run { send in
          if let currentTime = await self.audioRecorder.currentTime() {
            await send(.finalRecordingTime(currentTime))
          }
          await self.audioRecorder.stopRecording()
        }
      case .onTask:
        return .run { [url = state.url] send in
          async let startRecording: Void = send(
            .audioRecorderDidFinish(
              Result { try await self.audioRecorder.startRecording(url: url) }
            )
          )
          for await _ in self.clock.timer(interval: .seconds(1)) {
            await send(.timerUpdated)
          }
          await startRecording
        }
      case .timerUpdated:
        state.duration += 1
        return .none
      }
    }
  }
}

@Reducer
struct Memos {
  @ObservableState
  struct State: Equatable {
    @Presents var alert: AlertState<Action.Alert>?
    var permission = Permission.undetermined
    @Presents var recording: RecordingMemo.State?
    var urls: [URL] = []

    enum Permission { case allowed, denied, undetermined }
  }

  enum Action {
    case alert(PresentationAction<Alert>)
    case recordButtonTapped
    case permissionResponse(Bool)
    case recording(PresentationAction<RecordingMemo.Action>)

    enum Alert: Equatable {}
  }

  @Dependency(\.audioRecorder.requestRecordPermission) var requestRecordPermission
  @Dependency(\.date) var date
  @Dependency(\.temporaryDirectory) var temporaryDirectory
  @Dependency(\.uuid) var uuid

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .alert:
        return .none
      case .recordButtonTapped:
        switch state.permission {
        case .undetermined:
          return .run { send in
            await send(.permissionResponse(self.requestRecordPermission()))
          }
        case .denied:
          state.alert = AlertState { TextState("Permission is required.") }
          return .none
        case .allowed:
          state.recording = newRecordingMemo
          return .none
        }
      case let .permissionResponse(isAllowed):
        state.permission = isAllowed ? .allowed : .denied
        if isAllowed {
          state.recording = newRecordingMemo
        } else {
          state.alert = AlertState { TextState("Permission is required.") }
        }
        return .none
      case .recording(.presented(.delegate(.didFinish(.success(let memo))))):
        state.recording = nil
        state.urls.insert(memo.url, at: 0)
        return .none
      case .recording(.presented(.delegate(.didFinish(.failure)))):
        state.alert = AlertState { TextState("Voice memo recording failed.") }
        state.recording = nil
        return .none
      case .recording:
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
    .ifLet(\.$recording, action: \.recording) {
      RecordingMemo()
    }
  }

  private var newRecordingMemo: RecordingMemo.State {
    RecordingMemo.State(
      date: self.date.now,
      url: self.temporaryDirectory()
        .appendingPathComponent(self.uuid().uuidString)
        .appendingPathExtension("m4a")
    )
  }
}

extension DependencyValues {
  var temporaryDirectory: @Sendable () -> URL {
    get { self[TemporaryDirectoryKey.self] }
    set { self[TemporaryDirectoryKey.self] = newValue }
  }

  private enum TemporaryDirectoryKey: DependencyKey {
    static let liveValue: @Sendable () -> URL = { URL(fileURLWithPath: NSTemporaryDirectory()) }
    static let testValue: @Sendable () -> URL = unimplemented(
      #"@Dependency(\.temporaryDirectory)"#, placeholder: URL(fileURLWithPath: "/tmp"))
  }
}
