// V2: the waits of a scheduler's timer that an effect reads as a sequence.

import Dispatch
import Rondo
import RondoRecording
import RondoScheduling
import RondoTestStore
import Testing

@MainActor @Suite struct TimerRules {
  private let file = TemporaryFile()

  private enum Action { case start, ticked, stop }

  // V2
  @Test func V2_everyTickOfASequenceEndsAWait() async throws {
    let timeline = TestTimeline()
    let scheduler = timeline.scheduler
    let store = TestStore(initialState: 0, timeline: timeline) {
      Reduce<Int, Action> { state, action in
        switch action {
        case .start:
          return .run { send in
            for await _ in scheduler.timer(interval: .milliseconds(100)) { await send(.ticked) }
          }
          .cancellable(id: "timer")
        case .ticked:
          state += 1
          return .none
        case .stop: return .cancel(id: "timer")
        }
      }
    }
    let recording = try store.record(to: file.url)
    await store.send(.start)
    for tick in 1...2 {
      await store.advance(by: .milliseconds(100))
      await store.receive(.ticked) { $0 = tick }
    }
    await store.send(.stop)
    await store.finish()
    recording.end()
    let events = try RecordingFile(contentsOf: file.url).lines.compactMap { _, line -> String? in
      switch line {
      case .effectWaits(let wait): "waits on \(wait.on.rawValue) until \(wait.until ?? 0)"
      case .effectResumed(let end): "resumes at \(end.at)"
      case .action(let action): action.case
      default: nil
      }
    }
    #expect(
      events == [
        "start", "waits on scheduler until 0.1", "resumes at 0.1", "waits on scheduler until 0.2",
        "ticked", "resumes at 0.2", "waits on scheduler until 0.3", "ticked", "stop",
      ])
  }
}
