// Rows and columns that share a room.

import RondoSeededRandomness
@testable import RondoWidgets
import Testing

@MainActor
@Suite struct LayoutTests {
  // F7
  @Test(
    arguments: [
      (24, [.fixed(1), .flexible(), .fixed(1)], [1, 22, 1]),
      (10, [.flexible(), .flexible(), .flexible()], [4, 3, 3]),
      (12, [.flexible(2), .flexible(1)], [8, 4]),
      (80, [.flexible(minimum: 20), .flexible()], [40, 40]),
      (30, [.flexible(minimum: 20), .flexible()], [20, 10]),
      (80, [.flexible(maximum: 30), .flexible()], [30, 50]),
      (80, [.flexible(maximum: 30), .fixed(10)], [30, 10]),
      (3, [.fixed(1), .flexible(minimum: 1), .fixed(1), .fixed(1)], [1, 1, 1, 0]),
      (0, [.fixed(1), .flexible()], [0, 0]), (-5, [.flexible()], [0]), (5, [], []),
      (5, [.fixed(-3), .flexible(.max, minimum: -1, maximum: .max)], [0, 5]),
    ] as [(Int, [Area.Extent], [Int])])
  func aLengthIsDivided(_ length: Int, _ extents: [Area.Extent], _ lengths: [Int]) {
    #expect(Area.Extent.divide(length, among: extents) == lengths)
  }

  /// Every length is that of one level for all, times its weight, between its least and its most.
  /// The level is found by halving.
  // F7
  @Test func lengthsAreThoseOfOneLevel() {
    forEachSeed(200) { random in
      let extents = (0..<random.int(in: 1..<6)).map { _ -> Area.Extent in
        if random.int(in: 0..<3) == 0 { return .fixed(random.int(in: 0..<8)) }
        let minimum = random.int(in: 0..<8)
        return .flexible(
          random.int(in: 1..<4), minimum: minimum,
          maximum: Bool.random(using: &random) ? .max : minimum + random.int(in: 0..<12))
      }
      let length = random.int(in: 0..<90)
      let lengths = Area.Extent.divide(length, among: extents)
      let least = extents.reduce(0) { $0 + $1.minimum }
      guard length >= least else {
        #expect(lengths.reduce(0, +) == length)
        return
      }
      func ideal(at level: Double) -> [Double] {
        extents.map { min(max(level * Double($0.weight), Double($0.minimum)), Double($0.maximum)) }
      }
      var (low, high) = (0.0, 100.0)
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if ideal(at: middle).reduce(0, +) > Double(length) { high = middle } else { low = middle }
      }
      for (length, wanted) in zip(lengths, ideal(at: low)) {
        #expect(abs(Double(length) - wanted) < 1.000_1, "\(extents) \(lengths)")
      }
      let hasMore = extents.contains { $0.maximum == 1 << 16 }
      #expect(lengths.reduce(0, +) <= length)
      if hasMore { #expect(lengths.reduce(0, +) == length) }
    }
  }

  // F7
  @Test func partsAreBelowAndBesideOneAnother() {
    let size = TerminalSize(width: 12, height: 4)
    let node = Node.rows(in: size) {
      Area(.fixed(1)) { _ in Node.text("a title that is too long") }
      Area { size in
        Node.columns(in: size) {
          Area(.fixed(3)) { _ in Node.text("one\ntwo\nthree") }
          Area { Node.text("\($0.width) × \($0.height)") }
        }
      }
      if size.height > 3 { Area(.fixed(1)) { _ in Node.text("help") } }
    }
    #expect(
      picture(node, 30, 6) == """
        a title that
        one9 × 2
        two
        help


        """)
  }

  // F7
  @Test func aLineIsAsLongAsItMayBe() {
    forEachSeed(60) { random in
      let words = (0..<random.int(in: 1..<12)).map { _ in
        String(repeating: "x", count: random.int(in: 1..<7))
      }
      let width = random.int(in: 6..<20)
      var expected = [""]
      for word in words {
        let longer = expected[expected.count - 1] + (expected.last == "" ? "" : " ") + word
        if longer.count <= width {
          expected[expected.count - 1] = longer
        } else {
          expected.append(word)
        }
      }
      #expect(words.joined(separator: " ").wrapped(to: width) == expected)
    }
  }

  // F7
  @Test(arguments: [
    ("", [""]), ("a\n\nb", ["a", "", "b"]), ("abcdef", ["abcd", "ef"]), ("日本語", ["日本", "語"]),
    ("ab cd", ["ab", "cd"]), ("abcd ef", ["abcd", "ef"]), ("a\r\nb", ["a", "b"]), ("  a", ["  a"]),
  ])
  func aTextIsWrapped(_ text: String, _ lines: [String]) {
    #expect(text.wrapped(to: 4) == lines)
    #expect("日本".wrapped(to: 1) == ["日", "本"] && "ab".wrapped(to: 0) == ["a", "b"])
  }

  // F7
  @Test(arguments: [
    ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""), ("", 0, ""),
    ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
  ])
  func aTextIsShortened(_ text: String, _ width: Int, _ shown: String) {
    #expect(text.fitted(to: width) == shown)
  }
}
