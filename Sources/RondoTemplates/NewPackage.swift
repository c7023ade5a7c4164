// Writes a package to the disk, whole or not at all.

import Foundation

/// A package to be made.
package struct NewPackage: Sendable {
  package var name: String
  package var template: PackageTemplate
  package var rondo: RondoPlace

  package init(name: String, template: PackageTemplate, rondo: RondoPlace) throws(TemplateFailure) {
    try NameProblem.check(name)
    self.name = name
    self.template = template
    self.rondo = rondo
  }

  /// Writes the package into a folder of its name.
  ///
  /// The files are written beside the folder first, which takes its place at the end.
  ///
  /// - Parameter parent: The folder that gets the new one.
  /// - Returns: The paths of the files.
  @discardableResult
  package func write(in parent: String) throws(TemplateFailure) -> [String] {
    let folder = "\(parent)/\(name)"
    var status = stat()
    if lstat(folder, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw .cannotWrite("'\(name)' is there already, and is no folder; take another name")
      }
      do {
        guard try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty else {
          throw TemplateFailure.cannotWrite(
            "the folder '\(name)' is not empty; take another name, or empty it")
        }
      } catch {
        throw error as? TemplateFailure ?? .cannotWrite("the folder '\(name)' cannot be read")
      }
    }
    let draft = "\(folder).\(getpid()).part"
    guard mkdir(draft, 0o777) == 0 else { throw failure(errno) }
    let files = template.files(name: name, rondo: rondo)
    do {
      for file in files {
        let path = URL(filePath: "\(draft)/\(file.path)")
        try FileManager.default.createDirectory(
          at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: path)
      }
    } catch {
      let reason = (error as? CocoaError)?.underlying as? POSIXError
      try? FileManager.default.removeItem(atPath: draft)
      throw failure(reason.map { Int32($0.code.rawValue) } ?? EIO)
    }
    // Takes the place of an empty folder as well.
    guard rename(draft, folder) == 0 else {
      let reason = errno
      try? FileManager.default.removeItem(atPath: draft)
      throw failure(reason)
    }
    return files.map(\.path).sorted()
  }

  private func failure(_ reason: Int32) -> TemplateFailure {
    .cannotWrite(
      "the folder '\(name)' cannot be made here: \(String(cString: strerror(reason)))")
  }
}
