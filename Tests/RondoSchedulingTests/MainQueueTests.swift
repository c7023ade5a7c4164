// G1: a loop that is not Dispatch's own serves the main actor. Each test runs the program
// `loop-program`, whose first thread has such a loop; the tests' own is served by Dispatch.

#if os(Linux)
  import Foundation
  import RondoProcesses
  import RondoScheduling
  import Testing

  @Suite struct MainQueueTests {
    // G1
    @Test func aLoopServesTasksClocksTimersAndQueues() throws {
      let outcome = try run("everything")
      #expect(
        outcome.output == "clock, elsewhere and back, queue, scheduler, sleep, task, timer\n")
      #expect(outcome.errors == "" && outcome.status == 0)
    }

    // G1
    @Test func workFromBeforeTheLoopIsNotLost() throws {
      #expect(try run("early").output == "1 [\"early\"]\n")
    }

    // G1
    @Test func aLoopIsWokenForWorkAndForNothingElse() throws {
      #expect(try run("wake-ups").output == "10 at most two each 0\n")
    }

    // G1
    @Test func waitingTakesNoProcessorTime() throws {
      #expect(try run("idle").output == "0 asleep\n")
    }

    // G1
    @Test func aLoopInsideOfAnEventServesTheMainActor() throws {
      #expect(try run("nested").output == "[\"outer\", \"inner\", \"outer\"]\n")
    }

    // G1
    @Test func aLoopInsideOfTheQueuesWorkNeitherRunsOtherWorkNorSpins() throws {
      let output = try run("nested-in-work").output
      #expect(output == "[\"end of the work, still readable: 0\", \"task\", \"queue\"]\n")
    }

    // G1
    @Test func workWithoutEndLeavesTheLoopItsTurns() throws {
      #expect(try run("endless").output == "every turn returned\n")
    }

    // G1
    @Test func aCallOnAnotherThreadIsReportedAndRunsNothing() throws {
      let outcome = try run("elsewhere")
      #expect(outcome.output == "[]\n[\"task\"]\n" && outcome.status == 0)
      #expect(outcome.errors.contains("MainQueue.runPending() was called on a thread"))
      #expect(outcome.errors.contains("Call it from the loop of the program's first thread."))
    }

    // G1, G6
    @Test func theLoopOfTheDocumentationServesTheMainActorAndADescriptor() throws {
      #expect(try run("poll").output == "Hello\n")
    }

    /// Runs the program that is built beside the tests.
    private func run(_ task: String) throws -> ProgramRun {
      try ProgramRun(builtProgram("loop-program"), [task])
    }
  }
#endif
