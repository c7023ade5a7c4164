// The parts of a test that no recording knows.

/// The options of `rondo test`.
struct TestOptions {
  /// An endpoint of a dependency, and the case of the actions that carry its answers or its errors.
  struct Outcome {
    /// The kinds of endpoints.
    enum Kind {
      /// An `async` endpoint, which may throw.
      case value
      /// An endpoint that throws where a `Result` is a failure, whatever the type of the error.
      case `throws`
      /// An endpoint that returns a `Result`.
      case result
      /// An endpoint that returns an effect.
      case effect
      /// An endpoint that returns an `AsyncStream`: each action of the case is an element.
      case stream
      /// An endpoint that returns an `AsyncThrowingStream`.
      case throwingStream

      var isStream: Bool { self == .stream || self == .throwingStream }
    }

    /// The endpoint with its arguments, as a key path without root: `api.search`.
    var endpoint: String
    /// The number of arguments.
    var argumentCount: Int
    /// Its kind; `nil` where the type of the answer tells.
    var kind: Kind?
    /// The case, and what is in it: cases, labels or positions.
    var path: [String]

    var `case`: String { path[0] }
    /// The text of the option.
    var text: String

    /// Reads `api.search(_:)=found`, `api.search(_)=found.results`, `api.search(_:)->Effect=found`,
    /// `api.search(_)->Result=found`, `api.lines()->AsyncStream=line` or `api.search(_) throws=found`.
    init(_ text: String, of option: String = "--outcome") throws(CommandFailure) {
      let form =
        /([\w.]+)\(((?:(?:\w+:)+|_(?:, ?_)*)?)\)(?: ?-> ?(Effect|Result|AsyncStream|AsyncThrowingStream)| ?(throws))?=(\w+(?:\.\w+)*)/
      guard let match = text.wholeMatch(of: form) else {
        throw CommandFailure(
          .usage,
          "\(option) \(text): expected ENDPOINT(_:)=CASE, such as api.search(_:)=found, "
            + "api.search(_)=found.results, api.search(_:)->Effect=found, ->Result, ->AsyncStream, "
            + "->AsyncThrowingStream or throws")
      }
      self.text = text
      endpoint = String(match.1)
      argumentCount =
        match.2.contains(":") ? match.2.count { $0 == ":" } : match.2.count { $0 == "_" }
      kind =
        switch match.3 {
        case "Effect": .effect
        case "Result": .result
        case "AsyncStream": .stream
        case "AsyncThrowingStream": .throwingStream
        default: match.4 == nil ? nil : .throws
        }
      path = match.5.split(separator: ".").map(String.init)
    }
  }

  /// An initializer that does not take all members, by its arguments: `Row(id:title:)`.
  struct Initializer {
    var type: String
    var arguments: [String]

    init(_ text: String) throws(CommandFailure) {
      guard let match = text.wholeMatch(of: /([\w.<>?, ]+)\(((?:\w+:)*)\)/) else {
        throw CommandFailure(.usage, "--init \(text): expected TYPE(a:b:), such as Row(id:title:)")
      }
      type = String(match.1)
      arguments = match.2.split(separator: ":").map(String.init)
    }
  }

  var imports: [String] = []
  var initializers: [Initializer] = []
  /// The members that a test cannot set, such as `Search.State.count`.
  var membersWithoutSetter: [String] = []
  var name: String?
  var state: String?
  var reducer: String?
  var dependencies: [String] = []
  var outcomes: [Outcome] = []
  /// The cases that are sent when an endpoint has thrown.
  var failures: [Outcome] = []
  /// The number of the action that a test of another run begins at.
  var forkAt: Int?

  /// Whether a dependency goes by the store's time, which then begins at the recorded date.
  var namesTimeline: Bool { dependencies.contains { $0.contains("timeline") } }

  var style: CodeStyle {
    CodeStyle(
      initializers: Dictionary(
        initializers.map { ($0.type, $0.arguments) }, uniquingKeysWith: { $1 }),
      membersWithoutSetter: Set(membersWithoutSetter),
      errorCases: Set(failures.map(\.case)))
  }
}
