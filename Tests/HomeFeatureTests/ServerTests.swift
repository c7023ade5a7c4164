import Foundation
import Rondo
import Synchronization
import Testing

@testable import RondoHomeFeature

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor @Suite struct ServerTests {
  @Test func theAnswersHaveTheirPublishedForm() {
    let server = EmbeddedServer(
      content: EmbeddedServer.Content(
        results: [.unlimited: DailyChallengeResult(outOf: 8, rank: 2, score: 90, started: true)],
        weekInReview: WeekInReview(
          ranks: [WeekInReview.Rank(gameMode: .timed, outOf: 9, rank: 1)],
          word: WeekInReview.Word(letters: "CUBE", score: 40)
        )
      ),
      queue: .immediate, conditions: Conditions(), now: { .piDay }
    )
    let body = #"{"deviceId":"d","displayName":"Blob","playerId":"p","timeZone":"UTC"}"#
    let authentication = server.respond(
      to: ServerRequest(
        endpoint: "server", method: .post, path: "/api/authenticate", body: Array(body.utf8)))
    #expect(
      authentication.text
        == #"{"accessToken":"token-1","player":{"displayName":"Blob","id":"p"}}"#
    )
    let get = { (path: String) in
      server.respond(
        to: ServerRequest(endpoint: "server", method: .get, path: path, accessToken: "token-1")
      ).text
    }
    #expect(
      get("/api/daily-challenges/today?language=en")
        == #"[{"dailyChallenge":{"endsAt":1773532800,"gameMode":"unlimited","#
        + #""id":"2026-03-14-unlimited","language":"en"},"#
        + #""yourResult":{"outOf":8,"rank":2,"score":90,"started":true}}]"#
    )
    #expect(
      get("/api/leaderboard/week-in-review?language=en")
        == #"{"ranks":[{"gameMode":"timed","outOf":9,"rank":1}],"#
        + #""word":{"letters":"CUBE","score":40}}"#
    )
  }

  @Test(arguments: [
    (ServerRequest(endpoint: "server", method: .get, path: "/nowhere"), 404),
    (ServerRequest(endpoint: "server", method: .post, path: "/api/authenticate"), 400),
    (ServerRequest(endpoint: "server", method: .get, path: "/api/daily-challenges/today"), 401),
    (
      ServerRequest(
        endpoint: "server", method: .get, path: "/api/daily-challenges/today", accessToken: "x"),
      401
    ),
  ])
  func badRequestsAreRefused(request: ServerRequest, status: Int) {
    let server = EmbeddedServer(
      queue: .immediate, conditions: Conditions(), now: { .piDay })
    #expect(server.respond(to: request).status == status)
  }

  @Test(arguments: [
    (
      200, "[",
      "the server's answer makes no sense: line 1, column 2: "
        + "Unexpected end of file during JSON parse"
    ),
    (
      200, #"[{"dailyChallenge": {"endsAt": "soon"}}]"#,
      "the server's answer makes no sense: $[0].dailyChallenge.endsAt: "
        + "Expected to decode Double but found a string instead"
    ),
    (401, "", "the server wants the player to sign in again"),
    (500, "[]", "the server answered with status 500"),
  ])
  func badAnswersAreProblems(status: Int, body: String, problem: String) {
    expectProblem(problem, status: status, body: Array(body.utf8))
  }

  @Test func anAnswerThatIsTooLongIsAProblem() {
    expectProblem(
      "the server's answer makes no sense: $: longer than 1048576 bytes", status: 200,
      body: [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20 + 1))
  }

  private func expectProblem(_ problem: String, status: Int, body: [UInt8]) {
    let client = ServerClient.live { _ in
      .send(.success(ServerResponse(status: status, body: body)))
    }
    let screen = Screen { environment in
      environment.server = .preview()
      environment.server.todaysDailyChallenges = client.todaysDailyChallenges
    }
    screen.launch()
    #expect(screen.store.problems == [.server: problem])
  }

  @Test func aServerThatCannotBeReachedIsAProblem() {
    let screen = Screen { environment in
      environment.server = .live { _ in .send(.failure(.unreachable("Connection refused"))) }
    }
    screen.launch()
    #expect(
      screen.store.problems == [.server: "the server cannot be reached: Connection refused"]
    )
  }

  // H16
  @Test(arguments: [(1, [401, 200]), (2, [401, 401]), (0, [200])])
  func aTokenThatIsTooOldIsReplacedAtOnceAndOnce(refusals: Int, statuses: [Int]) async {
    let server = EmbeddedServer(queue: .immediate, conditions: Conditions(), now: { .piDay })
    let log = Mutex<[(path: String, token: String?, status: Int)]>([])
    let left = Mutex(refusals)
    let client = ServerClient.live { request in
      let isRefused = left.withLock { left in
        guard request.path.contains("challenges"), left > 0 else { return false }
        left -= 1
        return true
      }
      let response = isRefused ? ServerResponse(status: 401) : server.respond(to: request)
      log.withLock { $0.append((request.path, request.accessToken, response.status)) }
      return .send(.success(response))
    }
    let screen = Screen { $0.server = client }
    screen.launch()
    let week = log.withLock { $0 }.filter { $0.path.contains("challenges") }
    #expect(week.map(\.status) == statuses)
    #expect(Set(week.map(\.token)).count == statuses.count)
    #expect(
      screen.store.problems[.server]
        == (refusals == 2 ? "the server wants the player to sign in again" : nil))
    let signedIn = log.withLock { $0 }.filter { $0.path.contains("authenticate") }.count
    #expect(signedIn == (refusals == 0 ? 1 : 2))
  }

  // H16
  @Test(arguments: [
    (#"{"a":"x\u202Ey\u009b\u2066z"}"#, #"{"a":"xyz"}"#),
    ("{\"a\":\"x\u{202E}y\u{9B}\u{2066}\u{61C}z\u{200F}\"}", #"{"a":"xyz"}"#),
    (#"{"a":"one\ntwo\tthree\u000afour\b\u001b[m"}"#, #"{"a":"one two three four[m"}"#),
    (
      #"{"a":"\\u202e \" \ud83c\udfb2 é 🎲 \u00e9 Ø ¢ €"}"#,
      #"{"a":"\\u202e \" \ud83c\udfb2 é 🎲 \u00e9 Ø ¢ €"}"#
    ),
    ("{\"a\":\"x\u{2028}y\"} \u{202E}", "{\"a\":\"x y\"} \u{202E}"),
    (#"{"a":"\u20"#, #"{"a":"\u20"#), ("\"\\", "\"\\"), ("\"", "\""), ("", ""),
  ])
  func textFromOutsideLosesWhatControlsATerminal(json: String, cleaned: String) {
    #expect(String(decoding: PlainJSON.cleaned(Array(json.utf8)), as: UTF8.self) == cleaned)
  }

  // H16
  @Test func bytesThatAreNoTextStayForTheDecoderToRefuse() {
    for bytes: [UInt8] in [[0x22, 0xe2, 0x80], [0x22, 0xc2], [0x22, 0xe2, 0x28, 0xa1, 0x22]] {
      #expect(PlainJSON.cleaned(bytes) == bytes)
    }
  }

  // H16
  @Test func noErrorOfTheNetworkIsANumber() {
    for code in -3007 ... -1 {
      let error = NSError(domain: NSURLErrorDomain, code: code)
      let words = HTTPTransport.words(for: error)
      #expect(!words.isEmpty && !words.contains("\(code)") && !words.contains("Error Domain"))
    }
  }

  @Test func clientsForTestsReportWhatIsNotExpected() {
    let issues = captureIssues {
      _ = FileClient.test.loadSavedGames()
      _ = GameServiceClient.test.loadMatches()
      _ = ServerClient.test.weekInReview(.en)
      _ = SoundClient.test.play(.matchDeleted)
    }
    #expect(
      issues.map { $0.message.prefix { $0 != " " } } == [
        "FileClient.loadSavedGames", "GameServiceClient.loadMatches", "ServerClient.weekInReview",
        "SoundClient.play(.matchDeleted)",
      ]
    )
  }
}

extension ServerResponse {
  fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
