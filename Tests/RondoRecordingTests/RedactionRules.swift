// V3: what nobody may see is nowhere in a recording.

import Foundation
import Rondo
import RondoRecording
import RondoScheduling
import RondoTesting
import Testing

@MainActor @Suite struct RedactionRules {
  private let file = TemporaryFile()

  // V3
  @Test func V3_redactedMembersAreNowhereInTheFile() async throws {
    let store = Store(initialState: Vault.State()) { Vault() }
    let recording = try store.record(to: file.url)
    store.send(.passwordChanged(Redacted("hunter3-annotated")))
    await store.send(.watch).finish()
    recording.end()
    let text = file.text
    for secret in ["hunter2-annotated", "hunter3-annotated", "key-in-an-id"] {
      #expect(!text.contains(secret))
    }
    let lines = try RecordingFile(contentsOf: file.url)
    #expect(lines.begin.state["password"] == .redacted)
    #expect(lines.begin.data == nil)
    #expect(lines.actions.first?.name == ".passwordChanged(<redacted>)")
    #expect(lines.actions.first?.data == nil)
    #expect(lines.starts.map(\.ids) == [[#"Vault.WatchID(key: <redacted>, pin: "")"#]])
  }

  // V3
  @Test func V3_membersOfAListAreNowhereInTheFile() async throws {
    let store = Store(initialState: Vault.State()) { Vault() }
    let recording = try store.record(
      to: file.url,
      redacting: [.state(\.session?.token), .action(\.signedIn), .action(\.pinEntered)])
    store.send(.signedIn(Vault.Session(token: "token-of-the-session", user: "Blob")))
    _ = captureIssues { store.send(.pinEntered("4711-0815")) }
    await store.send(.watch).finish()
    recording.end()
    let text = file.text
    #expect(!text.contains("token-of-the-session"))
    #expect(!text.contains("4711-0815"))
    let lines = try RecordingFile(contentsOf: file.url)
    #expect(lines.trees.last?[["session", "token"]] == .redacted)
    #expect(lines.trees.last?[["session", "user"]] == RecordedNode("\"Blob\""))
    #expect(
      lines.actions.map(\.name).prefix(2) == [".signedIn(<redacted>)", ".pinEntered(<redacted>)"])
    #expect(lines.issues.map(\.message) == ["The pin <redacted> is wrong."])
    #expect(lines.starts.map(\.label) == [#"run "watch <redacted>""#])
    #expect(lines.actions.last?.data != nil)
  }

  // V3
  @Test func V3_whatAnActionHasJustPutIntoTheStateIsNowhereInTheFile() async throws {
    let key = String(repeating: "long-key-", count: 30)
    let store = Store(initialState: Safe.State()) { Safe() }
    let recording = try store.record(
      to: file.url,
      redacting: [.state(\.owner?.token), .state(\.key), .state(\.letter), .state(\.codes)])
    store.send(
      .open(
        Safe.Owner(token: "token-of-an-owner"), key, "first line\nsecond line",
        ["code-of-a-door": 1]))
    recording.end()
    let text = file.text
    for secret in ["token-of-an-owner", "long-key", "second line", "code-of-a-door"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    let lines = try RecordingFile(contentsOf: file.url)
    #expect(lines.trees.last?["owner"] == .redacted)
    #expect(lines.starts.map(\.ids) == [["\"<redacted>\""]])
  }

  // V3
  @Test func V3_whatAReducerReportsInTheActionThatBringsItIsNowhereInTheFile() throws {
    let store = Store(initialState: Reporter.State()) { Reporter() }
    let recording = try store.record(to: file.url, redacting: [.state(\.token)])
    _ = captureIssues { store.send(.entered(Redacted("token-of-a-report"))) }
    recording.end()
    #expect(!file.text.contains("token-of-a-report"))
    let lines = try RecordingFile(contentsOf: file.url)
    #expect(lines.issues.map(\.message) == ["The token <redacted> is wrong."])
    #expect(lines.isWhole)
  }

  // V3
  @Test func V3_aCaseIsKeptOutByEveryPathThatLeadsToIt() async throws {
    let secret = Gate.secret
    let cases: [(Redaction<Gate.State, Gate.Action>, Gate.Action, String)] = [
      (
        .action(\.login.password), .login(.presented(.password(secret))),
        ".login(.presented(.password(<redacted>)))"
      ),
      (
        .action(\.login.presented.password), .login(.presented(.password(secret))),
        ".login(.presented(.password(<redacted>)))"
      ),
      (
        .action(\.destination.login.password), .destination(.presented(.login(.password(secret)))),
        ".destination(.presented(.login(.password(<redacted>))))"
      ),
      (
        .action(\.destination.login), .destination(.presented(.login(.password(secret)))),
        ".destination(.presented(.login(<redacted>)))"
      ),
      (.action(\.draft.some.password), .draft(.password(secret)), ".draft(.password(<redacted>))"),
      (.action(\.draft.password), .draft(.password(secret)), ".draft(.password(<redacted>))"),
      (.action(\.draft.some), .draft(.password(secret)), ".draft(<redacted>)"),
      (.action(\.binding.password), .binding(.set(\.password, secret)), ".binding(<redacted>)"),
      (.action(\.binding.session), .binding(.set(\.session.token, secret)), ".binding(<redacted>)"),
      (
        .action(\.rows.element), .rows(.element(id: 3, action: .password(secret))),
        ".rows(.element(id: <redacted>, action: <redacted>))"
      ),
      // A case path that has not the name of its case.
      (.action(\.word), .spoken(secret), "<redacted>"),
    ]
    for (redaction, action, name) in cases {
      let store = Store(initialState: Gate.State()) { Gate() }
      let recording = try store.record(to: file.url, redacting: [redaction])
      _ = captureIssues { store.send(action) }
      _ = captureIssues { store.send(.login(.presented(.user("Blob")))) }
      _ = captureIssues { store.send(.binding(.set(\.user, "Blob"))) }
      await store.send(.login(.dismiss)).finish()
      recording.end()
      #expect(!file.text.contains(secret), "\(name)")
      let actions = try RecordingFile(contentsOf: file.url).actions
      #expect(
        actions.map(\.name) == [
          name, #".login(.presented(.user("Blob")))"#, #".binding(.set(\State.user, "Blob"))"#,
          ".login(.dismiss)",
        ])
    }
  }

  // V3
  @Test func V3_aPathToOneElementOrToNoCaseIsRefused() {
    for redaction: Redaction<Gate.State, Gate.Action> in [
      .action(\.rows[id: 3].password), .action(\.path[id: 0].password), .action(\.self),
    ] {
      let store = Store(initialState: Gate.State()) { Gate() }
      #expect(throws: RecordingError.self) {
        try store.record(to: file.url, redacting: [redaction])
      }
    }
  }

  // V3
  @Test func V3_aMemberThatIsPrintedUnderAnotherNameIsRefusedOrKeptOut() throws {
    struct User: CustomDumpStringConvertible {
      var token = "token-of-a-user"
      var customDumpDescription: String { ".user(\(token))" }
    }
    struct State {
      var user = User()
      var pair = (id: 1, token: "token-of-a-pair")
    }
    let members: [Redaction<State, Int>] = [.state(\.user.token), .state(\.pair.token)]
    for (member, secret) in zip(members, ["token-of-a-user", "token-of-a-pair"]) {
      let store = Store(initialState: State()) { Reduce<State, Int> { _, _ in .none } }
      guard let recording = try? store.record(to: file.url, redacting: [member]) else { continue }
      recording.end()
      #expect(!file.text.contains(secret))
    }
  }

  // V3
  @Test func V3_secretsThatOverlapAreKeptOutAsAWhole() throws {
    let store = Store(initialState: Reporter.State(keys: ["abcd", "cdefgh", "ghi", "ab"])) {
      Reporter()
    }
    let recording = try store.record(to: file.url, redacting: [.state(\.keys)])
    _ = captureIssues {
      store.send(.reported("-abcdefghi-ab-cdefg-ghighi-äabcdö"))
    }
    recording.end()
    #expect(
      try RecordingFile(contentsOf: file.url).issues.map(\.message)
        == ["-<redacted>-ab-cdefg-<redacted><redacted>-ä<redacted>ö"])
  }

  // V3
  @Test func V3_manySecretsAreKeptOutOfALongText() throws {
    let keys = (0..<3_000).map { "key-\($0 * 7919)-of-the-house" }
    let store = Store(initialState: Reporter.State(keys: keys)) { Reporter() }
    let recording = try store.record(to: file.url, redacting: [.state(\.keys)])
    let filler = String(repeating: "key- of the house, ", count: 2_000)
    _ = captureIssues { store.send(.reported(filler + keys[1_234] + filler)) }
    recording.end()
    let message = try #require(try RecordingFile(contentsOf: file.url).issues.first?.message)
    #expect(message.utf8.count == 2 * filler.utf8.count + "<redacted>".utf8.count)
    #expect(message.utf8.dropFirst(filler.utf8.count).starts(with: "<redacted>".utf8))
  }

  // V3
  @Test func V3_aMemberThatThePrintedStateDoesNotShowIsRefused() {
    struct User: CustomDumpStringConvertible {
      var token = "token-of-a-user"
      var customDumpDescription: String { "User(\(token))" }
    }
    struct State { var user = User() }
    let store = Store(initialState: State()) { Reduce<State, Int> { _, _ in .none } }
    let (member, line) = (Redaction<State, Int>.state(\.user.token), #line)
    let error = #expect(throws: RecordingError.self) {
      try store.record(to: file.url, redacting: [member])
    }
    #expect(
      error?.description == """
        The member '\\State.user.token' at RondoRecordingTests/RedactionRules.swift:\(line) cannot \
        be kept out of a recording: the printed state has no stored member of that name. List the \
        stored member, or declare it as '@Redacted'.
        """)
    #expect(!FileManager.default.fileExists(atPath: file.url.path))
  }

  // V3
  @Test func V3_aSecretWithEscapesIsKeptOutOfMessages() throws {
    struct State { var password = "say \"friend\"\n" }
    let store = Store(initialState: State()) {
      Reduce<State, Int> { state, _ in
        reportIssue("The password \(state.password) is wrong.")
        return .none
      }
    }
    let recording = try store.record(to: file.url, redacting: [.state(\.password)])
    _ = captureIssues { store.send(1) }
    recording.end()
    #expect(
      try RecordingFile(contentsOf: file.url).issues.map(\.message)
        == ["The password <redacted> is wrong."])
  }

  // V3
  @Test func V3_aMemberThatCannotBeFoundIsRefused() {
    let store = Store(initialState: Desk.State()) { Desk(timeline: TestTimeline()) }
    #expect(throws: RecordingError.self) {
      try store.record(to: file.url, redacting: [.state(\.rows[0])])
    }
    let (first, line) = (Redaction<Desk.State, Desk.Action>.state(\.rows.first), #line)
    let error = #expect(throws: RecordingError.self) {
      try store.record(to: file.url, redacting: [first])
    }
    #expect(
      error?.description == """
        The member '\\State.rows.(a computed member of type Optional<String>)' at \
        RondoRecordingTests/RedactionRules.swift:\(line) cannot be kept out of a recording: only \
        stored members and cases can. List the stored member, or declare it as '@Redacted'.
        """)
    #expect(!FileManager.default.fileExists(atPath: file.url.path))
  }

  // V3
  @Test func V3_redactedValuesAreNotPrinted() {
    let state = Vault.State()
    var text = ""
    dump(state, to: &text)
    for printed in [dumped(state), "\(state)", String(reflecting: state), text] {
      #expect(printed.contains("<redacted>") || printed == text)
      #expect(!printed.contains("hunter2"))
    }
    #expect(dumped(Vault.Action.passwordChanged(Redacted("x"))) == ".passwordChanged(<redacted>)")
  }

  // V3
  @Test func V3_redactedValuesAreCodedOutsideOfRecordings() throws {
    let data = try JSONEncoder().encode(Vault.State())
    #expect(try JSONDecoder().decode(Vault.State.self, from: data) == Vault.State())
    #expect(String(decoding: data, as: UTF8.self).contains("hunter2-annotated"))
  }
}

/// A feature whose actions carry secrets at the ends of paths of every kind.
private struct Gate: Reducer {
  static let secret = "word-of-the-gate"

  struct State: Equatable, Sendable {
    var user = ""
    var password = ""
    var session = Vault.Session(token: "", user: "")
  }

  enum Login: Equatable, Sendable, CasePathable {
    case user(String)
    case password(String)

    struct AllCasePaths: Sendable {
      var password: AnyCasePath<Login, String> {
        AnyCasePath(embed: Login.password) {
          if case .password(let text) = $0 { text } else { nil }
        }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  enum Destination: Equatable, Sendable, CasePathable {
    case login(Login)

    struct AllCasePaths: Sendable {
      var login: AnyCasePath<Destination, Login> {
        AnyCasePath(embed: Destination.login) {
          if case .login(let action) = $0 { action } else { nil }
        }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  enum Action: Equatable, Sendable, BindableAction, CasePathable {
    case login(PresentationAction<Login>)
    case destination(PresentationAction<Destination>)
    case draft(Login?)
    case binding(BindingAction<State>)
    case rows(IdentifiedAction<Int, Login>)
    case path(StackAction<State, Login>)
    case spoken(String)

    struct AllCasePaths: Sendable {
      var login: AnyCasePath<Action, PresentationAction<Login>> {
        AnyCasePath(embed: Action.login) { if case .login(let action) = $0 { action } else { nil } }
      }
      var destination: AnyCasePath<Action, PresentationAction<Destination>> {
        AnyCasePath(embed: Action.destination) {
          if case .destination(let action) = $0 { action } else { nil }
        }
      }
      var draft: AnyCasePath<Action, Login?> {
        AnyCasePath(embed: Action.draft) { if case .draft(let action) = $0 { action } else { nil } }
      }
      var binding: AnyCasePath<Action, BindingAction<State>> {
        AnyCasePath(embed: Action.binding) {
          if case .binding(let action) = $0 { action } else { nil }
        }
      }
      var rows: AnyCasePath<Action, IdentifiedAction<Int, Login>> {
        AnyCasePath(embed: Action.rows) { if case .rows(let action) = $0 { action } else { nil } }
      }
      var path: AnyCasePath<Action, StackAction<State, Login>> {
        AnyCasePath(embed: Action.path) { if case .path(let action) = $0 { action } else { nil } }
      }
      var word: AnyCasePath<Action, String> {
        AnyCasePath(embed: Action.spoken) { if case .spoken(let text) = $0 { text } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some Reducer<State, Action> {
    Reduce { _, action in
      guard "\(action)".contains(Self.secret) else { return .none }
      reportIssue("Nobody may say \(Self.secret).")
      return .run(name: "say \(Self.secret)") { _ in }
    }
  }
}

/// A feature whose reducer hands on at once what it has put into its state.
private struct Safe: Reducer {
  struct State: Codable, Equatable, Sendable {
    var owner: Owner?
    var key = ""
    var letter = ""
    var codes: [String: Int] = [:]
  }

  /// A value that is printed in its own way, and is not there at first.
  struct Owner: Codable, Equatable, Sendable, CustomDumpStringConvertible {
    var token: String
    var customDumpDescription: String { "Owner(\(token))" }
  }

  struct Opening: Equatable, Sendable {
    @Redacted var owner: Owner
    @Redacted var key: String
    @Redacted var letter: String
    @Redacted var codes: [String: Int]
  }

  enum Action: Equatable, Sendable {
    case open(Opening)

    static func open(
      _ owner: Owner, _ key: String, _ letter: String, _ codes: [String: Int]
    ) -> Self {
      .open(Opening(owner: owner, key: key, letter: letter, codes: codes))
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .open(let opening):
      state.owner = opening.owner
      state.key = opening.key
      state.letter = opening.letter
      state.codes = opening.codes
      let line = state.letter.split(separator: "\n")[1]
      return .run(name: "open code-of-a-door at \(line)") { _ in try await Task.never() }
        .cancellable(id: state.key)
    }
  }
}

/// A feature that reports what it has just put into its state.
private struct Reporter: Reducer {
  struct State: Equatable, Sendable {
    var token = ""
    var keys: [String] = []
  }

  enum Action: Equatable, Sendable {
    case entered(Redacted<String>)
    case reported(String)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .entered(let token):
      state.token = token.wrappedValue
      reportIssue("The token \(state.token) is wrong.")
    case .reported(let text):
      reportIssue(text)
    }
    return .none
  }
}
