import ComposableArchitecture
import Foundation
import Testing

@testable import Features

@MainActor
struct StackTests {
  @Test
  func navigate() async {
    let store = TestStore(initialState: AppStack.State()) {
      AppStack()
    } withDependencies: {
      $0.factClient.fetch = { "\($0)!" }
      $0.mainQueue = .immediate
    }

    await store.send(.goToABButtonTapped) {
      $0.path[id: 0] = .screenA(ScreenA.State())
      $0.path[id: 1] = .screenB(ScreenB.State())
    }
    await store.send(\.path[id: 0].screenA.incrementButtonTapped) {
      $0.path[id: 0, case: \.screenA]?.count = 1
      $0.total = 1
    }
    await store.send(\.path[id: 0].screenA.factButtonTapped) {
      $0.path[id: 0]?.modify(\.screenA) { $0.isLoading = true }
    }
    await store.receive(\.path[id: 0].screenA.factResponse.success, "1!") {
      $0.path[id: 0, case: \.screenA]?.isLoading = false
      $0.path[id: 0, case: \.screenA]?.fact = "1!"
    }
    await store.send(.goBackToScreen(id: 0)) {
      $0.path.pop(to: 0)
    }
    await store.send(\.path[id: 0].screenA.dismissButtonTapped)
    await store.receive(\.path.popFrom) {
      $0.path = StackState()
    }
    await store.send(.path(.push(id: 2, state: .screenA(ScreenA.State(count: 7))))) {
      $0.path.append(.screenA(ScreenA.State(count: 7)))
    }
    await store.send(\.path.popFrom, 2) {
      $0.path.removeAll()
    }
  }

  @Test
  func timerEndsWithItsScreen() async {
    let queue = DispatchQueue.test
    let store = TestStore(
      initialState: AppStack.State(path: StackState([.screenB(ScreenB.State())]))
    ) {
      AppStack()
    } withDependencies: {
      $0.mainQueue = queue.eraseToAnyScheduler()
    }
    let task = await store.send(.path(.element(id: 0, action: .screenB(.task))))
    await queue.advance(by: .seconds(1))
    await store.receive(\.path[id: 0].screenB.tick) {
      $0.path[id: 0, case: \.screenB]?.seconds = 1
    }
    await queue.advance(by: 1)
    await store.receive(\.path[id: 0].screenB.tick) {
      $0.path = StackState()
    }
    await task.finish()
  }
}
