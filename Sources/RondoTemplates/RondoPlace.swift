// The place that a new package takes Rondo from.

import Foundation

/// A place that a package takes Rondo from: a folder, or a repository.
package enum RondoPlace: Equatable, Sendable {
  /// A checkout, as its path is written in the manifest.
  case folder(String)
  case repository(url: String)

  /// The version that `rondo --version` prints, and that a new package asks a repository for.
  package static let version = "0.1.0"

  /// Reads what a user has said.
  ///
  /// - Parameters:
  ///   - text: A path, or the address of a repository.
  ///   - parent: The folder that the new package is made in. A path is relative to it.
  package init(_ text: String, from parent: String) throws(TemplateFailure) {
    // `https://…`, `ssh://…`, and `git@host:path`.
    if text.contains("://") || text.prefix(while: { $0 != "/" }).contains("@") {
      guard text.allSatisfy({ $0 != "\"" && $0 != "\\" && !$0.isNewline }),
        !Self.identity(of: text).isEmpty
      else { throw .noCheckout("'\(text)' is no address of a repository") }
      self = .repository(url: text)
      return
    }
    let path = text.hasPrefix("/") ? text : "\(parent)/\(text)"
    guard Self.isCheckout(path) else {
      throw .noCheckout("there is no checkout of Rondo in '\(text)'")
    }
    self = .folder(text.hasPrefix("/") ? Self.written(text, from: parent) : "../\(text)")
  }

  /// The checkout that a program was built in.
  ///
  /// - Parameter executable: The path of the program.
  package init?(around executable: String, from parent: String) {
    var folder = executable
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      guard !folder.isEmpty else { return nil }
      if Self.isCheckout(folder) {
        self = .folder(Self.written(folder, from: parent))
        return
      }
    }
    return nil
  }

  /// The line of the manifest.
  var dependency: String {
    switch self {
    case .folder(let path): ".package(name: \"rondo\", path: \(path.debugDescription))"
    case .repository(let url):
      """
      .package(
            url: \(url.debugDescription),
            .upToNextMinor(from: "\(Self.version)"))
      """
    }
  }

  /// The name by which the manifest's products refer to the package.
  var identity: String {
    switch self {
    case .folder: "rondo"
    case .repository(let url): Self.identity(of: url)
    }
  }

  /// Lines for the settings of continuous integration.
  var note: String {
    switch self {
    case .folder:
      """
      # Package.swift takes Rondo from a folder of one machine. Name its repository there, before this can run
      # on another one: .package(url: "…/rondo", .upToNextMinor(from: "\(Self.version)"))

      """
    case .repository: ""
    }
  }

  /// The last part of an address; empty where there is only a host.
  private static func identity(of url: String) -> String {
    let place = url.components(separatedBy: "://").last ?? ""
    let parts = place.split { $0 == "/" || $0 == ":" }
    guard parts.count > 1, let last = parts.last else { return "" }
    return (last.hasSuffix(".git") ? last.dropLast(4) : last).lowercased()
  }

  private static func isCheckout(_ path: String) -> Bool {
    let manifest = try? String(contentsOfFile: "\(path)/Package.swift", encoding: .utf8)
    return manifest?.contains("name: \"rondo\"") == true
      && FileManager.default.fileExists(atPath: "\(path)/Sources/Rondo")
  }

  /// A path as it is written in the manifest: a checkout beside the package moves with it.
  private static func written(_ path: String, from parent: String) -> String {
    let folder = URL(filePath: path).standardizedFileURL
    let isBeside =
      folder.deletingLastPathComponent().path == URL(filePath: parent).standardizedFileURL.path
    return isBeside ? "../\(folder.lastPathComponent)" : folder.path
  }
}
