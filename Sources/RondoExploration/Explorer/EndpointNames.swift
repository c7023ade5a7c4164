// The names of endpoints in messages, and in a test that is pasted.

import RondoScheduling

/// Names each endpoint after the last part of its key path.
///
/// The names are variables of one test. Where two endpoints would have the same name, or the name is a word
/// of the language, the whole key path is the name: `\.api.search` is `apiSearch`. Where even those are
/// equal, they are numbered.
struct EndpointNames {
  private(set) var names: [String] = []

  /// - Parameter keyPaths: The key paths as they stand in the source; `nil` where that is not known.
  init(keyPaths: [String?]) {
    let parts = keyPaths.map { keyPath in
      (keyPath ?? "").split(separator: ".").map { $0.filter { $0 != "\\" && $0 != "`" } }
        .filter { !$0.isEmpty }
    }
    var lastCounts: [String: Int] = [:]
    for parts in parts { lastCounts[parts.last ?? "", default: 0] += 1 }
    for (index, parts) in parts.enumerated() {
      let last = parts.last ?? "endpoint\(index)"
      let isUsable = lastCounts[last, default: 1] == 1 && !Self.reserved.contains(last)
      let name = isUsable || parts.count < 2 ? last : Self.joined(parts)
      names.append(unused(name))
    }
  }

  private static func joined(_ parts: [String]) -> String {
    parts[0] + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// A name that no endpoint has yet.
  private func unused(_ name: String) -> String {
    guard names.contains(name) || Self.reserved.contains(name) else { return name }
    let numbers = 2...(names.count + 2)
    return numbers.lazy.map { "\(name)\($0)" }.first { !names.contains($0) } ?? name
  }

  /// The store of the test, and the words of the language that cannot name a variable.
  private static let reserved = reservedWords.union(["store"])
}
