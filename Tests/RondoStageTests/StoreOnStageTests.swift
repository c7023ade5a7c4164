// A store drives a stage: the stage shows the animations of the store's transactions.

import Dispatch
import Rondo
import RondoStage
import Testing

@MainActor
@Suite struct StoreOnStageTests {
  private struct Panel: Reducer {
    struct State: Equatable {
      var x = 0.0
    }

    enum Action {
      case moved(Double)
      case asked
    }

    let answers: AnySchedulerOf<DispatchQueue>

    var body: some Reducer<State, Action> {
      Reduce { state, action in
        switch action {
        case .moved(let x):
          state.x = x
          return .none
        case .asked:
          return Effect.send(.moved(100)).receive(on: answers)
        }
      }
    }
  }

  /// The positions of the panel at the ends of the first five quarters of a second after an action.
  private func shown(
    answers transform: (TestSchedulerOf<DispatchQueue>) -> AnySchedulerOf<DispatchQueue> = {
      $0.eraseToAnyScheduler()
    },
    _ act: (Store<Panel.State, Panel.Action>) -> Void
  ) -> [Double] {
    let scheduler = DispatchQueue.test
    let store = Store(initialState: Panel.State()) { Panel(answers: transform(scheduler)) }
    var shown = 0.0
    let player = StagePlayer(scheduler: scheduler, frameInterval: .milliseconds(250)) {
      shown = $0["panel"]!.frame.x
    }
    func show(_ state: Panel.State, _ transaction: Transaction) {
      player.commit(Node.text("A").offset(x: state.x, y: 0).id("panel"), transaction: transaction)
    }
    show(store.state, Transaction())
    let subscription = store.subscribe { show($0.newState, $0.transaction) }
    act(store)
    let result = (0..<5).map { _ in
      scheduler.advance(by: .milliseconds(250))
      return shown
    }
    subscription.cancel()
    return result
  }

  @Test func anUntaggedActionJumps() {
    #expect(shown { $0.send(.moved(100)) } == [100, 100, 100, 100, 100])
  }

  // PF7
  @Test func anAnimatedSendMoves() {
    let expected: [Double] = [25, 50, 75, 100, 100]
    #expect(shown { $0.send(.moved(100), animation: .linear(duration: 1)) } == expected)
    #expect(
      shown { store in
        withAnimation(.linear(duration: 1)) { _ = store.send(.moved(100)) }
      } == expected
    )
  }

  // PF7, R28
  @Test func anAnswerMovesIfItsSchedulerIsAnimated() {
    #expect(
      shown { $0.send(.asked, animation: .linear(duration: 1)) } == [100, 100, 100, 100, 100])
    let moving = shown(answers: { $0.animation(.linear(duration: 1)) }) { $0.send(.asked) }
    #expect(moving == [25, 50, 75, 100, 100])
  }

  // Numbers: completion
  @Test func aCompletionRunsWhenTheMoveHasBeenShown() {
    let log = Log()
    _ = shown { store in
      withAnimation(.linear(duration: 1)) {
        _ = store.send(.moved(100))
      } completion: {
        log.add("shown at \(store.x)")
      }
      log.add("sent")
    }
    #expect(log.entries == ["sent", "shown at 100.0"])
  }
}
