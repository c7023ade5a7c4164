// A directory that a test has for itself.

import Foundation

/// A new empty directory, removed with whatever is in it when the last reference goes away.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    let template = NSTemporaryDirectory() + "/isowords-home.XXXXXX"
    var buffer = Array(template.utf8CString)
    guard mkdtemp(&buffer) != nil else {
      fatalError("mkdtemp: \(String(cString: strerror(errno)))")
    }
    path = String(decoding: buffer.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The names of what is in the directory, sorted.
  var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
  }

  func path(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }
}
