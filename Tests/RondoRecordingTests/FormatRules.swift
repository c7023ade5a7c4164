// V3: the format.

import Foundation
import RondoScheduling
import Rondo
import RondoCompatibility
import RondoSeededRandomness
import Testing

@testable import RondoRecording

@MainActor @Suite struct FormatRules {
  private let file = TemporaryFile()

  private func recorded() throws -> Data {
    let timeline = TestTimeline()
    let store = Store(initialState: Desk.State()) { Desk(timeline: timeline) }
    let recording = try store.record(to: file.url, clock: timeline.clock)
    store.send(.insert("a", at: 0))
    store.send(.sendTwo(1), animation: .default)
    store.send(.debounce(2))
    timeline.advance(by: .seconds(1))
    recording.end()
    return try Data(contentsOf: file.url)
  }

  // V3
  @Test func V3_aRecordingIsReadableWhereverItIsCutOff() throws {
    let whole = try recorded()
    let lines = try RecordingFile(whole).lines.count
    let firstLine = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
    // By default every thirteenth byte, which is each place of a line in the end.
    for end in stride(from: firstLine + 1, to: whole.count, by: Soak.isOn ? 1 : 13) {
      let part = try RecordingFile(whole.prefix(end))
      let newlines = whole.prefix(end).count { $0 == UInt8(ascii: "\n") }
      #expect(part.lines.count == newlines)
      #expect(!part.isWhole)
    }
    #expect(try RecordingFile(whole).isWhole)
    #expect(lines > 10)
  }

  // V3
  @Test func V3_keysAreToldFromEachOtherWhole() {
    struct Query: Hashable { var text: String }
    let long = String(repeating: "https://example.com/", count: 10)
    func differ(_ one: Any, _ other: Any) -> Bool {
      RecordedNode(of: one).digest != RecordedNode(of: other).digest
    }
    #expect(differ([long + "a": 1], [long + "b": 1]))
    #expect(differ([URL(string: long + "a")!: 1], [URL(string: long + "b")!: 1]))
    #expect(differ([Query(text: long + "a"): 1], [Query(text: long + "b"): 1]))
    #expect(differ(["first\na": 1], ["first\nb": 1]))
    #expect(differ([Data([1]): 1], [Data([2]): 1]))
    #expect(
      RecordedNode(of: [Data([1]): 1]).children.map(\.name) == ["1 bytes, digest af63bc4c8601b62c"])
  }

  // V3
  @Test func V3_theOrderOfEntriesAndElementsIsThatOfWhatTheyAre() {
    let long = String(repeating: "https://example.com/", count: 10)
    let data = (0..<8).map { Data([$0, 1, 2]) }
    let texts = (0..<8).map { long + "\($0)" }
    let secrets = (0..<8).map { Redacted("secret \($0)") }
    func digests(_ capacity: Int) -> [String] {
      // The order of a dictionary, and of a set, depends on the room that it has.
      var (bytes, names, hidden) = (Set<Data>(), Set<String>(), [Redacted<String>: Int]())
      var values: [Data: Int] = [:]
      bytes.reserveCapacity(capacity)
      names.reserveCapacity(capacity)
      hidden.reserveCapacity(capacity)
      values.reserveCapacity(capacity)
      for index in 0..<8 {
        bytes.insert(data[index])
        names.insert(texts[index])
        hidden[secrets[index]] = index
        values[data[index]] = index
      }
      return [bytes as Any, names, hidden, values].map { RecordedNode(of: $0).digest }
    }
    let first = digests(8)
    for power in 4...12 { #expect(digests(1 << power) == first) }
  }

  // V3
  @Test func V3_everyLineHasTheTextThatAnEncoderMakes() throws {
    let texts = String(decoding: try recorded(), as: UTF8.self).split(separator: "\n")
    for text in texts { #expect(try inOrder(text) == text) }
    let writer = try RecordingWriter(file.url)
    let others: [RecordingLine] = [
      .issue(.init(at: 1.5, message: "a\u{1}\t\"\\/ü\u{2028}\r\n\u{8}\u{c}", place: "x")),
      .effectEnded(.init(at: 2, effect: 3, how: .cancelled, by: .scope(action: 1))),
      .effectEnded(.init(at: 2, effect: 3, how: .cancelled, by: .host)),
      .effectEnded(.init(at: 2, effect: 3, how: .cancelled, by: .effect(4))),
      .frame(
        .init(
          at: 3, columns: 2, rows: 1, cells: [.init(row: 0, column: 0, text: "界", isWide: true)])),
      .drawn(.init(at: 3, uuid: "9BC7", number: 2, effect: 1)),
      .drawn(.init(at: 3, date: 1_790_000_000.25)),
      .drawn(.init(at: 3, endpoint: "Client.load", effect: 2)),
      .effectStarted(
        .init(
          at: 3, effect: 4, kind: "run", label: "run", after: 3,
          steps: [.init(of: 1, step: 2), .init(of: 3, step: 1)])),
      .advance(.init(at: 1e-6, by: 12.000001)), .receive(.init(at: 3, action: 12)),
      .unknown(event: "party"),
    ]
    for line in others { writer.write(line) }
    let lines = file.text.split(separator: "\n")
    #expect(lines.count == others.count)
    for text in lines { #expect(try inOrder(text) == text) }
  }

  // V3
  @Test(arguments: [
    ("", "The recording is empty."),
    (
      "{\"recording\":2",
      "Line 1: the recording was cut off in its first line, so that nothing can be read."
    ),
    ("nonsense", "Line 1: this is not the beginning of a recording."),
    ("{\"recording\":2]\n", "Line 1: this is not JSON."),
    ("nonsense\n", "Line 1: this is not the beginning of a recording."),
    ("{\"event\":\"end\"}\n", "Line 1: this is not the beginning of a recording."),
    (
      "{\"recording\":3}\n",
      "The recording has version 3 of the format, and only version 2 can be read. Use a newer "
        + "version of Rondo."
    ),
    (
      "{\"recording\":1}\n",
      "The recording has version 1 of the format, and only version 2 can be read. Make the "
        + "recording again."
    ),
    ("{\"recording\":2}\n", "Line 1: 'host' is missing."),
  ])
  func V3_aTextThatIsNoRecordingIsNamed(text: String, problem: String) {
    #expect(throws: RecordingError(problem)) { try RecordingFile(Data(text.utf8)) }
  }

  // V3
  @Test(arguments: [
    ("nonsense", "Line 2: this is not JSON."),
    ("{}", "Line 2: 'event' is missing."),
    ("{\"event\":\"issue\",\"at\":1}", "Line 2: 'message' is missing."),
    (
      "{\"event\":\"issue\",\"at\":\"now\",\"message\":\"m\"}",
      "Line 2: the value at at has another type than is expected."
    ),
    ("", "Line 2: the line is empty."),
    ("\r", "Line 2: the line is empty."),
    (
      "{\"event\":\"emission\",\"at\":0,\"effect\":9223372036854775808}",
      "Line 2: the number 9223372036854775808 at effect is not whole, or too large."
    ),
    (
      "{\"event\":\"emission\",\"at\":0,\"effect\":0.5}",
      "Line 2: the number 0.5 at effect is not whole, or too large."
    ),
    (
      "{\"event\":\"action\",\"data\":[1e400]}", "Line 2: the number 1e400 is too large."
    ),
    (
      "{\"event\":\"action\",\"data\":"
        + String(repeating: "[", count: 513) + String(repeating: "]", count: 513) + "}",
      "Line 2: its values are more than 512 levels deep."
    ),
    (
      "{\"event\":\"end\",\"at\":0,\"events\":[1]}",
      "Line 2: the value at events has another type than is expected."
    ),
    ("{\"event\":\"issue\",\"at\":1e400}", "Line 2: the number 1e400 is too large."),
    ("{\"event\":\"1e400\",\"at\":}", "Line 2: this is not JSON."),
  ])
  func V3_aDamagedLineIsNamed(line: String, problem: String) throws {
    var lines = String(decoding: try recorded(), as: UTF8.self).split(separator: "\n")
    lines[1] = line[...]
    let data = Data((lines.joined(separator: "\n") + "\n").utf8)
    #expect(throws: RecordingError(problem)) { try RecordingFile(data) }
  }

  // V3
  @Test func V3_anEmptyLineBehindTheEndIsNamed() throws {
    let whole = try recorded()
    let number = whole.count { $0 == UInt8(ascii: "\n") } + 1
    for line in ["\n", "\r\n", "\n\n"] {
      #expect(throws: RecordingError("Line \(number): the line is empty.")) {
        try RecordingFile(whole + Data(line.utf8))
      }
    }
    #expect(
      throws: RecordingError("Line \(number): there is more behind the end of the recording.")
    ) {
      try RecordingFile(whole + Data("{}\n".utf8))
    }
  }

  // V3
  @Test func V3_linesMayEndAsOnWindowsAndBeginWithAMark() throws {
    let text = String(decoding: try recorded(), as: UTF8.self)
    let data = Data("\u{feff}\(text.replacing("\n", with: "\r\n"))".utf8)
    let (copy, whole) = (try RecordingFile(data), try RecordingFile(Data(text.utf8)))
    #expect(copy.isWhole)
    #expect(copy.lines.map(\.line) == whole.lines.map(\.line))
  }

  // V3
  @Test func V3_anUnknownEventIsSkippedWithANote() throws {
    var lines = String(decoding: try recorded(), as: UTF8.self).split(separator: "\n")
    lines.insert("{\"event\":\"party\",\"at\":0}", at: 1)
    let end = RecordingLine.End(at: 1, events: lines.count - 2)
    lines[lines.count - 1] = Substring(String(decoding: LineText(.end(end)).bytes, as: UTF8.self))
    let recording = try RecordingFile(Data(lines.joined(separator: "\n").utf8))
    #expect(recording.notes == ["Events of the unknown kind 'party' were skipped."])
    #expect(recording.lines.count == lines.count - 1)
  }

  // V2
  @Test @MainActor func V2_anAnswerThatIsDroppedAtTheEndCanBeRead() async throws {
    let file = TemporaryFile()
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action
        guard action == 1 else { return .none }
        return .run { send in await send(2) }.prefix(1).filter { _ in false }
      }
    }
    let recording = try store.record(to: file.url)
    await store.send(1).finish()
    recording.end()
    #expect(try RecordingFile(contentsOf: file.url).isWhole)
  }

  // V2
  @Test @MainActor func V2_actionsThatWaitWhenARecordingBeginsCanBeRead() throws {
    let file = TemporaryFile()
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action; return .none
      }
    }
    var recording: Recording?
    let subscription = store.subscribe { _ in
      guard recording == nil else { return }
      store.send(2)
      recording = try? store.record(to: file.url)
      store.send(3)
    }
    store.send(1)
    recording?.end()
    subscription.cancel()
    let whole = try RecordingFile(contentsOf: file.url)
    #expect(whole.isWhole)
    #expect(store.state == 6)
  }

  // V3
  @Test func V3_whatWasExpectedAndFoundIsNamed() throws {
    let advice = "; lines are missing, repeated or out of order."
    let start = RecordingLine.EffectStart(at: 1, effect: 1, kind: "run", label: "a")
    func action(_ number: Int) -> RecordingLine {
      .action(.init(at: 0, action: number, case: "a", name: ".a", value: RecordedNode(".a")))
    }
    let commit = RecordingLine.Commit(
      at: 1, commit: 2, actions: [], transaction: .init(name: "untagged", tagged: false),
      changes: [], digest: "")
    let cases: [([RecordingLine], String)] = [
      ([.commit(commit)], "Line 2: expected commit 1, found commit 2\(advice)"),
      (
        [.effectStarted(start), .effectResumed(.init(at: 0, effect: 1))],
        "Line 3: expected a time of 1.0 s or later, found 0.0 s\(advice)"
      ),
      (
        [action(0)], "Line 2: expected an action with a number from 1 on, found action 0\(advice)"
      ),
      (
        [action(.min)],
        "Line 2: expected an action with a number from 1 on, found action \(Int.min)\(advice)"
      ),
      (
        [.effectStarted(.init(at: 1, effect: .min, kind: "run", label: "a"))],
        "Line 2: expected an effect with a number from 1 on, found effect \(Int.min)\(advice)"
      ),
      (
        [action(2), .receive(.init(at: 1, action: -1))],
        "Line 3: expected an action up to 2, found action -1\(advice)"
      ),
      (
        [.effectWaits(.init(at: 0, effect: 7, on: .clock))],
        "Line 2: expected an effect in flight, found effect 7\(advice)"
      ),
      (
        [.effectStarted(.init(at: 1, effect: 1, kind: "run", label: "a", parent: 1))],
        "Line 2: expected an effect that has started, found effect 1\(advice)"
      ),
      (
        [.effectStarted(.init(at: 1, effect: 1, kind: "run", label: "a", after: 1))],
        "Line 2: expected an effect that has started, found effect 1\(advice)"
      ),
      (
        [
          .effectStarted(
            .init(
              at: 1, effect: 1, kind: "run", label: "a",
              steps: [.init(of: 1, step: 1), .init(of: .min, step: 1)]))
        ],
        "Line 2: expected steps with numbers from 1 on, found step 1 of \(Int.min)\(advice)"
      ),
      (
        [.effectStarted(start), .end(.init(at: 1, events: 3))],
        "Line 3: expected 1 events, as many as there are, found 3; lines are missing or repeated."
      ),
    ]
    let begin = RecordingLine.begin(try RecordingFile(try recorded()).begin)
    for (lines, problem) in cases {
      #expect(throws: RecordingError(problem)) { try read([begin] + lines) }
    }
  }

  /// Programs reckon with times in microseconds, and with durations.
  // V3
  @Test func V3_aTimeThatNobodyCanReckonWithIsRefused() throws {
    let begin = try RecordingFile(try recorded()).begin
    let start = RecordingLine.effectStarted(.init(at: 0, effect: 1, kind: "run", label: "a"))
    func commit(at: Double = 0, _ duration: Double? = nil) -> RecordingLine {
      let animation = RecordedTransaction.Animation(
        curve: ".odd", duration: duration, samples: [0, 1])
      return .commit(
        .init(
          at: at, commit: 1, actions: [],
          transaction: .init(name: ".odd", tagged: true, animation: animation), changes: [],
          digest: ""))
    }
    func resumed(since: Double) -> RecordingLine {
      .effectResumed(.init(at: 0, effect: 1, since: since))
    }
    func waits(_ change: (inout RecordingLine.EffectWait) -> Void) -> RecordingLine {
      var wait = RecordingLine.EffectWait(at: 0, effect: 1, on: .clock)
      change(&wait)
      return .effectWaits(wait)
    }
    for odd in [1e300, 1.000001e12, .infinity, .nan] {
      let lines: [(RecordingLine, key: String)] = [
        (commit(at: odd), "at"), (commit(odd), "duration"),
        (.issue(.init(at: odd, message: "")), "at"),
        (.advance(.init(at: 0, by: odd)), "by"), (.advance(.init(at: 0, by: -odd)), "by"),
        (.drawn(.init(at: 0, date: -odd)), "date"), (resumed(since: -odd), "since"),
        (waits { $0.since = odd }, "since"), (waits { $0.duration = odd }, "for"),
        (waits { $0.until = odd }, "until"), (.end(.init(at: odd, events: 1)), "at"),
      ]
      for (line, key) in lines {
        let error = #expect(throws: RecordingError.self) { try read([.begin(begin), start, line]) }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("Line 3: the number "), "\(text)")
        #expect(text.hasSuffix(" at \(key) is not finite, or too large."), "\(text)")
      }
      var oddBegin = begin
      oddBegin.date = odd
      #expect(
        throws: RecordingError("Line 1: the number \(odd) at date is not finite, or too large.")
      ) { try read([.begin(oddBegin)]) }
    }
    #expect(try read([.begin(begin), start, commit(at: 1e12, 1e12)]).lines.count == 3)
  }

  private func read(_ lines: [RecordingLine]) throws -> RecordingFile {
    try RecordingFile(Data(lines.flatMap { LineText($0).bytes }))
  }

  // V3
  @Test func V3_aMissingOrRepeatedLineIsFound() throws {
    let lines = String(decoding: try recorded(), as: UTF8.self).split(separator: "\n")
    for index in lines.indices.dropFirst().dropLast() {
      for count in [0, 2] {
        var damaged = lines
        damaged.replaceSubrange(
          index...index, with: Array(repeating: lines[index], count: count))
        let data = Data((damaged.joined(separator: "\n") + "\n").utf8)
        let error = #expect(throws: RecordingError.self) { try RecordingFile(data) }
        let match = error?.description.wholeMatch(
          of: /Line ([0-9]+): expected .+, found .+; lines are missing.+\./)
        let line = match.flatMap { Int($0.1) } ?? 0
        #expect(line > index, "\(error?.description ?? "")")
      }
    }
  }

  // V3
  @Test func V3_anotherOrderOfActionsAndCommitsIsFound() throws {
    let lines = String(decoding: try recorded(), as: UTF8.self).split(separator: "\n")
    func isOrdered(_ line: Substring) -> Bool {
      line.contains("\"event\":\"action\"") || line.contains("\"event\":\"commit\"")
    }
    var count = 0
    for index in lines.indices.dropFirst().dropLast() where isOrdered(lines[index]) {
      guard isOrdered(lines[index - 1]) else { continue }
      var damaged = lines
      damaged.swapAt(index, index - 1)
      let data = Data((damaged.joined(separator: "\n") + "\n").utf8)
      #expect(throws: RecordingError.self) { try RecordingFile(data) }
      count += 1
    }
    #expect(count > 2)
  }

  // V3
  @Test func V3_anyDamageIsSaidInOneLineThatNamesIt() throws {
    let whole = try recorded()
    check(count: 100) { random in
      let place = random.int(in: 0..<whole.count)
      var bytes = whole
      switch random.int(in: 0..<3) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(bytes[place], at: place)
      default: bytes[place] ^= 1 << UInt8(random.int(in: 0..<8))
      }
      let line = whole.prefix(place).count { $0 == UInt8(ascii: "\n") } + 1
      do {
        _ = try RecordingFile(bytes)
        return nil
      } catch {
        let text = "\(error)"
        if text.hasPrefix("The recording has version ") { return nil }
        guard let match = text.wholeMatch(of: /Line ([0-9]+): [^\n\r]+\./),
          let named = Int(match.1)
        else { return text }
        return named >= line ? nil : "Line \(line) was damaged at byte \(place): \(text)"
      }
    }
  }

  // V3
  @Test func V3_noDamageCrashesAReader() throws {
    let whole = try recorded()
    forEachSeed(100) { random in
      var bytes = whole
      for _ in 0...3 {
        bytes[random.int(in: 0..<bytes.count)] = UInt8.random(in: 0...255, using: &random)
      }
      if let recording = try? RecordingFile(bytes) {
        _ = try? recording.replay { Desk(timeline: TestTimeline()) }
        _ = recording.trees
      }
    }
  }

  // V3
  @Test func V3_changesLeadFromAnyTreeToAnyOther() {
    check { random in
      let (old, new) = (RecordedNode.random(&random), RecordedNode.random(&random))
      let changes = old.changes(to: new)
      guard old.applying(changes) == new else { return "\(old)\n\(new)\n\(changes)" }
      return changes.isEmpty == (old == new) ? nil : "There are changes between equal trees."
    }
  }

  // V3
  @Test func V3_theDigestTellsTreesApart() {
    let leaf = RecordedNode("1")
    let trees = [
      leaf, RecordedNode("2"), .redacted, RecordedNode(""),
      RecordedNode(kind: .tuple, children: []), RecordedNode(kind: .collection, children: []),
      RecordedNode(type: "A", kind: .struct, children: []),
      RecordedNode(type: "A", kind: .struct, children: [.init("a", leaf)]),
      RecordedNode(type: "A", kind: .struct, children: [.init("b", leaf)]),
      RecordedNode(type: "A", kind: .enum, case: "a", children: [.init("b", leaf)]),
    ]
    #expect(Set(trees.map(\.digest)).count == trees.count)
    #expect(RecordedNode("1").digest.count == 16)
  }

  // V3
  @Test func V3_anyValueHasATree() {
    final class Link {
      var next: Link?
      let name = "a\nb"
    }
    let link = Link()
    link.next = link
    defer { link.next = nil }
    let tree = RecordedNode(of: (1, label: [Desk.Selection.score(name: "a", value: 2)], link))
    #expect(tree.kind == .tuple)
    #expect(tree["0"] == RecordedNode("1"))
    #expect(tree["label"]?["0"]?.case == "score")
    #expect(tree["label"]?["0"]?.type == "Desk.Selection")
    #expect(tree["label"]?["0"]?["value"] == RecordedNode("2"))
    #expect(tree["2"]?.kind == .class)
    #expect(tree["2"]?["name"] == RecordedNode(#""a\nb""#))
    #expect(tree["2"]?["next"]?.value?.hasSuffix("(as above)") == true)
  }

  // V3
  @Test func V3_aDeepValueIsCutOff() {
    indirect enum Deep {
      case end
      case more(Deep)
    }
    var deep = Deep.end
    for _ in 0..<1_000 { deep = .more(deep) }
    #expect(RecordedNode(of: deep).summary(limit: 10_000).contains("…"))
  }

  // V3
  @Test func V3_aValueThatIsTooDeepHasNoData() throws {
    let store = Store(initialState: Deep.end) {
      Reduce<Deep, Int> { state, depth in
        state = .nested(depth)
        return .none
      }
    }
    let recording = try store.record(to: file.url)
    store.send(60)
    recording.end()
    let lines = try RecordingFile(contentsOf: file.url)
    #expect(lines.begin.data != nil)

    let deep = Store(initialState: Deep.nested(10_000)) { Reduce<Deep, Int> { _, _ in .none } }
    try deep.record(to: file.url).end()
    let copy = try RecordingFile(contentsOf: file.url)
    #expect(copy.begin.data == nil)
    let problem = """
      Line 1: The initial state was not recorded as data, so the recording cannot be run again. Its \
      type has to be 'Codable', nothing of it may be redacted, and it may be 64 levels deep at most.
      """
    #expect(throws: RecordingError(problem)) {
      _ = try copy.replay { Reduce<Deep, Int> { _, _ in .none } }
    }
  }

  // V3
  @Test func V3_aLimitOfTheSizeOfFilesEndsTheRecordingAlone() throws {
    let writer = try RecordingWriter(file.url, sizeLimit: 1_000)
    var failure: RecordingError?
    for _ in 1...100 where failure == nil {
      failure = writer.write(.issue(.init(at: 0, message: "a", place: "b")))
    }
    #expect(failure?.description.contains("cannot be written to: File too large.") == true)
    #expect(!writer.isOpen)
    #expect((900...1_000).contains(file.text.utf8.count) && file.text.hasSuffix("}\n"))
  }

  // V3
  @Test func V3_theDeepestDataIsReadAndDecoded() throws {
    let begin = String(decoding: try recorded(), as: UTF8.self).split(separator: "\n")[0]
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let data =
        String(repeating: open, count: 500) + "1" + String(repeating: close, count: 500)
      let action =
        "{\"event\":\"action\",\"at\":0,\"action\":1,\"case\":\"a\",\"name\":\"a\",\"value\":"
        + "{\"value\":\".a\"},\"data\":\(data)}"
      let file = try RecordingFile(Data("\(begin)\n\(action)\n".utf8))
      let read = try #require(file.actions.first?.data)
      #expect(try read.decoded(as: RecordedData.self) == read)
    }
  }

  // V2
  @Test(arguments: ["\"party\"", "\"a\\nb\""])
  func V2_anUnknownCauseIsRefused(word: String) throws {
    let lines: [Substring] = [
      String(decoding: try recorded(), as: UTF8.self).split(separator: "\n")[0],
      "{\"event\":\"effectStarted\",\"at\":0,\"effect\":1,\"kind\":\"run\",\"label\":\"a\",\"ids\":[]}",
      "{\"event\":\"effectEnded\",\"at\":0,\"effect\":1,\"how\":\"cancelled\",\"by\":\(word)}",
    ]
    let name = word.dropFirst().dropLast().replacing("\\n", with: " ")
    #expect(
      throws: RecordingError("Line 3: the cause '\(name)' at by is not known.")
    ) { try RecordingFile(Data((lines.joined(separator: "\n") + "\n").utf8)) }
  }

  // V3
  @Test func V3_changesOfManyPartsFindTheirPlaces() {
    let count = 2_000
    func list(_ texts: [String]) -> RecordedNode {
      RecordedNode(
        kind: .collection,
        children: texts.enumerated().map { RecordedNode.Child("\($0)", RecordedNode($1)) })
    }
    func set(_ texts: [String]) -> RecordedNode {
      RecordedNode(kind: .set, children: texts.map { RecordedNode.Child($0, RecordedNode($0)) })
    }
    let changes = (0..<count).map { index in
      RecordedChange(path: ["\(index)"], old: RecordedNode("a"), new: RecordedNode("b"))
    }
    let node = list(Array(repeating: "a", count: count)).applying(changes)
    #expect(node == list(Array(repeating: "b", count: count)))
    // Keys are in the order of their texts, or of their numbers.
    for keys in [(0..<count).map { "#\($0)" }, (0..<count).map { "\"\(100_000 + $0)\"" }] {
      let emptied = set(keys).applying(
        keys.reversed().map { RecordedChange(path: [$0], old: RecordedNode($0)) })
      #expect(emptied.children.isEmpty)
    }
  }

  // V10
  @Test func V10_framesAreInTheRecording() throws {
    let timeline = TestTimeline()
    let store = Store(initialState: 0) { Reduce<Int, Int> { _, _ in .none } }
    let recording = try store.record(to: file.url, clock: timeline.clock)
    timeline.advance(by: .milliseconds(250))
    let cells = [
      RecordingLine.Frame.Run(row: 1, column: 2, text: "hi", foreground: "#ff0000"),
      RecordingLine.Frame.Run(row: 1, column: 4, text: "界", isWide: true),
    ]
    recording.addFrame(columns: 80, rows: 24, cells: cells)
    recording.end()
    let frame = RecordingLine.Frame(at: 0.25, columns: 80, rows: 24, cells: cells)
    #expect(try RecordingFile(contentsOf: file.url).lines[1].line == .frame(frame))
  }

  // MARK: Files

  // V1
  @Test func V1_aRecordingEndsWhenItIsReleased() throws {
    let store = Store(initialState: 0) { Reduce<Int, Int> { _, _ in .none } }
    do {
      let recording = try store.record(to: file.url)
      store.send(1)
      withExtendedLifetime(recording) {}
    }
    #expect(try RecordingFile(contentsOf: file.url).isWhole)
  }

  // V1
  @Test func V1_aFileThatCannotBeMadeIsOneLine() throws {
    let store = Store(initialState: 0) { Reduce<Int, Int> { _, _ in .none } }
    let problem = RecordingError("/nowhere/x cannot be written to: No such file or directory.")
    #expect(throws: problem) { try store.record(to: URL(filePath: "/nowhere/x")) }
  }

  // V1
  @Test func V1_aPipeThatNobodyReadsIsRefused() throws {
    #expect(mkfifo(file.url.path, 0o600) == 0)
    let store = Store(initialState: 0) { Reduce<Int, Int> { _, _ in .none } }
    let problem = RecordingError(
      "\(file.url.path) cannot be written to: nobody reads from it; start what reads from it first."
    )
    #expect(throws: problem) { try store.record(to: file.url) }
  }

  // V1
  @Test func V1_aPipeWhoseReaderLeavesGivesTheRecordingUpAndNotTheProgram() throws {
    #expect(mkfifo(file.url.path, 0o600) == 0)
    let reader = open(file.url.path, O_RDONLY | O_NONBLOCK)
    let store = Store(initialState: 0) {
      Reduce<Int, Int> {
        $0 += $1; return .none
      }
    }
    var recording: Recording?
    let issues = try captureIssues {
      recording = try store.record(to: file.url)
      close(reader)
      store.send(1)
      store.send(2)
      recording?.end()
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("cannot be written to: Broken pipe. ") == true)
    #expect(recording?.failure != nil)
    #expect(store.state == 3)
  }

  // V1
  @Test func V1_aFileTakesOneRecordingAtATime() throws {
    let store = Store(initialState: 0) { Reduce<Int, Int> { _, _ in .none } }
    let first = try store.record(to: file.url)
    let problem = RecordingError(
      "\(file.url.path) is being written to by another recording. End that one first, or name "
        + "another file.")
    #expect(throws: problem) { try store.record(to: file.url) }
    first.end()
    try store.record(to: file.url).end()
    #expect(try RecordingFile(contentsOf: file.url).isWhole)
  }

  // V1
  @Test func V1_aProcessThatIsBeginningDoesNotKeepTheFile() throws {
    let store = Store(initialState: 0) { Reduce<Int, Int> { _, _ in .none } }
    let recording = try store.record(to: file.url)
    // Such a process has a copy of each descriptor until it runs its program.
    let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .filter {
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\($0)")
        return target == file.url.path
      }
      .compactMap { Int32($0).map { dup($0) } }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    recording.end()
    try store.record(to: file.url).end()
  }

  // V1
  @Test func V1_aURLThatIsNoFileIsRefused() throws {
    let store = Store(initialState: 0) { Reduce<Int, Int> { _, _ in .none } }
    let url = try #require(URL(string: "https://example.com/x"))
    let problem = RecordingError(
      "https://example.com/x is not the URL of a file. Make one by URL(filePath:).")
    #expect(throws: problem) { try store.record(to: url) }
  }

  // V1
  @Test func V1_aFullDiskGivesTheRecordingUpAndNotTheStore() throws {
    let store = Store(initialState: 0) {
      Reduce<Int, Int> {
        $0 += $1; return .none
      }
    }
    var recording: Recording?
    let issues = try captureIssues {
      recording = try store.record(to: URL(filePath: "/dev/full"))
      store.send(1)
      store.send(2)
      recording?.end()
    }
    let problem =
      "/dev/full cannot be written to: No space left on device. The recording was given up, and has "
      + "0 bytes of whole lines, which can be read."
    #expect(issues.map(\.message) == [problem])
    #expect("\(issues[0].position)".hasPrefix("RondoRecordingTests/FormatRules.swift:"))
    #expect(recording?.failure?.description == problem)
    #expect(store.state == 3)
  }

  // V1
  @Test func V1_aPartOfAStoreIsNotRecorded() throws {
    let store = Store(initialState: Desk.State()) { Desk(timeline: TestTimeline()) }
    let part = store.scope(state: \.count) { (number: Int) in Desk.Action.add(number) }
    #expect(throws: RecordingError.self) { try part.record(to: file.url) }
    #expect(!FileManager.default.fileExists(atPath: file.url.path))
  }

  // V1
  @Test func V1_aStateOfAnyTypeIsRecorded() throws {
    struct Odd {
      let closure: @Sendable () -> Void = {}
      var count = 0
    }
    let store = Store(initialState: Odd()) {
      Reduce<Odd, Int> {
        $0.count += $1; return .none
      }
    }
    let recording = try store.record(to: file.url)
    store.send(2)
    recording.end()
    let lines = try RecordingFile(contentsOf: file.url)
    #expect(lines.begin.data == nil)
    #expect(lines.trees.last?["count"] == RecordedNode("2"))
  }
}

/// A value of as many levels as wanted.
private indirect enum Deep: Codable, Sendable {
  case end
  case more(Deep)

  static func nested(_ depth: Int) -> Deep {
    (0..<depth).reduce(.end) { deep, _ in .more(deep) }
  }
}

extension RecordedNode {
  static func random(_ random: inout Randomness, depth: Int = 0) -> RecordedNode {
    guard depth < 3, random.int(in: 0..<4) > 0 else {
      return random.int(in: 0..<8) == 0 ? .redacted : RecordedNode("\(random.int(in: 0..<3))")
    }
    let kinds: [Kind] = [.struct, .dictionary, .set, .collection, .enum]
    let kind = kinds[random.int(in: 0..<kinds.count)]
    var names = ["a", "b", "c", "d", "e"].filter { _ in random.bool() }
    if random.int(in: 0..<5) == 0 { names.shuffle(using: &random) }
    return RecordedNode(
      type: random.bool() ? "T" : "U", kind: kind, case: kind == .enum ? "c" : nil,
      children: names.map { Child($0, .random(&random, depth: depth + 1)) })
  }
}
