// Recordings of the home screen, in the format of `isowords-home`: all that the window knows of it.

import Foundation
import HomeFeature
import Rondo

/// A commit of a recording: what it takes to show it again.
public struct RecordedStep: Sendable {
  /// The time since the start.
  public var time: Duration
  public var date: Date
  public var actions: [HomeAction]
  /// Whether the commit was tagged. All tags of the home screen's own are `.default`.
  public var isTagged: Bool
}

/// A reason for which a recording cannot be read or written.
public struct RecordingProblem: Error, CustomStringConvertible, Sendable {
  public var description: String
  /// Whether the file is there and is no recording, or not one of this feature.
  public var isDamaged: Bool
}

/// A recording that is read.
public enum HomeRecording {
  /// Reads a recording, and makes sure that every state comes out as it was recorded.
  public static func read(_ file: String) throws(RecordingProblem) -> [RecordedStep] {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw RecordingProblem(
        description: "\(file) cannot be read: \(error.localizedDescription)", isDamaged: false)
    }
    switch Replay.run(data) {
    case .agrees, .cutOff: break
    case .differs(let line, let problem), .damaged(let line, let problem):
      throw RecordingProblem(description: "\(file), line \(line): \(problem)", isDamaged: true)
    }
    return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard case .commit(let commit) = try? JSONDecoder().decode(RecordingLine.self, from: line)
      else { return nil }
      return RecordedStep(
        time: .milliseconds(commit.ms), date: Date(timeIntervalSince1970: commit.date),
        actions: commit.actions, isTagged: commit.isTagged)
    }
  }
}

/// A recording that is being made. What has been written stays readable whenever the program ends.
public final class HomeRecorder {
  private let path: String
  private let file: FileHandle
  private var commits = 0

  /// Begins a recording, in place of what the file holds.
  public init(_ path: String) throws(RecordingProblem) {
    self.path = path
    do {
      try Data().write(to: URL(fileURLWithPath: path))
      file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    } catch {
      throw Self.problem(path, error)
    }
    try write(.begin)
  }

  /// Adds a commit.
  public func add(_ commit: HomeCommit) throws(RecordingProblem) {
    commits += 1
    try write(.commit(RecordedCommit(commit)))
  }

  /// Says that nothing is missing.
  public func end() throws(RecordingProblem) { try write(.end(commits: commits)) }

  private func write(_ line: RecordingLine) throws(RecordingProblem) {
    do {
      try file.write(contentsOf: Data(line.text.utf8))
    } catch {
      throw Self.problem(path, error)
    }
  }

  private static func problem(_ path: String, _ error: any Error) -> RecordingProblem {
    RecordingProblem(
      description: "\(path) cannot be written to: \(error.localizedDescription)", isDamaged: false)
  }
}
