import Foundation
import Testing

/// The program and the example server, over real HTTP on this machine.
///
/// One at a time: Foundation notices the end of a process by a descriptor that processes started
/// beside it inherit, so that long-lived ones would wait for one another.
@Suite(.enabled(if: LocalServer.python != nil, "There is no python3."), .serialized)
struct LocalServerTests {
  let directory = TemporaryDirectory()

  @Test func theLaunchIsAnsweredByTheServer() throws {
    let server = try LocalServer("--latency", "20")
    let terminal = try started(server.url)
    #expect(terminal.read { $0.contains("28 people have already played!") })
    #expect(terminal.read { $0.contains("LAUNCHES 312") })
  }

  @Test func aChallengeIsStartedByTheServer() throws {
    let server = try LocalServer()
    let terminal = try started(server.url)
    #expect(terminal.read { $0.contains("28 people have already played!") })
    terminal.type("t")
    #expect(terminal.read { $0.contains("Daily challenge, timed") })
  }

  @Test(arguments: [
    ("status", "the server answered with status 503"),
    ("expired", "the server wants the player to sign in again"),
    ("malformed", "the server's answer makes no sense"),
    ("oversized", "the server's answer makes no sense: $: longer than 1048576 bytes"),
    ("hang", "the server cannot be reached: it took too long to answer"),
    ("drip", "the server cannot be reached: it took too long to answer"),
    ("reset", "the server cannot be reached: it hung up before it had answered"),
  ])
  func aFaultIsAProblemLineAndTryingAgainWorks(fault: String, problem: String) throws {
    // The challenges and the week in review fail once each.
    let server = try LocalServer("--fault", fault, "--times", "2")
    let terminal = try started(
      server.url, ["hang", "drip"].contains(fault) ? ["--timeout", "1s"] : [])
    #expect(terminal.read { $0.contains("✗ server: \(problem)") })
    terminal.type("r")
    #expect(
      terminal.read { $0.contains("28 people have already played!") && !$0.contains("✗ server") }
    )
  }

  @Test func aServerThatIsNotThereIsAProblemLine() throws {
    let terminal = try started("http://127.0.0.1:1")
    #expect(terminal.read { $0.contains("✗ server: the server cannot be reached: nobody answers") })
  }

  @Test func aTokenThatIsTooOldIsReplacedByTryingAgain() throws {
    let server = try LocalServer("--token-lifetime", "0")
    let terminal = try started(server.url)
    #expect(terminal.read { $0.contains("✗ server: the server wants the player to sign in again") })
  }

  @Test func noTokenIsInALogOrARecording() throws {
    let server = try LocalServer()
    let file = directory.path("session.jsonl")
    let terminal = try started(
      server.url, ["--format", "json", "--once", "--record", file])
    terminal.readToEnd()
    #expect(terminal.output.contains("28 people have already played!"))
    for text in [terminal.output, try directory.text(of: "session.jsonl")] {
      #expect(!text.lowercased().contains("token"))
      #expect(!text.contains("Bearer"))
    }
  }

  private func started(_ url: String, _ arguments: [String] = []) throws -> Terminal {
    try Terminal(
      Repository.program, ["--data", directory.path, "--server", url] + arguments)
  }
}
