// The file that `--record` writes: a line for every commit, at once.

import Foundation
import HomeFeature

/// A recording that is being written. What has been written stays readable whenever the program
/// ends.
@MainActor
final class RecordingFile {
  private let output: Output
  private let path: String
  private var commits = 0

  /// Begins a recording, in place of what the file holds.
  init(_ path: String) throws(DataDirectory.Problem) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw DataDirectory.Problem(path: path, message: "cannot be written to: \(reason)")
    }
    self.path = path
    output = Output(descriptor: descriptor)
    try write(.begin)
  }

  func add(_ commit: HomeCommit) throws(DataDirectory.Problem) {
    commits += 1
    try write(.commit(RecordedCommit(commit)))
  }

  /// Says that nothing is missing.
  func end() throws(DataDirectory.Problem) {
    try write(.end(commits: commits))
  }

  private func write(_ line: RecordingLine) throws(DataDirectory.Problem) {
    do throws(Output.Failure) {
      try output.write(line.text)
    } catch {
      let reason = if case .failed(let reason) = error { reason } else { "nobody reads it" }
      throw DataDirectory.Problem(path: path, message: "cannot be written to: \(reason)")
    }
  }
}
