// G1: a loop that is not Dispatch's own serves the main actor. Each test runs the program
// `loop-program`, whose first thread has such a loop; the tests' own is served by Dispatch.

#if os(Linux)
  import Foundation
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
    private func run(_ task: String) throws -> (output: String, errors: String, status: Int32) {
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(component: "loop-program")
      process.arguments = [task]
      let (output, errors) = (Pipe(), Pipe())
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      let text = try output.fileHandleForReading.readToEnd() ?? Data()
      let said = try errors.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (
        String(decoding: text, as: UTF8.self), String(decoding: said, as: UTF8.self),
        process.terminationStatus
      )
    }
  }
#endif
