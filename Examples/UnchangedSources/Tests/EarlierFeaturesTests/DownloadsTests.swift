import ComposableArchitecture
import EarlierFeatures
import XCTest

@MainActor
final class DownloadsTests: XCTestCase {
  func testDownload() async {
    struct Offline: Error, Equatable {}
    let url = URL(string: "https://example.com")!
    let store = TestStore(initialState: Downloads.State()) {
      Downloads()
    } withDependencies: {
      $0.uuid = .incrementing
      $0.downloads.load = { _ in 42 }
    }
    await store.send(.addTapped(url)) {
      $0.rows = [.init(id: UUID(0), url: url)]
    }
    XCTAssertEqual(store.state.rows.ids, [UUID(0)])
    await store.send(.row(id: UUID(0), action: .startTapped))
    await store.receive(.row(id: UUID(0), action: .response(.success(42)))) {
      XCTModify(&$0.rows[id: UUID(0)]) { $0.size = 42 }
    }
    store.dependencies.downloads.load = { _ in throw Offline() }
    await store.send(.row(id: UUID(0), action: .startTapped)).finish(timeout: NSEC_PER_SEC)
    await store.receive(/Downloads.Action.row) {
      $0.alert = AlertState {
        TextState("It could not be loaded.")
      } actions: {
        ButtonState(role: .destructive, action: .removeAll) { TextState("Remove all") }
      }
    }
    await store.send(.alert(.presented(.removeAll))) {
      $0.alert = nil
      $0.rows = []
    }
  }
}
