// Tools that act on a program that is recorded, by its socket.

import Foundation
import RondoProcesses
import RondoScheduling
import RondoTesting
import Testing

@testable import Rondo
@testable import RondoRecording

@Suite struct ControlRules {
  struct Counter: Reducer {
    struct State: Codable, Equatable, Sendable {
      var count = 0
      var fact = ""
    }
    enum Action: Codable, Equatable, Sendable { case add(Int), ask, told(String) }

    @Dependency(\.continuousClock) var clock

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .add(let number):
        state.count += number
        return .none
      case .ask:
        state.fact = "?"
        let count = state.count
        return .run(name: "fact") { send in
          await send(.told("\(count) is a number"))
        }
      case .told(let fact):
        state.fact = fact
        return .none
      }
    }
  }

  /// The other end of a socket.
  final class Tool {
    private let descriptor: Int32
    private var input = Data()
    private(set) var greeting: ControlGreeting?

    init(_ path: String) async throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = try #require(sockaddr_un(path: path))
      let result = address.withSocketAddress { connect(descriptor, $0, $1) }
      try #require(result == 0)
      greeting = try JSONDecoder().decode(ControlGreeting.self, from: try await line())
    }

    deinit { close(descriptor) }

    nonisolated(nonsending) func ask(_ request: ControlRequest) async throws -> ControlAnswer {
      try await ask(JSONEncoder().encode(request))
    }

    nonisolated(nonsending) func ask(_ text: Data) async throws -> ControlAnswer {
      write(text + Data("\n".utf8))
      return try JSONDecoder().decode(ControlAnswer.self, from: try await line())
    }

    func write(_ bytes: Data) {
      _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// A line, and nothing at the end of the connection. The wait is for a thread of the program.
    nonisolated(nonsending) func line() async throws -> Data {
      while true {
        if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
          let line = Data(input[..<end])
          input = Data(input[(end + 1)...])
          return line
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count > 0 {
          input += bytes.prefix(count)
        } else if count < 0, errno == EAGAIN {
          await Task.yield()
        } else {
          return Data()
        }
      }
    }
  }

  @MainActor private func makeStore() -> StoreOf<Counter> {
    Store(initialState: Counter.State()) { Counter() }
  }

  @MainActor private func record(
    _ store: StoreOf<Counter>, _ folder: TemporaryFolder
  ) throws -> Recording {
    try store.record(to: folder.file, control: .always(at: folder.socket))
  }

  private func data(_ action: Counter.Action) throws -> RecordedData {
    try RecordedData(encoding: action)
  }

  // MARK: Deeds

  // V13
  @MainActor @Test func anActionIsSentAgainAndRecordedAsTheTools() async throws {
    let folder = TemporaryFolder()
    let store = makeStore()
    let recording = try record(store, folder)
    store.send(.add(2))
    let tool = try await Tool(folder.socket.path)
    #expect(tool.greeting == ControlGreeting(recording: folder.file.path))
    let answer = try await tool.ask(ControlRequest(.send, action: data(.add(3))))
    #expect(answer.problem == nil)
    #expect(answer.canSend && answer.lastCommit == 2)
    #expect(store.count == 5)
    recording.end()
    let lines = try folder.lines()
    guard case .begin(let begin) = lines[0] else { Issue.record("no beginning"); return }
    #expect(begin.control == folder.socket.path)
    let deeds = lines.compactMap { line -> RecordingLine.Tool? in
      if case .tool(let tool) = line { tool } else { nil }
    }
    #expect(deeds.map(\.did) == [.send])
    #expect(deeds.map(\.action) == [2])
    let file = try RecordingFile(contentsOf: folder.file)
    #expect(try file.replay { Counter() } == .agrees(commits: 2))
  }

  // V13
  @MainActor @Test func anEarlierStateComesBackAndNowAgain() async throws {
    let folder = TemporaryFolder()
    let store = makeStore()
    let recording = try record(store, folder)
    var commits: [Int] = []
    let subscription = store.subscribe { commits.append($0.newState.count) }
    for _ in 0..<3 { store.send(.add(1)) }
    let tool = try await Tool(folder.socket.path)
    var answer = try await tool.ask(ControlRequest(.jump, commit: 1))
    #expect(answer.problem == nil)
    #expect(answer.now == 3)
    #expect(store.count == 1)
    // The program goes on from there.
    store.send(.add(10))
    #expect(store.count == 11)
    answer = try await tool.ask(ControlRequest(.jump, commit: 0))
    #expect(store.count == 0 && answer.now == 3)
    answer = try await tool.ask(ControlRequest(.jump, commit: 3))
    #expect(store.count == 3 && answer.now == nil)
    #expect(commits == [1, 2, 3, 1, 11, 0, 3])
    recording.end()
    subscription.cancel()
    let file = try RecordingFile(contentsOf: folder.file)
    #expect(try file.replay { Counter() } == .agrees(commits: 7))
    // Another feature differs where it was reduced, and not where a state came back.
    let fork = try file.fork(at: 1) { Counter() }
    #expect(try fork.run(instead: .add(2)).meetsAgain == nil)
    #expect(try fork.run(instead: .add(1)).first == nil)
  }

  // V13
  @MainActor @Test func labelsOfHeldEffectsShowNothingThatWasKeptOut() async throws {
    let folder = TemporaryFolder()
    struct State { var word = "word-of-a-label" }
    let store = Store(initialState: State()) {
      Reduce<State, Int> { state, _ in .run(name: "say \(state.word)") { _ in } }
    }
    let recording = try store.record(
      to: folder.file, redacting: [.state(\.word)], control: .always(at: folder.socket))
    let tool = try await Tool(folder.socket.path)
    #expect(try await tool.ask(ControlRequest(.hold)).isHolding)
    let task = store.send(1)
    let answer = try await tool.ask(ControlRequest(.look))
    #expect(answer.held.map(\.label) == [#"run "say <redacted>""#])
    _ = try await tool.ask(ControlRequest(.release))
    await task.finish()
    recording.end()
  }

  // V13
  @MainActor @Test func effectsAreHeldAndLetGoOneByOne() async throws {
    let folder = TemporaryFolder()
    let store = makeStore()
    let recording = try record(store, folder)
    let tool = try await Tool(folder.socket.path)
    #expect(try await tool.ask(ControlRequest(.hold)).isHolding)
    let first = store.send(.ask)
    store.send(.add(1))
    let second = store.send(.ask)
    var answer = try await tool.ask(ControlRequest(.look))
    #expect(answer.held.map(\.label) == ["run \"fact\"", "run \"fact\""])
    #expect(store.fact == "?")
    let held = answer.held.map(\.effect)
    answer = try await tool.ask(ControlRequest(.letGo, effect: held[1]))
    #expect(answer.held.map(\.effect) == [held[0]])
    await second.finish()
    #expect(store.fact == "1 is a number")
    answer = try await tool.ask(ControlRequest(.letGo, effect: held[1]))
    #expect(answer.problem == "Effect \(held[1]) is not held any more.")
    answer = try await tool.ask(ControlRequest(.release))
    #expect(!answer.isHolding && answer.held.isEmpty)
    await first.finish()
    #expect(store.fact == "0 is a number")
    recording.end()
    let deeds = try folder.lines().compactMap { line -> RecordingLine.Tool.Deed? in
      if case .tool(let tool) = line { tool.did } else { nil }
    }
    #expect(deeds == [.hold, .letGo, .release])
  }

  // V13
  @MainActor @Test func theEndOfTheRecordingLetsEffectsGo() async throws {
    let folder = TemporaryFolder()
    let store = makeStore()
    let recording = try record(store, folder)
    let tool = try await Tool(folder.socket.path)
    _ = try await tool.ask(ControlRequest(.hold))
    let task = store.send(.ask)
    recording.end()
    await task.finish()
    #expect(store.fact == "0 is a number")
    let last = try await tool.line()
    #expect(last.isEmpty || String(decoding: last, as: UTF8.self).contains("ended"))
    #expect(!FileManager.default.fileExists(atPath: folder.socket.path))
  }

  // V13
  @MainActor @Test func whatOneOfTwoToolsHoldsIsHeldForTheOther() async throws {
    let (folder, other) = (TemporaryFolder(), TemporaryFolder())
    let store = makeStore()
    let recording = try record(store, folder)
    let second = try record(store, other)
    let tool = try await Tool(folder.socket.path)
    let otherTool = try await Tool(other.socket.path)
    _ = try await tool.ask(ControlRequest(.hold))
    let task = store.send(.ask)
    var answer = try await otherTool.ask(ControlRequest(.look))
    #expect(answer.isHolding && answer.held.count == 1)
    // The end of one recording lets nothing go that a tool of the other one sees.
    recording.end()
    answer = try await otherTool.ask(ControlRequest(.look))
    #expect(answer.isHolding && answer.held.count == 1)
    #expect(store.fact == "?")
    _ = try await otherTool.ask(ControlRequest(.release))
    await task.finish()
    #expect(store.fact == "0 is a number")
    second.end()
  }

  // V13
  @Test func aStoreActorIsActedOnOnItsActor() async throws {
    let folder = TemporaryFolder()
    let store = StoreActor(initialState: Counter.State()) { Counter() }
    let recording = try await store.record(to: folder.file, control: .always(at: folder.socket))
    let tool = try await Tool(folder.socket.path)
    _ = try await tool.ask(ControlRequest(.send, action: data(.add(4))))
    #expect(await store.count == 4)
    _ = try await tool.ask(ControlRequest(.jump, commit: 0))
    #expect(await store.count == 0)
    recording.end()
  }

  // V13
  @Test func clocksFallBehindWhileTheyAreSlow() {
    let time = LockIsolated(Duration.zero)
    let pace = ClockPace { time.value }
    time.setValue(.seconds(10))
    #expect(pace.lag == .zero)
    pace.rate = 0.5
    time.setValue(.seconds(20))
    #expect(pace.lag == .seconds(5))
    pace.rate = 0
    time.setValue(.seconds(30))
    #expect(pace.lag == .seconds(15))
    // They do not catch up.
    pace.rate = 1
    time.setValue(.seconds(90))
    #expect(pace.lag == .seconds(15))
    pace.rate = 2
    #expect(pace.rate == 1)
    pace.rate = -1
    #expect(pace.rate == 0)
  }

  // V13
  @MainActor @Test func aSleepTakesLongerWhereItsClockWasStopped() async throws {
    let time = LockIsolated(Duration.zero)
    let pace = ClockPace { time.value }
    let base = TestClock()
    let clock = ObservedClock(base: base, pace: pace)
    let isAwake = LockIsolated(false)
    let deadline = clock.now.advanced(by: .seconds(3))
    let task = Task {
      try await clock.sleep(until: deadline, tolerance: nil)
      isAwake.setValue(true)
    }
    await base.advance(by: .seconds(1))
    // The clock stands still for five seconds.
    pace.rate = 0
    time.setValue(.seconds(5))
    pace.rate = 1
    await base.advance(by: .seconds(5))
    #expect(!isAwake.value)
    await base.advance(by: .seconds(2))
    try await task.value
    #expect(isAwake.value)
  }

  // V13
  @MainActor @Test func theClocksOfAStoreGoByThePaceThatItsToolAsksFor() async throws {
    struct Waiting: Reducer {
      @Dependency(\.continuousClock) var clock
      func reduce(into state: inout Int, action: Int) -> Effect<Int> {
        state += action
        guard action == 1 else { return .none }
        return .run { send in
          try await clock.sleep(for: .milliseconds(1))
          await send(10)
        }
      }
    }
    let folder = TemporaryFolder()
    let store = withDependencies {
      $0.continuousClock = ContinuousClock()
    } operation: {
      Store(initialState: 0) { Waiting() }
    }
    let recording = try store.record(to: folder.file, control: .always(at: folder.socket))
    let tool = try await Tool(folder.socket.path)
    var answer = try await tool.ask(ControlRequest(.pace, rate: 0))
    #expect(answer.rate == 0)
    let task = store.send(1)
    answer = try await tool.ask(ControlRequest(.look))
    #expect(store.state == 1)
    answer = try await tool.ask(ControlRequest(.pace, rate: 1))
    await task.finish()
    #expect(store.state == 11)
    answer = try await tool.ask(ControlRequest(.pace, rate: 3))
    #expect(answer.problem == "Clocks can have a pace from 0 to 1.")
    recording.end()
  }

  // MARK: What cannot be done

  // V13
  @MainActor @Test func whatCannotBeDoneIsSaidInOneLine() async throws {
    let folder = TemporaryFolder()
    let store = makeStore()
    let recording = try record(store, folder)
    let tool = try await Tool(folder.socket.path)
    func problem(_ request: ControlRequest) async throws -> String? {
      try await tool.ask(request).problem
    }
    #expect(try await problem(ControlRequest(.jump, commit: 0)) == "Nothing has happened yet.")
    #expect(
      try await problem(ControlRequest(.jump, commit: 7))
        == "The state behind commit 7 is not kept: the last 1000 are.")
    #expect(try await problem(ControlRequest(.jump)) == "The request names no commit.")
    #expect(try await problem(ControlRequest(.send)) == "The request has no action.")
    #expect(
      try await problem(ControlRequest(.send, action: .string("x")))?
        .hasPrefix("The action cannot be read: ") == true)
    #expect(try await problem(ControlRequest(.letGo)) == "The request names no effect.")
    #expect(store.state == Counter.State())
    for text in ["{}", "[]", "no", "{\"deed\":\"format\"}", "\u{0}"] {
      #expect(
        try await tool.ask(Data(text.utf8)).problem
          == "The request is not understood; the page may be of another version of Rondo.")
    }
    recording.end()
  }

  // V13
  @MainActor @Test func anActionThatIsNotCodableIsNotSent() async throws {
    struct Plain: Reducer {
      enum Action { case tapped }
      func reduce(into state: inout Int, action: Action) -> Effect<Action> {
        state += 1
        return .none
      }
    }
    let folder = TemporaryFolder()
    let store = Store(initialState: 0) { Plain() }
    let recording = try store.record(to: folder.file, control: .always(at: folder.socket))
    store.send(.tapped)
    let tool = try await Tool(folder.socket.path)
    let answer = try await tool.ask(ControlRequest(.send, action: .string("tapped")))
    #expect(!answer.canSend)
    #expect(answer.problem?.hasSuffix("is not 'Codable', so no action can be sent.") == true)
    recording.end()
  }

  // MARK: Attacks

  // V13
  @MainActor @Test func theSocketIsForItsUserAlone() throws {
    let folder = TemporaryFolder()
    let recording = try record(makeStore(), folder)
    var status = stat()
    #expect(lstat(folder.socket.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(status.st_mode & S_IFMT == S_IFSOCK)
    #expect(status.st_uid == geteuid())
    recording.end()
  }

  private static let canBeAnother =
    geteuid() == 0
    && ["/usr/bin/setpriv", "/usr/bin/perl"].allSatisfy(FileManager.default.isExecutableFile)

  // V13
  @MainActor @Test(.enabled(if: canBeAnother, "It needs root, setpriv and perl."))
  func aProcessOfAnotherUserIsRefusedWhereItCanReachTheSocket() throws {
    let folder = TemporaryFolder()
    let recording = try record(makeStore(), folder)
    defer { recording.end() }
    #expect(chmod(folder.path, 0o755) == 0 && chmod(folder.socket.path, 0o777) == 0)

    func greeting(asUser user: Int) throws -> String {
      let program = """
        socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, pack_sockaddr_un($ARGV[0])) or die $!; print scalar(<$s>) // "refused"
        """
      return try ProgramRun(
        "/usr/bin/setpriv",
        ["--reuid=\(user)", "--clear-groups", "/usr/bin/perl", "-MSocket", "-e", program]
          + [folder.socket.path]
      ).output
    }
    #expect(try greeting(asUser: 0).hasPrefix("{"))
    #expect(try greeting(asUser: 65_534) == "refused")
  }

  // V13
  @MainActor @Test func aPlaceThatIsTakenIsRefused() throws {
    let folder = TemporaryFolder()
    func problem() -> String? {
      do {
        _ = try record(makeStore(), folder)
        return nil
      } catch {
        return "\(error)"
      }
    }
    let path = folder.socket.path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(problem() == "\(path) cannot be a control socket: it is a folder; name a file in it.")
    try FileManager.default.removeItem(atPath: path)
    try Data("mine".utf8).write(to: folder.socket)
    #expect(problem() == "\(path) cannot be a control socket: there is a file of that name.")
    #expect(try Data(contentsOf: folder.socket) == Data("mine".utf8))
    try FileManager.default.removeItem(atPath: path)
    // A link is not followed.
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.file.path)
    #expect(problem() == "\(path) cannot be a control socket: there is a file of that name.")
    try FileManager.default.removeItem(atPath: path)
    let first = try record(makeStore(), folder)
    let other = folder.file("b.jsonl")
    #expect(throws: RecordingError("\(path) cannot be a control socket: another program uses it."))
    {
      try makeStore().record(to: other, control: .always(at: folder.socket))
    }
    first.end()
    // Nothing was recorded where nobody may act on it.
    #expect(!FileManager.default.fileExists(atPath: other.path))
    let long = URL(filePath: "/tmp/" + String(repeating: "x", count: 200))
    #expect(throws: RecordingError.self) {
      try makeStore().record(to: other, control: .always(at: long))
    }
  }

  // V13
  @MainActor @Test func aSocketThatAProgramHasLeftIsReplaced() throws {
    let folder = TemporaryFolder()
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = try #require(sockaddr_un(path: folder.socket.path))
    #expect(address.withSocketAddress { bind(descriptor, $0, $1) } == 0)
    close(descriptor)
    try record(makeStore(), folder).end()
  }

  // V13
  @MainActor @Test func tooManyAndTooLongRequestsAreCutOff() async throws {
    let folder = TemporaryFolder()
    let store = makeStore()
    let recording = try record(store, folder)
    var tools: [Tool] = []
    for _ in 0..<ControlSocket.connectionLimit { tools.append(try await Tool(folder.socket.path)) }
    await #expect(throws: (any Error).self) { try await Tool(folder.socket.path) }
    tools.removeAll()
    // The thread of the socket has noticed by then that they are gone.
    var tool: Tool?
    for _ in 0..<10_000 where tool == nil {
      tool = try? await Tool(folder.socket.path)
      await Task.yield()
    }
    tool?.write(Data(repeating: UInt8(ascii: "x"), count: 1 << 18))
    let chunk = Data(repeating: UInt8(ascii: "x"), count: 1 << 18)
    for _ in 0..<8 {
      tool?.write(chunk)
      await Task.yield()
    }
    recording.end()
    store.send(.add(1))
    #expect(store.count == 1)
  }

  // V13
  @MainActor @Test func withoutControlThereIsNoSocket() throws {
    let folder = TemporaryFolder()
    let store = makeStore()
    let recording = try store.record(to: folder.file)
    #expect(recording.controlURL == nil)
    recording.end()
    guard case .begin(let begin) = try folder.lines()[0] else { return }
    #expect(begin.control == nil)
    let off = try store.record(to: folder.file, control: .inDebugBuilds)
    #if DEBUG
      #expect(off.controlURL != nil)
    #else
      #expect(off.controlURL == nil)
    #endif
    off.end()
  }

  #if DEBUG
    // V13
    @MainActor @Test func socketsOfKilledProgramsAreRemoved() throws {
      let folder = TemporaryFolder()
      let first = try makeStore().record(to: folder.file, control: .inDebugBuilds)
      let place = try #require(first.controlURL?.deletingLastPathComponent())
      first.end()
      // A program that has ended, and a socket that nobody listens on any more.
      let program = try Process.run(URL(filePath: "/bin/true"), arguments: [])
      program.waitUntilExit()
      let left = place.appending(path: "\(program.processIdentifier)-1.sock")
      var address = try #require(sockaddr_un(path: left.path))
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      try #require(address.withSocketAddress { bind(descriptor, $0, $1) } == 0)
      close(descriptor)
      let second = try makeStore().record(to: folder.file, control: .inDebugBuilds)
      #expect(!FileManager.default.fileExists(atPath: left.path))
      second.end()
    }
  #endif
}

extension TemporaryFolder {
  fileprivate var file: URL { file("a.jsonl") }
  fileprivate var socket: URL { file("s") }

  fileprivate func lines() throws -> [RecordingLine] {
    try RecordingFile(contentsOf: file).lines.map(\.line)
  }
}
