// The requests of tools to a program, and its answers: one JSON object to a line.

/// The first line that a program writes to a tool. It says that Rondo records the program.
package struct ControlGreeting: Codable, Equatable, Sendable {
  /// The version of what follows.
  package var control: Int
  /// The recording of the program.
  package var recording: String

  package init(recording: String) {
    control = Self.version
    self.recording = recording
  }

  package static let version = 1
}

/// The request of a tool to a program.
package struct ControlRequest: Codable, Equatable, Sendable {
  package enum Deed: String, Codable, Sendable {
    /// Only to be told how things are.
    case look
    case send, jump, hold, letGo, release, pace
  }

  package var deed: Deed
  /// The action that is sent.
  package var action: RecordedData?
  /// The commit whose state is to come back; 0 is the beginning.
  package var commit: Int?
  /// The effect that is let go.
  package var effect: Int?
  /// The seconds of the clocks that pass in a second.
  package var rate: Double?

  package init(
    _ deed: Deed, action: RecordedData? = nil, commit: Int? = nil, effect: Int? = nil,
    rate: Double? = nil
  ) {
    self.deed = deed
    self.action = action
    self.commit = commit
    self.effect = effect
    self.rate = rate
  }
}

/// The answer of a program.
package struct ControlAnswer: Codable, Equatable, Sendable {
  package struct Effect: Codable, Equatable, Sendable {
    package var effect: Int
    package var label: String
  }

  /// The reason why nothing was done; `nil` where it was.
  package var problem: String?
  /// Whether actions can be sent: they can be read from JSON.
  package var canSend = false
  /// The commits that can be gone back to; `nil` where none can.
  package var firstCommit: Int?
  package var lastCommit: Int?
  /// The commit that was the last one before the program was first taken back; `nil` while it was not.
  package var now: Int?
  package var isHolding = false
  /// The effects that wait for being let go.
  package var held: [Effect] = []
  package var rate = 1.0

  package init() {}
}

/// A request, and the socket that it has come by: several recordings of a store have one each.
struct AddressedRequest: Sendable {
  var socket: String
  var request: ControlRequest
}
