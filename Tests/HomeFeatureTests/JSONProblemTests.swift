import Testing

@testable import RondoHomeFeature

/// The messages about documents that are not JSON. Documents of a wrong shape are in
/// ``GameCodingTests``.
@Suite struct JSONProblemTests {
  @Test(arguments: [
    ("", "line 1, column 1: Unexpected end of file during JSON parse"),
    ("{\"a\":\n  x}", "line 2, column 3: Invalid value"),
    ("{\"é\":x}", "line 1, column 7: Invalid value"),
    ("{\"a\": 1", "line 1, column 8: Unexpected end of file during JSON parse"),
    ("{\"a\" 1}", "line 1, column 6: Invalid value"),
    ("{a: 1}", "line 1, column 2: Invalid value"),
    ("[\"a\nb\"]", "line 1, column 4: Unescaped control character"),
    ("[] []", "line 1, column 4: Invalid value"),
  ])
  func anErrorOfSyntaxSaysWhereAndWhat(text: String, problem: String) {
    #expect(problemOf(Array(text.utf8)) == problem)
  }

  @Test func aStringThatIsNotUTF8IsRefused() {
    #expect(
      problemOf([0x5b, 0x22, 0xc3, 0x28, 0x22, 0x5d])
        == "line 1, column 3: Invalid UTF-8 sequence 2 bytes"
    )
  }

  @Test func nestingHasALimit() {
    let text = String(repeating: "[", count: 100_000)
    #expect(
      problemOf(Array(text.utf8))
        == "line 1, column 514: Too many nested arrays or dictionaries"
    )
  }

  @Test func whatIsQuotedStaysOnItsLine() {
    #expect(JSONText.quoted("a\"\\\n\u{1b}\u{2028}é") == #""a\"\\\n\u001b\u2028é""#)
  }

  private func problemOf(_ bytes: [UInt8]) -> String? {
    do {
      _ = try decodeJSON([String].self, from: bytes, dates: .deferredToDate)
      return nil
    } catch {
      return error.description
    }
  }
}
