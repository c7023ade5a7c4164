// The compiler's index of the sources that this test was built with.

import Foundation
import RondoIndexReading

/// The places where the symbols of the sources are declared and named.
///
/// The compiler writes an index in each build for debugging. It knows functions, members of extensions and
/// operators like types, and takes no word in a comment or a text for a name.
final class SourceIndex {
  /// A place where a symbol is declared or named.
  struct Place {
    let symbol: String
    let name: String
    let isDeclared: Bool
    let line: UInt32
  }

  private let index: UnsafeMutableRawPointer
  /// The record of each file, and the time when it was written.
  private var records: [String: (name: String, time: Int64)] = [:]

  /// Whether there is an index of the build of this test.
  static var isThere: Bool { SourceIndex() != nil }

  /// The index of the build of this test; `nil` where the build has written none, or where the toolchain
  /// cannot read it.
  init?() {
    guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
    let store = program.deletingLastPathComponent().appending(path: "index/store")
    guard FileManager.default.fileExists(atPath: store.path), let index = index_open(store.path)
    else { return nil }
    self.index = index
    let context = Unmanaged.passUnretained(self).toOpaque()
    index_eachFile(index, context) { context, path, record, time in
      let index = Unmanaged<SourceIndex>.fromOpaque(context!).takeUnretainedValue()
      index.add(String(cString: path!), String(cString: record!), time)
    }
  }

  /// Keeps the last record of a file: others are left of earlier builds.
  private func add(_ path: String, _ record: String, _ time: Int64) {
    if let known = records[path], known.time >= time { return }
    records[path] = (record, time)
  }

  /// The places in each file below a folder, by the file's path from there.
  func places(in folder: URL) -> [String: [Place]] {
    let prefix = folder.path + "/"
    var places: [String: [Place]] = [:]
    // The index also knows files that have been moved or deleted since an earlier build.
    for (path, record) in records
    where path.hasPrefix(prefix) && FileManager.default.fileExists(atPath: path) {
      places[String(path.dropFirst(prefix.count))] = read(record.name)
    }
    return places
  }

  private func read(_ record: String) -> [Place] {
    var places: [Place] = []
    withUnsafeMutablePointer(to: &places) { places in
      index_eachPlace(index, record, places) { context, symbol, name, isDeclared, line in
        let place = Place(
          symbol: String(cString: symbol!), name: String(cString: name!), isDeclared: isDeclared,
          line: line)
        context!.assumingMemoryBound(to: [Place].self).pointee.append(place)
      }
    }
    return places
  }
}
