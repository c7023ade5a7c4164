// Recordings in formats of other tools. What those make of them is tested in ExportTests of Python.

import Foundation
import RondoRecording
import Testing

@testable import RondoHistory
@testable import RondoInspection

// V17
@Suite struct ExportTests {
  /// A search that is cut off while a second one runs, which an answer has started.
  private func chain() -> RecordingText {
    var recording = searchRecording()
    let second = recording.start("suggest", kind: "debounce")
    let part = recording.start("ask", parent: second)
    recording.wait(0.5)
    recording.issue("It is \u{7}late\nindeed.")
    recording.end(part, .failed)
    return recording
  }

  private func object(_ text: String) throws -> [String: Any] {
    #expect(text.hasSuffix("\n") && text.dropLast().contains("\n") == false)
    return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func spans(_ recording: RecordingText) throws -> [[String: Any]] {
    let root = try object(try TelemetryExport(recording.history).text)
    let resources = try #require(root["resourceSpans"] as? [[String: Any]])
    let scopes = try #require(resources.first?["scopeSpans"] as? [[String: Any]])
    return try #require(scopes.first?["spans"] as? [[String: Any]])
  }

  private func names(_ values: Any?) -> [String] {
    (values as? [[String: Any]] ?? []).map { $0["name"] as? String ?? "" }
  }

  @Test func aSpanIsAnEffectInTheOneThatHasCausedIt() throws {
    let spans = try spans(chain())
    #expect(spans.map { $0["name"] as? String } == ["Search", "search", "suggest", "ask"])
    let ids = spans.map { $0["spanId"] as? String }
    #expect(Set(ids).count == 4 && ids.allSatisfy { $0?.count == 16 })
    let parents = spans.map { $0["parentSpanId"] as? String }
    #expect(parents == [nil, ids[0], ids[1], ids[2]])
    #expect(Set(spans.map { $0["traceId"] as? String }).count == 1)
    #expect((spans[0]["traceId"] as? String)?.count == 32)
  }

  @Test func anActionIsAnEventOfTheSpanThatHasSentIt() throws {
    let spans = try spans(chain())
    #expect(names(spans[0]["events"]) == ["queryChanged", "issue"])
    #expect(names(spans[1]["events"]) == ["waits", "resumes", "found"])
    let times = (spans[1]["events"] as? [[String: Any]] ?? []).map { $0["timeUnixNano"] as? String }
    #expect(times == ["1790000000000000000", "1790000000300000000", "1790000000400000000"])
  }

  @Test func aFailureIsAnErrorAndWhatStillRunsSaysSo() throws {
    let spans = try spans(chain())
    #expect((spans[3]["status"] as? [String: Any])?["code"] as? Int == 2)
    #expect(
      (spans[0]["status"] as? [String: Any])?["message"] as? String == "It is \u{7}late\nindeed.")
    #expect("\(spans[2]["attributes"] ?? "")".contains("still running"))
    #expect(spans[2]["endTimeUnixNano"] as? String == "1790000000900000000")
    #expect(!"\(spans[1]["attributes"] ?? "")".contains("still running"))
  }

  @Test(arguments: [-1.0, 18_446_744_074, 1e12])
  func aDateThatTheFormatCannotSayIsRefused(date: Double) throws {
    var file = try RecordingFile(Data(searchRecording().text.utf8))
    file.begin.date = date
    let history = History(file, name: "a.jsonl")
    #expect(throws: CommandFailure.self) { try TelemetryExport(history) }
    #expect(try ChromeTraceExport(history).text.isEmpty == false)
  }

  @Test func aTraceHasASpanForEveryEffectWithItsWaits() throws {
    let root = try object(try ChromeTraceExport(chain().history).text)
    let events = try #require(root["traceEvents"] as? [[String: Any]])
    func shown(_ id: String) -> [String] {
      events.filter { $0["id"] as? String == id }.map {
        "\($0["ph"] ?? "")\($0["ts"] ?? "") \($0["name"] ?? "")"
      }
    }
    #expect(
      shown("1") == ["b0 search", "b0 waits on a clock", "e300000 ", "e400000 search"])
    #expect(shown("2") == ["b400000 suggest"])
    let instants = events.filter { $0["ph"] as? String == "i" }
    #expect(
      instants.map { $0["name"] as? String } == [
        "queryChanged", "untagged", "found", ".default", "It is \u{7}late\nindeed.",
      ])
    let sender = (instants[2]["args"] as? [String: Any])?["sentBy"] as? String
    #expect(sender == "search")
  }

  @Test func aWaitThatACancellationEndsIsClosed() throws {
    var recording = RecordingText()
    recording.action(".start")
    let effect = recording.start("tick")
    recording.waits(effect, 1)
    recording.end(effect, .cancelled, by: .task)
    let text = try ChromeTraceExport(recording.history).text
    #expect(text.components(separatedBy: "\"ph\":\"b\"").count == 3)
    #expect(text.components(separatedBy: "\"ph\":\"e\"").count == 3)
    #expect(text.contains("cancelled by its task"))
  }

  @Test(arguments: [["export", "a"], ["export", "--otel", "--chrome-trace", "a"]])
  func oneFormatHasToBeNamed(arguments: [String]) {
    let result = InspectionCommand.run(arguments: arguments)
    #expect(result.status == .usage)
    #expect(result.problem == "'export' needs one format: --otel, or --chrome-trace")
  }

  @Test func theLargestTimesAreWritten() throws {
    let lines = searchRecording().cutOff.split(separator: "\n").map(String.init)
    let late = lines[0] + "\n{\"event\":\"issue\",\"at\":1e12,\"message\":\"late\"}\n"
    let history = History(try RecordingFile(Data(late.utf8)), name: "a.jsonl")
    #expect(try ChromeTraceExport(history).text.contains("1000000000000000000"))
    #expect(throws: CommandFailure.self) { try TelemetryExport(history) }
  }
}
