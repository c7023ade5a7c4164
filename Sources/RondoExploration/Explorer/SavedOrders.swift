// Orders that have failed, kept for the next time.

import Foundation
import RondoScheduling
import RondoTestStore

/// The orders that an exploration, or a test with orders, has failed in, in a file of the folder that `RONDO_ORDERS` names.
///
/// It is a folder of its own, and no file beside the test: sources are often read only where tests run, a
/// build may run on another machine, and what one user has found is no change of the project. A folder can be
/// kept from one run of a CI to the next. What is to stay is the test that a failure shows.
///
/// Orders that hold stay until newer ones take their places: a test with several arguments has one file, and a
/// bug that comes back is found at once.
package struct SavedOrders {
  private static let folderOfProcess = ProcessInfo.processInfo.environment["RONDO_ORDERS"]
  /// The largest number of orders in a file.
  private static let limit = 16

  private let url: URL

  /// - Parameters:
  ///   - fileID: The file of the test.
  ///   - function: The test.
  ///   - feature: The type of the state: a test may explore several.
  /// - Returns: `nil` where no folder is named.
  package init?(fileID: String, function: String, feature: String) {
    let folder = TestSettings.current.orders ?? Self.folderOfProcess ?? ""
    guard !folder.isEmpty else { return nil }
    let name = "\(fileID) \(function) \(feature)".map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
    }
    url = URL(filePath: folder, directoryHint: .isDirectory)
      .appending(path: "\(String(name.prefix(200))).orders")
  }

  /// The orders, the newest first.
  package var all: [String] {
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").prefix(Self.limit).map(String.init)
  }

  /// Puts an order in front of the others.
  ///
  /// - Returns: Why that is not possible; `nil` if it was done.
  package func save(_ order: String) -> String? {
    write([order] + all.filter { $0 != order })
  }

  private func write(_ orders: [String]) -> String? {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      let text = orders.prefix(Self.limit).map { "\($0)\n" }.joined()
      // Another process that reads it sees all of it, or what was there before.
      try Data(text.utf8).write(to: url, options: .atomic)
      return nil
    } catch {
      return "RONDO_ORDERS: \(url.path) cannot be written: \(error.localizedDescription)"
    }
  }
}
