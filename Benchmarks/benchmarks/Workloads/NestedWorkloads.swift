// Sending actions to children deep below, and making stores of them.

import Rondo

let nestedWorkloads = [
  Workload(
    "send_nested10_iflet", sizes: [100_000], counted: [1_000, 10_000], isSingleThreaded: true,
    reach: "< 600 ns",
    body: { size, stopwatch in
      let store = Store(initialState: Optional0.State()) { Optional0() }
      stopwatch.measure {
        for _ in 0..<size { store.send(deepOptionalAction) }
      }
      precondition(store.count == size)
    },
    floor: { size, stopwatch in
      var state = Optional0.State()
      stopwatch.measure {
        for _ in 0..<size { Optional0.byHand(&state, deepOptionalAction) }
      }
      precondition(state.count == size)
    }),
  Workload(
    "send_nested10_presents", sizes: [100_000], counted: [1_000, 10_000], isSingleThreaded: true,
    reach: "< 1200 ns",
    body: { size, stopwatch in
      let store = Store(initialState: Presented0.State()) { Presented0() }
      let action = deepPresentedAction
      stopwatch.measure {
        for _ in 0..<size { store.send(action) }
      }
      precondition(store.count == size)
    },
    floor: { size, stopwatch in
      var state = Presented0.State()
      let action = deepPresentedAction
      stopwatch.measure {
        for _ in 0..<size { Presented0.byHand(&state, action) }
      }
      precondition(state.count == size)
    }),
]

private let deepOptionalAction: Optional0.Action =
  .child(.child(.child(.child(.child(.child(.child(.child(.child(.child(.tick))))))))))

private var deepPresentedAction: Presented0.Action {
  let five: Presented5.Action = .child(
    .presented(
      .child(
        .presented(.child(.presented(.child(.presented(.child(.presented(.tick))))))))))
  return .child(
    .presented(
      .child(
        .presented(.child(.presented(.child(.presented(.child(.presented(five))))))))))
}

#if RONDO_MACROS

  /// The same through the macros: what most applications do.
  let observedWorkloads = [
    Workload(
      "send_nested10_observed", sizes: [100_000], counted: [1_000, 10_000], isSingleThreaded: true,
      reach: "< 1200 ns",
      body: { size, stopwatch in
        let store = Store(initialState: Observed0.State()) { Observed0() }
        let action = deepObservedAction
        stopwatch.measure {
          for _ in 0..<size { store.send(action) }
        }
        precondition(store.count == size)
      },
      floor: { size, stopwatch in
        var state = Observed0.State()
        let action = deepObservedAction
        stopwatch.measure {
          for _ in 0..<size { Observed0.byHand(&state, action) }
        }
        precondition(state.count == size)
      })
  ]

  private var deepObservedAction: Observed0.Action {
    let five: Observed5.Action = .child(
      .presented(
        .child(
          .presented(.child(.presented(.child(.presented(.child(.presented(.tick))))))))))
    return .child(
      .presented(
        .child(
          .presented(.child(.presented(.child(.presented(.child(.presented(five))))))))))
  }

#else
  let observedWorkloads: [Workload] = []
#endif
