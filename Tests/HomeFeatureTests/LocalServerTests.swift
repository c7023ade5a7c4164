import Foundation
import RondoSeededRandomness
import Testing

/// The program and the example server, over real HTTP on this machine.
///
/// One at a time: Foundation notices the end of a process by a descriptor that processes started
/// beside it inherit, so that long-lived ones would wait for one another.
@Suite(.enabled(if: LocalServer.python != nil, "There is no python3."), .serialized)
struct LocalServerTests {
  let directory = TemporaryFolder()

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

  // An answer that takes too long is waited for, so it belongs to the long form.
  @Test(
    arguments: Soak.arguments(
      [
        ("status", "the server answered with status 503"),
        ("expired", "the server wants the player to sign in again"),
        ("reset", "the server cannot be reached: it hung up before it had answered"),
      ],
      more: [
        ("malformed", "the server's answer makes no sense"),
        ("oversized", "the server's answer makes no sense: $: longer than 1048576 bytes"),
        ("hang", "the server cannot be reached: it took too long to answer"),
        ("drip", "the server cannot be reached: it took too long to answer"),
      ]))
  func aFaultIsAProblemLineAndTryingAgainWorks(fault: String, problem: String) throws {
    // The challenges and the week in review fail once each. What is asked with a token that is too old
    // is asked again with a new one.
    let server = try LocalServer("--fault", fault, "--times", fault == "expired" ? "4" : "2")
    let terminal = try started(
      server.url, ["hang", "drip"].contains(fault) ? ["--timeout", "1s"] : [])
    #expect(terminal.read { $0.contains("✗ server: \(problem)") })
    terminal.type("r")
    #expect(
      terminal.read { $0.contains("28 people have already played!") && !$0.contains("✗ server") }
    )
  }

  @Test(arguments: [
    (["--port", "99999"], "error: argument --port: 99999 is not between 0 and 65535"),
    (["--latency", "-5"], "error: argument --latency: -5 is not between 0 and 3600000"),
    (["--certificate", "/dev/null/x"], "/dev/null/x: Not a directory"),
  ])
  func anArgumentThatCannotBeEndsTheServerWithALine(arguments: [String], line: String) throws {
    let refusal = try LocalServer.refusal(arguments)
    #expect(refusal.status == 2)
    #expect(refusal.line == "isowords_server.py: \(line)")
  }

  @Test func aPortThatIsTakenEndsTheServerWithALine() throws {
    let server = try LocalServer()
    let port = server.url.split(separator: ":").last.map(String.init) ?? ""
    let refusal = try LocalServer.refusal(["--port", port])
    #expect(refusal.status == 2)
    #expect(
      refusal.line == "isowords_server.py: 127.0.0.1, port \(port): Address already in use")
  }

  @Test func aServerThatIsNotThereIsAProblemLine() throws {
    let terminal = try started("http://127.0.0.1:1")
    #expect(terminal.read { $0.contains("✗ server: the server cannot be reached: nobody answers") })
  }

  // H16
  @Test func aTokenThatIsTooOldIsReplacedAtOnce() throws {
    // The token of the launch is too old, whichever request comes first; that of the next one is good.
    let server = try LocalServer("--stale-tokens", "1")
    let terminal = try started(server.url, ["--format", "plain", "--once"])
    terminal.readToEnd()
    #expect(terminal.output.contains("28 people have already played!"))
    #expect(!terminal.output.contains("problem"))
  }

  // H16
  @Test func signingInAnewIsTriedOnce() throws {
    let server = try LocalServer("--token-lifetime", "0")
    let terminal = try started(server.url)
    #expect(terminal.read { $0.contains("✗ server: the server wants the player to sign in again") })
  }

  // H16, H20
  @Test(
    arguments: Soak.arguments(
      [
        ("endless", "the server's answer makes no sense: $: longer than 1048576 bytes"),
        (
          "bomb",
          "the server's answer makes no sense: $: compressed by gzip, which nobody has asked for"
        ),
        (
          "half-header",
          "the server cannot be reached: it does not speak HTTP as it should (The HTTP header has no end)"
        ),
      ],
      more: [
        ("announced", "the server's answer makes no sense: $: longer than 1048576 bytes"),
        ("chunk", "the server cannot be reached: it does not speak HTTP as it should"),
        ("other-protocol", "the server cannot be reached: it does not speak HTTP as it should"),
        ("cut", "the server cannot be reached: the connection was lost"),
        ("trailers", "the server's answer makes no sense: line 1, column 2"),
        (
          "boundless",
          "the server cannot be reached: it does not speak HTTP as it should "
            + "(An HTTP answer of that length cannot be)"
        ),
        (
          "long-header",
          "the server cannot be reached: it does not speak HTTP as it should "
            + "(The HTTP header is too long)"
        ),
        (
          "long-location",
          "the server cannot be reached: it does not speak HTTP as it should "
            + "(The location in the HTTP header is too long)"
        ),
        (
          "switch",
          "the server cannot be reached: it does not speak HTTP as it should "
            + "(The server left HTTP unasked)"
        ),
        ("crumbs", "the server's answer makes no sense: $: longer than 1048576 bytes"),
      ]))
  func aHostileAnswerEndsInBoundedMemoryAndTime(fault: String, problem: String) throws {
    let server = try LocalServer("--fault", fault)
    let terminal = try started(
      server.url, ["--format", "plain", "--once", "--timeout", "20s"], width: 400)
    let memory = terminal.peakKilobytesAtTheEnd()
    #expect(terminal.output.contains("server problem: \(problem)"))
    #expect(terminal.status == 0)
    // Nobody else adds to it: an ordinary launch takes some 45,000. Sanitizers take a multiple.
    // An endless body is cut, but the session may read on until it notices.
    if let memory, !Repository.isSanitized, fault != "endless" { #expect(memory < 150_000) }
  }

  // H16
  @Test func aCertificateThatNobodyTrustsIsNamedInWords() throws {
    guard let certificate = LocalServer.certificate(in: directory) else {
      print("The test of certificates is skipped: there is no openssl.")
      return
    }
    let server = try LocalServer("--certificate", certificate)
    let terminal = try started(server.url, ["--format", "plain", "--once"], width: 400)
    terminal.readToEnd()
    #expect(
      terminal.output.contains(
        "the server cannot be reached: its certificate is not to be trusted"))
  }

  // H16
  @Test func textOfTheServerControlsNoTerminal() throws {
    let server = try LocalServer("--word", "A\u{202E}B\u{9B}31mC\u{2066}D\u{1B}[2JE\nF")
    let file = directory.path("session.jsonl")
    for format in ["plain", "json"] {
      let terminal = try started(
        server.url, ["--format", format, "--once", "--record", file], width: 400)
      terminal.readToEnd()
      #expect(terminal.output.contains("best word AB31mCD[2JE F"))
      let recording = try directory.text(of: "session.jsonl")
      for text in [terminal.output, recording] {
        #expect(!text.unicodeScalars.contains { ["\u{202E}", "\u{9B}", "\u{2066}"].contains($0) })
        for escape in ["202e", "009b", "2066", "001b"] {
          #expect(!text.lowercased().contains("\\u" + escape))
        }
      }
    }
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

  private func started(
    _ url: String, _ arguments: [String] = [], width: Int = 80
  ) throws -> Terminal {
    try Terminal(
      Repository.program, ["--data", directory.path, "--server", url] + arguments, width: width)
  }
}
