import Testing

@testable import HomeFeature

@Suite struct JSONParserTests {
  @Test func everyKindOfValueIsRead() throws {
    let value = try JSONParser.parse(
      Array(#" {"a": [1, -2.5e3, true, false, null, "x\n\"é😀"], "b": {}} "#.utf8)
    )
    #expect(
      value
        == .object([
          "a": .array([
            .number("1"), .number("-2.5e3"), .bool(true), .bool(false), .null, .string("x\n\"é😀"),
          ]),
          "b": .object([:]),
        ])
    )
  }

  @Test(arguments: [
    ("", 1, 1, "expected a value, found the end of the file"),
    ("{\"a\":\n  x}", 2, 3, "expected a value, found 'x'"),
    ("{\"a\": 1", 1, 8, "expected ',' or '}', found the end of the file"),
    ("{\"a\" 1}", 1, 6, "expected ':', found '1'"),
    ("{a: 1}", 1, 2, "expected a key, found 'a'"),
    ("[1,]", 1, 4, "expected a value, found ']'"),
    ("[1 2]", 1, 4, "expected ',' or ']', found '2'"),
    ("[1.]", 1, 4, "expected a digit, found ']'"),
    ("[01]", 1, 3, "expected ',' or ']', found '1'"),
    ("[\"ab", 1, 5, "the file ends inside a string"),
    ("[\"a\nb\"]", 1, 4, "expected '\"' before the control character 0x0a"),
    ("[\"\\x\"]", 1, 4, "expected an escape, found 'x'"),
    ("[\"\\ud800\"]", 1, 3, "half a surrogate pair"),
    ("[\"\\u00g0\"]", 1, 7, "expected a hexadecimal digit, found 'g'"),
    ("{\"a\":1,\n\"a\":2}", 2, 1, "the key \"a\" is there twice"),
    ("[] []", 1, 4, "expected the end of the file, found '['"),
    ("nul", 1, 4, "expected a value, found the end of the file"),
  ])
  func anErrorSaysWhereAndWhat(text: String, line: Int, column: Int, message: String) {
    #expect(throws: JSONSyntaxError(line: line, column: column, message: message)) {
      try JSONParser.parse(Array(text.utf8))
    }
  }

  @Test func aStringThatIsNotUTF8IsRefused() {
    #expect(throws: JSONSyntaxError(line: 1, column: 2, message: "the string is not UTF-8")) {
      try JSONParser.parse([0x5b, 0x22, 0xc3, 0x28, 0x22, 0x5d])
    }
  }

  @Test func bytesOutsideOfStringsAreNamed() {
    #expect(
      throws: JSONSyntaxError(line: 1, column: 1, message: "expected a value, found the byte 0xff")
    ) {
      try JSONParser.parse([0xff, 0xfe])
    }
  }

  @Test func nestingHasALimit() throws {
    let nested = { (depth: Int) in
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONParser.parse(nested(64))
    #expect(throws: JSONSyntaxError(line: 1, column: 65, message: "nested deeper than 64 levels")) {
      try JSONParser.parse(nested(100_000))
    }
  }

  @Test func whatIsQuotedStaysOnItsLine() {
    #expect(JSONText.quoted("a\"\\\n\u{1b}\u{2028}é") == #""a\"\\\n\u001b\u2028é""#)
  }
}
