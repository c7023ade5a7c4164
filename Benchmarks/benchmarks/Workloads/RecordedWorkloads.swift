// Recording a store whose state has rows, of which each action changes one.

import Foundation
import Rondo
import RondoRecording

private struct Note: Reducer {
  struct State: Equatable, Identifiable {
    let id: UUID
    var title: String
    var created: Date
    var isDone = false
    var remarks: [String] = []
  }

  enum Action {
    case toggle
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.isDone.toggle()
    return .none
  }
}

private struct Notes: Reducer {
  struct State: Equatable {
    var rows: IdentifiedArrayOf<Note.State>
    var changes = 0

    init(count: Int) {
      rows = IdentifiedArray(
        uniqueElements: (0..<count).map { number in
          Note.State(
            id: UUID(uuidString: String(format: "00000000-0000-0000-0000-%012d", number))!,
            title: "Note \(number)", created: Date(timeIntervalSince1970: Double(number)))
        })
    }
  }

  enum Action: CasePathable {
    case rows(IdentifiedActionOf<Note>)

    struct AllCasePaths: Sendable {
      var rows: AnyCasePath<Action, IdentifiedActionOf<Note>> {
        AnyCasePath(embed: Action.rows) { if case .rows(let action) = $0 { action } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.changes += 1
      return .none
    }
    .forEach(\.rows, action: \.rows) { Note() }
  }
}

private let sends = 50

/// The size of a row of the table is the number of rows; the cost is that of one recorded action.
let recordedWorkloads = [
  Workload(
    "foreach_recorded", sizes: [100, 1_000], operations: { _ in sends },
    counted: [1_000], isSingleThreaded: true, reach: "< 1 ms",
    body: { size, stopwatch in
      let state = Notes.State(count: size)
      let ids = Array(state.rows.ids)
      let store = Store(initialState: state) { Notes() }
      let recording = try? store.record(to: URL(filePath: "/dev/null"))
      store.send(.rows(.element(id: ids[0], action: .toggle)))
      stopwatch.measure {
        for number in 0..<sends {
          store.send(.rows(.element(id: ids[number * 7 % size], action: .toggle)))
        }
      }
      recording?.end()
      precondition(store.changes == sends + 1 && recording?.failure == nil)
    })
]
