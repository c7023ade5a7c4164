// A recording: a line of JSON for the beginning, for every commit, and for the end.

import Foundation

/// A line of a recording.
public enum RecordingLine: Equatable, Sendable {
  /// The first line.
  case begin
  case commit(RecordedCommit)

  /// The last line, with the number of commits. A recording without it has been cut off.
  case end(commits: Int)

  /// The version of the format that this program writes and reads.
  static let version = 1

  /// The line as JSON, with the newline.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try? encoder.encode(self)
    return JSONText.withEscapes(String(decoding: data ?? Data(), as: UTF8.self)) + "\n"
  }
}

/// A commit with what it takes to make it again, and to see whether it came out the same.
public struct RecordedCommit: Codable, Equatable, Sendable {
  /// Milliseconds since the start.
  public var ms: Int64

  /// Seconds since 1970.
  public var date: Double
  public var tag: String
  public var isTagged: Bool
  public var actions: [HomeAction]

  /// A digest of each field of the state that followed.
  public var state: [String: String]

  /// The changes in words, for messages about a difference.
  public var changes: [String]

  public init(_ commit: HomeCommit) {
    let entry = commit.entry
    ms = entry.milliseconds
    date = commit.date.timeIntervalSince1970
    tag = entry.tag
    isTagged = !entry.isUntagged
    actions = commit.actions
    state = commit.newState.digests
    changes = entry.changes.map { "\($0.field): \($0.words)" }
  }
}

extension RecordingLine: Codable {
  private enum CodingKeys: CodingKey {
    case recording, commit, commits
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.commit) {
      self = .commit(try container.decode(RecordedCommit.self, forKey: .commit))
    } else if container.contains(.commits) {
      self = .end(commits: try container.decode(Int.self, forKey: .commits))
    } else {
      _ = try container.decode(
        Int.self, forKey: .recording, expecting: "version \(Self.version)"
      ) { $0 == Self.version }
      self = .begin
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .begin: try container.encode(Self.version, forKey: .recording)
    case .commit(let commit): try container.encode(commit, forKey: .commit)
    case .end(let commits): try container.encode(commits, forKey: .commits)
    }
  }
}
