// A state in a few bytes, field by field, so that two can be compared that are not both there.

import Foundation

extension Home.State {
  /// Each field as JSON with sorted keys: equal where the fields are equal, on any machine.
  var fields: [String: String] {
    [
      "savedGames": Self.json(savedGames),
      "localPlayer": Self.json(localPlayer),
      "dailyChallenges": Self.json(dailyChallenges),
      "weekInReview": Self.json(weekInReview),
      "activeMatches": Self.json(activeMatches),
      "hasPastMatches": Self.json(hasPastMatches),
      "problems": Self.json(
        Dictionary(uniqueKeysWithValues: problems.map { ($0.key.rawValue, $0.value) })),
      "failedChange": Self.json(failedChange),
      "destination": Self.json(destination),
      "day": Self.json(day),
      "loading": Self.json(loading.map(\.rawValue).sorted()),
    ]
  }

  /// A digest of each field.
  var digests: [String: String] { fields.mapValues(Self.digest) }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The types are strings, whole numbers and finite dates, which all have a form.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
  }

  /// 64-bit FNV-1a, by Fowler, Noll and Vo: it finds accidents, not forgeries.
  private static func digest(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
