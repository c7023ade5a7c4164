// The places that the program is to write to, checked together before anything is changed on disk.

import Foundation
import RondoHomeFeature

/// The directories and files that the options name to be written to.
struct OutputPlaces {
  private var directories: [DataDirectory]
  /// Files that are there already and are written to as they are.
  private var files: [String] = []
  /// Files that are made or replaced, in folders that have to be there.
  private var newFiles: [String] = []

  /// - Parameter data: The data directory; `nil` if it is not written to.
  init(_ options: Options, data: DataDirectory?) throws(DataDirectory.Problem) {
    directories = [data, options.framesDirectory.map { DataDirectory($0, environment: [:]) }]
      .compactMap(\.self)
    for path in [options.svgFile, options.castFile, options.storyFile].compactMap(\.self) {
      try add(path, isReplaced: true)
    }
    if let path = options.recordFile { try add(path, isReplaced: false) }
  }

  /// Adds a file: its directory if it is made or replaced, or else itself.
  private mutating func add(_ path: String, isReplaced: Bool) throws(DataDirectory.Problem) {
    var status = stat()
    let isThere = lstat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    guard !isThere || kind != S_IFDIR else {
      throw DataDirectory.Problem(path: path, message: "is a directory")
    }
    if isThere, kind != S_IFREG || !isReplaced {
      files.append(path)
    } else {
      newFiles.append(path)
    }
  }

  /// Makes the directories that are missing, once it is certain that everything can be written.
  func prepare() throws(DataDirectory.Problem) {
    for directory in directories { try directory.check() }
    for file in newFiles {
      let folder = parentDirectory(of: file)
      guard access(folder, F_OK) == 0 || errno != ENOENT else {
        throw DataDirectory.Problem(
          path: file, message: "cannot be written to: there is no folder \(folder.onOneLine)")
      }
      try DataDirectory(folder, environment: [:]).check()
    }
    for file in files where access(file, W_OK) != 0 && errno != ENOENT {
      let reason = String(cString: strerror(errno))
      throw DataDirectory.Problem(path: file, message: "cannot be written to: \(reason)")
    }
    for directory in directories { try directory.prepare() }
  }
}
