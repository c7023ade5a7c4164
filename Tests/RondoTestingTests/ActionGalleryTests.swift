// The messages of failures about actions and transactions.

import RondoTesting
import Testing

@Suite struct ActionGalleryTests {
  // T1
  @Test func anUnassertedActionAtTheEnd() async {
    let text = await message {
      let store = makeStore()
      await store.send(.run)
    }
    #expect(
      text == """
        The test ended with 1 action not received, which was sent because of .run:

          • .increment, sent by run "one" (RondoTestingTests/Counter.swift:#)

        Receive it, or call 'await store.skipReceivedActions()' at the end.
        """)
  }

  // T1, T12
  @Test func anUnassertedActionOfADebounce() async {
    let text = await message {
      let store = makeStore()
      await store.send(.debounced("a"))
      await store.advance(by: .milliseconds(300))
    }
    #expect(
      text == """
        The test ended with 1 action not received, which was sent because of .debounced("a"):

          • .note("a"), sent by debounce (RondoTestingTests/Counter.swift:#)

        Receive it, or call 'await store.skipReceivedActions()' at the end.
        """)
  }

  // T1, T12
  @Test func anUnassertedActionOfAThrottle() async {
    let text = await message {
      let store = makeStore()
      let limited = Effect.send(Counter.Action.increment)
        .throttle(id: "taps", for: .seconds(1), scheduler: store.scheduler, latest: true)
      await store.send(.own(.init(limited)))
      await store.receive(.increment) { $0.count = 1 }
      await store.send(.own(.init(limited)))
      await store.advance(by: .seconds(1))
    }
    #expect(
      text == """
        The test ended with 1 action not received, which was sent because of .own(…):

          • .increment, sent by throttle (RondoTestingTests/ActionGalleryTests.swift:#)

        Receive it, or call 'await store.skipReceivedActions()' at the end.
        """)
  }

  // T12
  @Test func unassertedActionsBeforeTheNextOne() async {
    let text = await message {
      let store = makeStore()
      await store.send(.runTwo)
      await store.send(.increment) { $0.count = 1 }
    }
    #expect(
      text == """
        2 actions had not been received when .increment was sent:

          • .note("a"), sent by run (RondoTestingTests/Counter.swift:#)
          • .note("b"), sent by run (RondoTestingTests/Counter.swift:#)

        Receive them before sending another action, or call 'await store.skipReceivedActions()'.
        """)
  }

  // T9
  @Test func aWrongPayload() async {
    let text = await message {
      let store = makeStore()
      await store.send(.own(.init { await $0(.counted(3)) }))
      await store.receive(.counted(4)) { $0.count = 4 }
    }
    let textOfCase = await message {
      let store = makeStore()
      await store.send(.own(.init { await $0(.counted(3)) }))
      await store.receive(case: Counter.Action.counted, 4) { $0.count = 4 }
    }
    #expect(textOfCase == text)
    #expect(
      text == """
        Received .counted(3), sent by run "work" (RondoTestingTests/Counter.swift:#), but expected .counted(4).

        − .counted(4)
        + .counted(3)

        (expected: −, actual: +)

        Expect the action that was received, or correct the feature.
        """)
  }

  // T9, K40
  @Test func aWrongOrder() async {
    let text = await message {
      let store = makeStore()
      await store.send(.runTwo)
      await store.receive(.note("b")) { $0.log = ["b"] }
      await store.skipReceivedActions()
    }
    #expect(
      text == """
        Received .note("a"), sent by run (RondoTestingTests/Counter.swift:#), but expected .note("b").

        − .note("b")
        + .note("a")

        (expected: −, actual: +)

        The expected action has been received too, later, from another effect. Effects that run at the same time may answer in either order when they are live. Accept both orders with one 'receive(inAnyOrder:)' for the two actions, or assert the order of this test.
        """)
  }

  // T9, K40
  @Test func aWrongOrderOfOneEffect() async {
    let text = await message {
      let store = makeStore()
      await store.send(
        .own(
          .init { send in
            await send(.note("a"))
            await send(.note("b"))
          }))
      await store.receive(.note("b")) { $0.log = ["b"] }
      await store.skipReceivedActions()
    }
    #expect(text.contains("assert them in the order in which they were received"))
    #expect(!text.contains("another effect"))
  }

  // T9, K40
  @Test func aWrongOrderOfTasksInAGroup() async {
    let effect = Counter.Work { send in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for _ in 1...3 { await Task.yield() }
          await send(.note("a"))
        }
        group.addTask { await send(.note("b")) }
      }
    }
    // The order of this test is definite.
    let text = await message {
      let store = makeStore()
      await store.send(.own(effect))
      await store.receive(.note("a")) { $0.log = ["a"] }
      await store.skipReceivedActions()
    }
    #expect(
      text.contains("Tasks of one effect that run at the same time, as in a task group, may send"))
    #expect(text.contains("accept both orders with one 'receive(inAnyOrder:)'"))
    let store = makeStore()
    await store.send(.own(effect))
    await store.receive(inAnyOrder: .equal(.note("a")), .equal(.note("b"))) { $0.log = ["b", "a"] }
  }

  // T6
  @Test func aWrongCase() async {
    let text = await message {
      let store = makeStore()
      await store.send(.run)
      await store.receive(case: Counter.Action.counted)
    }
    #expect(
      text == """
        Received .increment, sent by run "one" (RondoTestingTests/Counter.swift:#), but expected an action of the given case, which carries a value of type Int.

        Expect the action that was received, or correct the feature.
        """)
  }

  // T6, T12
  @Test func aFunctionThatIsNotACase() async {
    let text = await message {
      let store = makeStore()
      await store.send(.own(.init { await $0(.counted(3)) }))
      await store.receive(case: { Counter.Action.counted($0.count) }, "abc")
    }
    #expect(
      text == """
        Received .counted(3), sent by run "work" (RondoTestingTests/Counter.swift:#), but expected .counted(3).

        No action is received as this one: in it the value is not found again. A function that is given to 'receive' has to name a case, or cases inside of each other, and nothing else. Use the names of the cases, or a condition.
        """)
  }

  // T6, T12
  @Test func aFunctionThatIsNotACaseWhereOthersMayBeSkipped() async {
    let text = await message {
      let store = makeStore()
      store.exhaustivity = .off
      await store.send(.run)
      await store.receive(case: { Counter.Action.counted($0.count) }, "abc")
    }
    #expect(
      text == """
        Expected to receive .counted(3), but no such action came.

        Received, but not matching:
          • .increment

        No action is received as this one: in it the value is not found again. A function that is given to 'receive' has to name a case, or cases inside of each other, and nothing else. Use the names of the cases, or a condition.
        """)
  }

  // T6
  @Test func anActionThatDoesNotSatisfyTheCondition() async {
    let text = await message {
      let store = makeStore()
      await store.send(.run)
      await store.receive { $0 == .decrement }
    }
    #expect(
      text == """
        Received .increment, sent by run "one" (RondoTestingTests/Counter.swift:#), but expected an action that satisfies the condition.

        Expect the action that was received, or correct the feature.
        """)
  }

  // T6
  @Test func anActionThatIsNoneOfThose() async {
    let text = await message {
      let store = makeStore()
      await store.send(.runTwo)
      await store.receive(inAnyOrder: .equal(.note("b")), .equal(.note("c")))
      await store.skipReceivedActions(strict: false)
    }
    #expect(
      text == """
        Received .note("a"), sent by run (RondoTestingTests/Counter.swift:#), which is none of those that are expected:

          • .note("b")
          • .note("c")

        Add it to the call of 'receive(inAnyOrder:)', or receive it before.
        """)
  }

  // T1
  @Test func anUnassertedTransaction() async {
    let text = await message {
      let store = makeStore()
      await store.send(.animated)
      await store.receive(.increment) { $0.count = 1 }
    }
    #expect(
      text == """
        .increment carries the transaction .default, which was not asserted.

        Add 'animation: .default' to 'receive', or take '.transactions' out of 'store.exhaustivity'.
        """)
  }

  // T9
  @Test func aWrongTransaction() async {
    let text = await message {
      let store = makeStore()
      await store.send(.run)
      await store.receive(.increment, animation: .default) { $0.count = 1 }
    }
    #expect(
      text == """
        .increment carries no transaction, but the transaction .default was asserted.

        − .default
        + untagged

        (expected: −, actual: +)

        Correct 'animation:' or 'transaction:', or tag the effect that sends the action.
        """)
  }

  // T7
  @Test func nothingToSkip() async {
    let text = await message {
      let store = makeStore()
      await store.skipReceivedActions()
    }
    #expect(
      text == """
        There are no received actions to skip.

        Remove the call, or write 'skipReceivedActions(strict: false)'.
        """)
  }
}
