// The lines of a recording, one event each.

/// One line of a recording.
///
/// A recording is a text of JSON objects, one to a line. The first line is a ``Begin``, the last one
/// an ``End``. Times (`at`) are seconds since the beginning. No time, duration or date is more than
/// 10¹² seconds, which is some 31,700 years. Actions, effects and commits have numbers that count
/// from 1.
public enum RecordingLine: Equatable, Sendable {
  /// The version of the format that is written and read.
  public static let version = 2

  /// The first line.
  case begin(Begin)
  /// An action that has reached the reducer.
  case action(Action)
  /// A change of state that observers have seen.
  case commit(Commit)
  /// The start of an effect.
  case effectStarted(EffectStart)
  /// The beginning of a wait.
  case effectWaits(EffectWait)
  /// The end of a wait.
  case effectResumed(EffectResumption)
  /// An answer of an effect.
  case emission(Emission)
  /// The end of an effect.
  case effectEnded(EffectEnd)
  /// A value that a dependency has given: an identifier, or the date.
  case drawn(Draw)
  /// A misuse that was reported.
  case issue(Issue)
  /// A frame that a screen has shown.
  case frame(Frame)
  /// A move of the time of a test store.
  case advance(Advance)
  /// A `receive` of a test.
  case receive(Receive)
  /// Something that a tool has done to the program.
  case tool(Tool)
  /// The last line.
  case end(End)
  /// An event that this version does not know. Readers skip it.
  case unknown(event: String)

  /// The first line: the store, and its state when the recording began.
  public struct Begin: Decodable, Equatable, Sendable {
    /// The version of the format.
    public var recording: Int
    /// `Store`, `StoreActor` or `TestStore`.
    public var host: String
    /// The name of the feature, such as `Home` for the state `Home.State`.
    public var feature: String
    /// The name of the type of the state, such as `Home.State`.
    public var stateType: String
    /// The name of the type of the actions, such as `Home.Action`.
    public var actionType: String
    /// The date of the beginning, in seconds since 1970.
    public var date: Double
    /// The names of all cases of the action, where it is an enum.
    public var actionCases: [String]?
    /// Whether actions can be compared; `nil` where that is not known.
    public var actionIsEquatable: Bool?
    /// Whether states can be compared; `nil` where that is not known.
    public var stateIsEquatable: Bool?
    /// Whether case paths lead to the cases of the state; `nil` where it is no enum, or that is not known.
    public var stateIsCasePathable: Bool?
    /// The place in the source where the store was made, such as `Home.swift:12`.
    public var place: String?
    /// The socket that tools act on the program by, while it runs.
    public var control: String?
    /// The state as a tree.
    public var state: RecordedNode
    /// The encoded state, where it is `Codable` and nothing of it is redacted.
    public var data: RecordedData?

    /// A first line; each parameter is the property of its name.
    public init(
      host: String, feature: String, stateType: String, actionType: String, date: Double,
      actionCases: [String]? = nil, actionIsEquatable: Bool? = nil,
      stateIsEquatable: Bool? = nil, stateIsCasePathable: Bool? = nil, place: String? = nil,
      control: String? = nil, state: RecordedNode, data: RecordedData? = nil
    ) {
      recording = RecordingLine.version
      self.host = host
      self.feature = feature
      self.stateType = stateType
      self.actionType = actionType
      self.date = date
      self.actionCases = actionCases
      self.actionIsEquatable = actionIsEquatable
      self.stateIsEquatable = stateIsEquatable
      self.stateIsCasePathable = stateIsCasePathable
      self.place = place
      self.control = control
      self.state = state
      self.data = data
    }
  }

  /// An action that has reached the reducer. It is written before the reducer runs.
  public struct Action: Decodable, Equatable, Sendable {
    /// The time, in seconds since the beginning.
    public var at: Double
    /// The number of the action.
    public var action: Int
    /// The name of the outermost case, such as `authenticationResponse`.
    public var `case`: String
    /// The action in one short line.
    public var name: String
    /// The action as a tree.
    public var value: RecordedNode
    /// The encoded action, where it is `Codable` and nothing of it is redacted.
    public var data: RecordedData?
    /// The effect that has sent the action; `nil` for an action of the user.
    public var effect: Int?

    /// An action; each parameter is the property of its name.
    public init(
      at: Double, action: Int, case: String, name: String, value: RecordedNode,
      data: RecordedData? = nil, effect: Int? = nil
    ) {
      self.at = at
      self.action = action
      self.case = `case`
      self.name = name
      self.value = value
      self.data = data
      self.effect = effect
    }
  }

  /// A change of state that observers have seen.
  public struct Commit: Decodable, Equatable, Sendable {
    /// The time, in seconds since the beginning.
    public var at: Double
    /// The number of the commit.
    public var commit: Int
    /// The numbers of the actions that led here.
    public var actions: [Int]
    /// The transaction that says how the change is to be shown.
    public var transaction: RecordedTransaction
    /// The differences from the state before. Applied in order, they give the new tree.
    public var changes: [RecordedChange]
    /// The digest of the new tree: ``RecordedNode/digest``.
    public var digest: String

    /// A commit; each parameter is the property of its name.
    public init(
      at: Double, commit: Int, actions: [Int], transaction: RecordedTransaction,
      changes: [RecordedChange], digest: String
    ) {
      self.at = at
      self.commit = commit
      self.actions = actions
      self.transaction = transaction
      self.changes = changes
      self.digest = digest
    }
  }

  /// The start of an effect.
  public struct EffectStart: Decodable, Equatable, Sendable {
    /// The time, in seconds since the beginning.
    public var at: Double
    /// The number of the effect.
    public var effect: Int
    /// `run`, `timer`, `debounce`, `send`, …
    public var kind: String
    /// The name of the effect, such as `run "quotes"`.
    public var label: String
    /// The place in the source where the effect was made, such as `Home.swift:40`.
    public var place: String?
    /// The cancellation ids that the effect runs under, innermost first.
    public var ids: [String] = []
    /// The action that returned the effect; `nil` where that was before the recording began.
    public var action: Int?
    /// The effect that this one is a part of, such as the `debounce` around a `run`.
    public var parent: Int?
    /// The effect for an answer of which a `flatMap` has made this one.
    public var after: Int?
    /// The steps of concatenations that the effect is a part of, outermost first; `nil` where it is a part of
    /// none.
    public var steps: [Step]?

    /// A step of a concatenation.
    public struct Step: Decodable, Equatable, Sendable {
      /// The number of the concatenation.
      public var of: Int
      /// The number of the step, from 1.
      public var step: Int
    }
  }

  /// The beginning of a wait.
  public struct EffectWait: Decodable, Equatable, Sendable {
    /// The thing that an effect waits for.
    public enum Wait: String, Decodable, Sendable {
      /// An instant on a clock.
      case clock
      /// A turn of a scheduler, or an instant on it.
      case scheduler
      /// The end of other effects under the same cancellation id.
      case turn
    }

    /// The time at which the store was told of the wait, in seconds since the beginning.
    public var at: Double
    /// The number of the effect.
    public var effect: Int
    /// The thing that the effect waits for.
    public var on: Wait
    /// The name of the scheduler, where it has one.
    public var scheduler: String?
    /// The time at which the wait began, where that was before the store was told of it.
    public var since: Double?
    /// The time that was asked for, in seconds with at most nine decimals.
    public var duration: Double?
    /// The time at which the wait ends unless it is cancelled, in seconds since the beginning.
    public var until: Double?

    private enum CodingKeys: String, CodingKey {
      case at, effect, on, scheduler, since, until
      case duration = "for"
    }

    /// The beginning of a wait, whose end is reckoned.
    init(
      at: Double, effect: Int, on: Wait, scheduler: String? = nil, since: Double? = nil,
      duration: Double? = nil
    ) {
      self.at = at
      self.effect = effect
      self.on = on
      self.scheduler = scheduler
      self.since = since
      self.duration = duration
      until = duration.map { RecordingLine.seconds((since ?? at) + max(0, $0)) }
    }
  }

  /// The end of a wait.
  public struct EffectResumption: Decodable, Equatable, Sendable {
    /// The time at which the store was told, in seconds since the beginning.
    public var at: Double
    /// The number of the effect.
    public var effect: Int
    /// The time at which the effect went on, where that was before the store was told of it.
    public var since: Double?
  }

  /// An answer of an effect.
  public struct Emission: Decodable, Equatable, Sendable {
    /// The time, in seconds since the beginning.
    public var at: Double
    /// The number of the effect.
    public var effect: Int
    /// The action that the answer is; `nil` where an operator around the effect has kept or dropped
    /// it.
    public var action: Int?
    /// Whether the answer was a `Result` that is a failure, which an operator has dropped; `nil` where it was not.
    public var failed: Bool?
  }

  /// The end of an effect.
  public struct EffectEnd: Decodable, Equatable, Sendable {
    /// One of the ways in which an effect ends.
    public enum How: String, Decodable, Sendable {
      /// The effect has done all of its work.
      case finished
      /// The effect was cancelled.
      case cancelled
      /// The closure of the effect has thrown an error that nobody caught.
      case failed
    }

    /// The time, in seconds since the beginning.
    public var at: Double
    /// The number of the effect.
    public var effect: Int
    /// The way in which the effect has ended.
    public var how: How
    /// The cause of a cancellation.
    public var by: RecordedCause?
  }

  /// A value that the dependency `uuid` or `date` has given to a reducer or an effect, or the first use of an
  /// endpoint by an effect.
  ///
  /// A date is told of when it is read. An identifier is told of behind the first action or commit that
  /// shows it, and not at all if none does, since it may be a secret.
  public struct Draw: Decodable, Equatable, Sendable {
    /// The time, in seconds since the beginning.
    public var at: Double
    /// The identifier.
    public var uuid: String?
    /// The number of the identifier, from 1. Those that are told of nowhere count.
    public var number: Int?
    /// The number among the identifiers that reducers have got, from 1. Those that are told of nowhere count.
    public var reduced: Int?
    /// The date, in seconds since 1970.
    public var date: Double?
    /// The endpoint of a `@DependencyClient` that an effect has used: `SearchClient.search`.
    public var endpoint: String?
    /// The effect that has asked; `nil` for a reducer, and for an identifier of an effect that the recording does not
    /// know or that is over.
    public var effect: Int?
  }

  /// A misuse that was reported.
  public struct Issue: Decodable, Equatable, Sendable {
    /// The time, in seconds since the beginning.
    public var at: Double
    /// The report.
    public var message: String
    /// The place in the source that the report names, such as `Home.swift:12`.
    public var place: String?
  }

  /// A move of the time of a test store.
  public struct Advance: Decodable, Equatable, Sendable {
    /// The time, in seconds since the beginning.
    public var at: Double
    /// The seconds that time was moved by.
    public var by: Double
  }

  /// A `receive` of a test that an action was asserted by.
  public struct Receive: Decodable, Equatable, Sendable {
    /// The time, in seconds since the beginning.
    public var at: Double
    /// The number of the action.
    public var action: Int
  }

  /// Something that a tool has done to the program, such as the page of `rondo live`.
  ///
  /// The line of an action stands behind it, where the tool has sent the action, or has gone back to an earlier
  /// state: then it is the last action of the commit that led to that state, has no data, and the reducer did not run.
  public struct Tool: Decodable, Equatable, Sendable {
    /// One of the things that a tool can do.
    public enum Deed: String, Decodable, Sendable {
      /// It has sent an action.
      case send
      /// It has gone back to the state behind a commit, or at the beginning.
      case jump
      /// It holds effects that are started from now on, before they begin.
      case hold
      /// It has let one of them begin.
      case letGo
      /// It has let all of them begin, and holds no others.
      case release
      /// It has slowed the clocks down.
      case pace
    }

    /// The time, in seconds since the beginning.
    public var at: Double
    /// The deed.
    public var did: Deed
    /// The number of the action that stands behind this line.
    public var action: Int?
    /// The number of the commit that it has gone back to; 0 is the beginning.
    public var commit: Int?
    /// The number of the effect that it has let go.
    public var effect: Int?
    /// The seconds of the clocks that pass in a second.
    public var rate: Double?
  }

  /// The last line. A recording without it was cut off.
  public struct End: Decodable, Equatable, Sendable {
    /// The time, in seconds since the beginning.
    public var at: Double
    /// The number of lines between the first one and this.
    public var events: Int
  }
}

extension RecordingLine {
  /// The time of the line, in seconds since the beginning; `nil` where it is unknown.
  public var at: Double? {
    switch self {
    case .begin: 0
    case .action(let line): line.at
    case .commit(let line): line.at
    case .effectStarted(let line): line.at
    case .effectWaits(let line): line.at
    case .effectResumed(let line): line.at
    case .emission(let line): line.at
    case .effectEnded(let line): line.at
    case .drawn(let line): line.at
    case .issue(let line): line.at
    case .frame(let line): line.at
    case .advance(let line): line.at
    case .receive(let line): line.at
    case .tool(let line): line.at
    case .end(let line): line.at
    case .unknown: nil
    }
  }
}

extension RecordingLine: Decodable {
  private enum CodingKeys: CodingKey {
    case event, recording
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.recording) {
      self = .begin(try Begin(from: decoder))
      return
    }
    let event = try container.decode(String.self, forKey: .event)
    self =
      switch event {
      case "action": .action(try Action(from: decoder))
      case "commit": .commit(try Commit(from: decoder))
      case "effectStarted": .effectStarted(try EffectStart(from: decoder))
      case "effectWaits": .effectWaits(try EffectWait(from: decoder))
      case "effectResumed": .effectResumed(try EffectResumption(from: decoder))
      case "emission": .emission(try Emission(from: decoder))
      case "effectEnded": .effectEnded(try EffectEnd(from: decoder))
      case "drawn": .drawn(try Draw(from: decoder))
      case "issue": .issue(try Issue(from: decoder))
      case "frame": .frame(try Frame(from: decoder))
      case "advance": .advance(try Advance(from: decoder))
      case "receive": .receive(try Receive(from: decoder))
      case "tool": .tool(try Tool(from: decoder))
      case "end": .end(try End(from: decoder))
      default: .unknown(event: event)
      }
  }
}

extension RecordingLine {
  /// The greatest time, duration and date, in seconds: some 31,700 years. `Int64` has room for its
  /// microseconds.
  static let secondsLimit = 1e12

  /// A number of seconds as it is recorded: with six decimals at most, and within the limit.
  static func seconds(_ seconds: Double) -> Double { rounded(bounded(seconds)) }

  /// A number of seconds within the limit: one beyond it becomes the limit.
  static func bounded(_ seconds: Double) -> Double {
    seconds.isNaN ? 0 : min(max(seconds, -secondsLimit), secondsLimit)
  }
}
