// A folder that a test has for itself.

import Foundation

/// A new empty folder, removed with whatever is in it when the last reference goes away.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() {
    let name = FileManager.default.temporaryDirectory.path + "/rondo.XXXXXX"
    var template = Array(name.utf8CString)
    guard mkdtemp(&template) != nil else {
      fatalError("mkdtemp: \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The names of what is in the folder, sorted.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  public func path(_ name: String) -> String { path + "/" + name }

  public func file(_ name: String) -> URL { URL(filePath: path(name)) }

  /// Writes a file, and makes the folders that it is in.
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let folder = file(name).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: file(name))
  }

  public func write(_ text: String, to name: String) throws { try write(text.utf8, to: name) }

  public func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: file(name))) }

  public func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }
}
