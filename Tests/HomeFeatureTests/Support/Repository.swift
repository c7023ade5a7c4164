// Files of the repository that tests look at.

import Foundation

enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The data directory with saved games to look at.
  static let sample = root + "/Examples/isowords-home/Sample"

  /// An expected log of the launch.
  static func golden(_ name: String) throws -> String {
    try String(contentsOfFile: root + "/Examples/isowords-home/Golden/" + name, encoding: .utf8)
  }

  /// The path of the program, which is built beside the tests.
  static var program: String { builtProgram("isowords-home") }

  /// Whether the tests run under a sanitizer, which takes memory of its own.
  static var isSanitized: Bool {
    ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains { ProcessInfo.processInfo.environment[$0] != nil }
  }
}
