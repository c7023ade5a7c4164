// Texts that are kept out of a recording.

import Rondo

/// Texts that other texts are searched for, all of them in one pass.
///
/// A text is looked up by its first eight bytes, or by all of them where it is shorter, and then as a whole, so that
/// the number of texts hardly matters: only that of different lengths with the same first bytes does.
struct Secrets {
  /// The shortest text that is looked for, in bytes.
  private static let least = 3
  /// The greatest number of bytes that a text is looked up by.
  private static let most = 8

  private var known: Set<[UInt8]> = []
  /// The lengths of texts by their first bytes, the greatest first. The index is the number of those bytes.
  private var lengths = Array(repeating: [UInt64: [Int]](), count: most + 1)
  /// Whether a text may begin with three bytes, by a hash of them. Most places are passed by with that.
  private var beginnings: [Bool] = []

  var isEmpty: Bool { known.isEmpty }

  /// Adds a text. Returns whether it is a new one.
  @discardableResult
  mutating func insert(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= Self.least, known.insert(bytes).inserted else { return false }
    if beginnings.isEmpty { beginnings = Array(repeating: false, count: 1 << 16) }
    beginnings[Self.hash(bytes, 0)] = true
    let count = min(bytes.count, Self.most)
    let key = Self.key(bytes, 0, count)
    let others = lengths[count][key] ?? []
    if !others.contains(bytes.count) {
      lengths[count][key] = (others + [bytes.count]).sorted(by: >)
    }
    return true
  }

  /// A text with a mark in place of everything that is one of these texts. Those that overlap have one
  /// mark.
  func removed(from text: String) -> String {
    guard !isEmpty, text.utf8.count >= Self.least else { return text }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    // The end of the last text that was found.
    var end = 0
    for start in 0...bytes.count - Self.least {
      guard beginnings[Self.hash(bytes, start)], let length = longest(in: bytes, at: start) else {
        continue
      }
      if start >= end {
        shown += bytes[end..<start]
        shown += redactedText.utf8
      }
      end = max(end, start + length)
    }
    return end > 0 ? String(decoding: shown + bytes[end...], as: UTF8.self) : text
  }

  /// The length of the longest text at a place.
  private func longest(in bytes: [UInt8], at start: Int) -> Int? {
    for count in (Self.least...Self.most).reversed()
    where !lengths[count].isEmpty && start + count <= bytes.count {
      let found = lengths[count][Self.key(bytes, start, count)]?.first { length in
        length <= bytes.count - start && known.contains(Array(bytes[start..<start + length]))
      }
      if let found { return found }
    }
    return nil
  }

  private static func hash(_ bytes: [UInt8], _ start: Int) -> Int {
    let value = key(bytes, start, least)
    return Int(truncatingIfNeeded: value ^ value >> 8) & 0xffff
  }

  private static func key(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
    var key: UInt64 = 0
    for index in start..<start + count { key = key << 8 | UInt64(bytes[index]) }
    return key
  }
}
