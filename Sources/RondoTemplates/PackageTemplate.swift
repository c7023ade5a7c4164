// Packages to begin with, as files.

import Foundation

/// A kind of package to begin with.
package enum PackageTemplate: String, CaseIterable, Sendable {
  case terminal, gtk, server, library

  package var summary: String {
    switch self {
    case .terminal: "A program for the terminal, with animations."
    case .gtk: "A program with a window of GTK 4."
    case .server: "A server with a small machine for each connection."
    case .library: "A library of features."
    }
  }

  /// The files of a package, by their paths in its folder.
  ///
  /// - Parameter name: The name of the package and of its main module. See ``NameProblem``.
  package func files(name: String, rondo: RondoPlace) -> [TemplateFile] {
    let feature = self == .library ? name : "\(name)Feature"
    let values = [
      "__FEATURE__": feature, "__NAME__": name, "__PACKAGE__": rondo.identity,
      "__RONDO__": rondo.dependency, "__RONDO_NOTE__": rondo.note,
    ]
    return texts.flatMap(TemplateFile.files).map { $0.filledIn(values) }
  }

  /// The embedded texts that make up the package.
  private var texts: [[UInt8]] {
    let common = PackageResources.common_template
    let counter = PackageResources.counter_template
    return switch self {
    case .terminal: [common, counter, PackageResources.terminal_template]
    case .gtk: [common, counter, PackageResources.gtk_template]
    case .server: [common, PackageResources.server_template]
    case .library: [common, counter, PackageResources.library_template]
    }
  }
}

/// A file of a package.
package struct TemplateFile: Equatable, Sendable {
  package var path: String
  package var text: String

  /// The files in an embedded text. A line `=== PATH` begins each.
  fileprivate static func files(in text: [UInt8]) -> [TemplateFile] {
    var files: [TemplateFile] = []
    for line in String(decoding: text, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast() {
      if line.hasPrefix("=== ") {
        files.append(TemplateFile(path: String(line.dropFirst(4)), text: ""))
      } else {
        files[files.count - 1].text += line + "\n"
      }
    }
    return files
  }

  fileprivate func filledIn(_ values: [String: String]) -> TemplateFile {
    func fill(_ text: String) -> String {
      values.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }
    return TemplateFile(path: fill(path), text: Self.withSortedImports(fill(text)))
  }

  /// The text with each run of imports in order, whatever the name of the package is.
  private static func withSortedImports(_ text: String) -> String {
    var lines = text.components(separatedBy: "\n")
    for index in lines.indices where lines[index].hasPrefix("import ") {
      let end = lines[index...].firstIndex { !$0.hasPrefix("import ") } ?? lines.endIndex
      lines[index..<end].sort()
    }
    return lines.joined(separator: "\n")
  }
}
