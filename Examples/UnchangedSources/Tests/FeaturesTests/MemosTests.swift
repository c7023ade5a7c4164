import ComposableArchitecture
import Foundation
import Testing

@testable import Features

@MainActor
struct MemosTests {
  @Test
  func recordAndStop() async {
    let didFinish = AsyncThrowingStream.makeStream(of: Bool.self)
    let clock = TestClock()
    let store = TestStore(initialState: Memos.State()) {
      Memos()
    } withDependencies: {
      $0.audioRecorder.currentTime = { 2.5 }
      $0.audioRecorder.requestRecordPermission = { true }
      $0.audioRecorder.startRecording = { _ in
        try await didFinish.stream.first { _ in true }!
      }
      $0.audioRecorder.stopRecording = {
        didFinish.continuation.yield(true)
        didFinish.continuation.finish()
      }
      $0.date = .constant(Date(timeIntervalSinceReferenceDate: 0))
      $0.continuousClock = clock
      $0.temporaryDirectory = { URL(fileURLWithPath: "/tmp") }
      $0.uuid = .constant(UUID(uuidString: "DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF")!)
    }
    let url = URL(fileURLWithPath: "/tmp/DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF.m4a")

    await store.send(.recordButtonTapped)
    await store.receive(\.permissionResponse) {
      $0.permission = .allowed
      $0.recording = RecordingMemo.State(
        date: Date(timeIntervalSinceReferenceDate: 0), mode: .recording, url: url)
    }
    let recordingMemoTask = await store.send(\.recording.onTask)
    await clock.advance(by: .seconds(1))
    await store.receive(\.recording.timerUpdated) {
      $0.recording?.duration = 1
    }
    await clock.advance(by: .seconds(1))
    await store.receive(\.recording.timerUpdated) {
      $0.recording?.duration = 2
    }
    await store.send(\.recording.stopButtonTapped) {
      $0.recording?.mode = .encoding
    }
    await store.receive(\.recording.finalRecordingTime) {
      $0.recording?.duration = 2.5
    }
    await store.receive(\.recording.audioRecorderDidFinish.success)
    await store.receive(\.recording.delegate.didFinish.success) {
      $0.recording = nil
      $0.urls = [url]
    }
    await recordingMemoTask.cancel()
  }

  @Test
  func denied() async {
    let store = TestStore(initialState: Memos.State()) {
      Memos()
    } withDependencies: {
      $0.audioRecorder.requestRecordPermission = { false }
    }
    await store.send(.recordButtonTapped)
    await store.receive(\.permissionResponse) {
      $0.alert = AlertState { TextState("Permission is required.") }
      $0.permission = .denied
    }
    await store.send(.alert(.dismiss)) { $0.alert = nil }
  }
}
