// The options of the command line.

import Foundation
import RondoHomeFeature

/// The options of a run.
struct Options: Equatable {
  /// A format of the log.
  enum Format: String, CaseIterable {
    case plain, json
  }

  var once = false
  var virtualTime = false

  /// For how many hours somebody is simulated at the keyboard; `nil` if nobody is.
  var simulatedHours: Int?
  var help = false
  var seed: UInt64 = 0
  var speed = 1.0
  var latencies: [Source: Duration] = [:]
  var failing: Set<Source> = []
  var dataDirectory: String?
  /// Whether an example game is shown as long as no game was saved.
  var hasExample = false

  /// The server to ask; `nil` for the embedded one.
  var server: URL?

  /// The time that the server may take.
  var timeout = Duration.seconds(10)

  /// The places for every frame as text, and for the animation as a picture and as a recording of
  /// a terminal.
  var framesDirectory: String?
  var svgFile: String?
  var castFile: String?

  /// The place for the picture that tells what the launch does.
  var storyFile: String?

  /// Whether the frames of the launch are wanted, which are drawn on virtual time.
  var exportsFrames: Bool {
    [framesDirectory, svgFile, castFile, storyFile].contains { $0 != nil }
  }

  /// Whether something is wanted that only a launch has: to write it down, or to ask a server.
  var launches: Bool { exportsFrames || recordFile != nil || server != nil }

  /// The format of the log; `nil` if none is asked for.
  var format: Format?

  /// The file that every commit is recorded to, and the recording that is run instead of a launch.
  var recordFile: String?
  var replayFile: String?
}

/// A misuse of the command line: what is wrong, where, and what to do, in one line.
struct UsageError: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
