// F3: a reducer that blocks is reported in debug builds, with the place and the action.

#if DEBUG
  import Dispatch
  import Rondo
  import RondoRuntimeTestSupport
  import RondoTesting
  import Synchronization
  import Testing

  @MainActor @Suite struct LongActionRules {
    /// A time that passes only where a reducer says so.
    private final class Watch: Sendable {
      private let elapsed = Mutex(Duration.zero)
      var time: Duration { elapsed.withLock(\.self) }
      func pass(_ duration: Duration) { elapsed.withLock { $0 += duration } }
    }

    /// Takes as many milliseconds as the action says.
    private struct Slow: Reducer {
      let watch: Watch

      var body: some Reducer<Int, Int> {
        EmptyReducer()
        Reduce { state, action in
          watch.pass(.milliseconds(action))
          state += 1
          return .none
        }
      }
    }

    private let watch = Watch()

    private func prepare(_ limit: Duration?) -> @Sendable (inout DependencyValues) -> Void {
      { [watch] in
        $0.workTime = { watch.time }
        $0.reducerTimeLimit = limit
      }
    }

    // F3
    @Test func F3_aReducerThatBlocksIsReportedOnceWithItsAction() async {
      let messages = await issues {
        let store = Store(initialState: 0) {
          Slow(watch: watch)
        } withDependencies: {
          prepare(.milliseconds(100))(&$0)
        }
        for action in [99, 100, 200] { store.send(action) }
        #expect(store.state == 3)
      }
      #expect(messages.count == 1)
      #expect(messages.first?.hasPrefix("A reducer took 100 ms for 100.") == true, "\(messages)")
    }

    // F3
    @Test func F3_anActorAndATestStoreReportItToo() async {
      let messages = await issues {
        let actor = StoreActor(initialState: 0) { [watch] in
          Slow(watch: watch)
        } withDependencies: { [watch] in
          $0.workTime = { watch.time }
          $0.reducerTimeLimit = .seconds(1)
        }
        await actor.send(1_500)
        let store = TestStore(initialState: 0) {
          Slow(watch: watch)
        } withDependencies: {
          prepare(.seconds(2))(&$0)
        }
        await store.send(2_000) { $0 = 1 }
      }
      #expect(
        messages.map { $0.prefix(while: { $0 != "." }) } == [
          "A reducer took 1500 ms for 1500", "A reducer took 2000 ms for 2000",
        ], "\(messages)")
    }

    // F3
    @Test func F3_aReducerThatDoesNotReturnIsReportedMeanwhile() async {
      let isReported = DispatchSemaphore(value: 0)
      let collector = Told { isReported.signal() }
      withIssueReporters([collector]) {
        let store = Store(initialState: 0) {
          // It waits for its own report.
          Reduce<Int, Int> { state, _ in
            isReported.wait()
            state += 1
            return .none
          }
        } withDependencies: {
          $0.reducerTimeLimit = .milliseconds(5)
        }
        store.send(1)
        #expect(store.state == 1)
      }
      let messages = collector.messages.withLock(\.self)
      #expect(
        messages.first?.hasPrefix("A reducer has not returned for 20 ms.") == true, "\(messages)")
      #expect(messages.count == 2 && messages[1].hasPrefix("A reducer took "), "\(messages)")
    }

    /// Notes what is reported, on any thread, and tells of it.
    private final class Told: IssueReporter {
      let messages = Mutex<[String]>([])
      private let tell: @Sendable () -> Void

      init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

      func report(_ issue: ReportedIssue) -> Bool {
        messages.withLock { $0.append(issue.message) }
        tell()
        return true
      }
    }

    // F3
    @Test func F3_withoutALimitNoTimeIsLookedAt() async {
      let messages = await issues {
        let store = Store(initialState: 0) {
          Slow(watch: watch)
        } withDependencies: {
          $0.reducerTimeLimit = nil
          $0.workTime = { fatalError("It was looked at.") }
        }
        store.send(1_000_000)
      }
      #expect(messages == [])
    }
  }
#endif
