// The file of the page. What a browser shows of it is tested in InspectionPageTests.

import Foundation
import RondoRecording
import Testing

@testable import RondoInspection

@Suite struct PageTests {
  @Test func theRecordingCannotLeaveItsElement() throws {
    var recording = RecordingText(feature: "</script><script>alert(1)", state: "<b>{{page.js}}")
    recording.action(".<!--<script>")
    let page = try Page(recording.history).html
    #expect(!page.contains("</script><script>alert"))
    #expect(!page.contains("<!--"))
    #expect(page.contains("\\u003c!--\\u003cscript>"))
    #expect(page.contains("\\u003cb>{{page.js}}"))
    #expect(page.components(separatedBy: "<script").count == 3)
  }

  @Test func thePageHoldsEveryLineAsItWasRecorded() throws {
    let history = try searchRecording().history
    let page = Page(history).html
    let opening = "<script type=\"application/json\" id=\"recording\">"
    let start = try #require(page.range(of: opening)).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    struct Content: Decodable {
      var head: RecordingLine.Begin
      var events: [RecordingLine]
    }
    let content = try JSONDecoder().decode(Content.self, from: Data(page[start..<end].utf8))
    #expect(content.head == history.begin)
    #expect(content.events == history.file.lines.dropFirst().map(\.line))
  }

  @Test func theFormOfThePageIsWhole() throws {
    let page = try Page(searchRecording().history).html
    #expect(!page.contains("{{"))
    #expect(!page.contains("sha256-SCRIPT"))
    #expect(page.contains("default-src 'none'; script-src 'sha256-"))
    #expect(!page.contains("http://www.w3.org/1999"))
    #expect(!page.contains("src="))
  }
}
