// Sending actions to one row of many.

import Rondo

private struct Row: Reducer {
  struct State: Equatable, Identifiable {
    let id: Int
    var count = 0
  }

  enum Action {
    case tick
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.count += 1
    return .none
  }
}

private struct Rows: Reducer {
  struct State: Equatable {
    var rows: IdentifiedArrayOf<Row.State>
  }

  enum Action: CasePathable {
    case rows(IdentifiedActionOf<Row>)

    struct AllCasePaths: Sendable {
      var rows: AnyCasePath<Action, IdentifiedActionOf<Row>> {
        AnyCasePath(embed: Action.rows) { if case .rows(let action) = $0 { action } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    EmptyReducer().forEach(\.rows, action: \.rows) { Row() }
  }
}

private let sends = 100_000

/// The size of a row of the table is the number of rows; the cost is that of one action.
let listWorkloads = [
  Workload(
    "foreach", sizes: [100, 10_000, 1_000_000], operations: { _ in sends },
    counted: [100, 10_000], isSingleThreaded: true, reach: "< 300 ns, flat",
    body: { size, stopwatch in
      let rows = IdentifiedArray(uniqueElements: (0..<size).map { Row.State(id: $0) })
      let store = Store(initialState: Rows.State(rows: rows)) { Rows() }
      store.send(.rows(.element(id: size / 2, action: .tick)))
      stopwatch.measure {
        for _ in 0..<sends { store.send(.rows(.element(id: size / 2, action: .tick))) }
      }
      precondition(store.rows[id: size / 2]?.count == sends + 1)
    },
    floor: { size, stopwatch in
      var rows = (0..<size).map { Row.State(id: $0) }
      let positions = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.id) })
      stopwatch.measure {
        for _ in 0..<sends { rows[positions[size / 2]!].count += 1 }
      }
      precondition(rows[size / 2].count == sends)
    })
]
