// The parts of a test that no recording knows.

/// The options of `rondo test`.
struct TestOptions {
  /// The answers of an endpoint of a dependency: those that actions of a case have carried.
  struct Outcome {
    /// The endpoint with its arguments, as a key path without root: `api.search`.
    var endpoint: String
    /// The number of arguments.
    var argumentCount: Int
    /// Whether the endpoint returns an effect, in place of being `async`.
    var isEffect: Bool
    var `case`: String

    /// Reads `api.search(_:)=found`, `api.search(_)=found`, or `api.search(_:)->Effect=found`.
    init(_ text: String) throws(CommandFailure) {
      let form = /([\w.]+)\(((?:(?:\w+:)+|_(?:, ?_)*)?)\)( ?-> ?Effect)?=(\w+)/
      guard let match = text.wholeMatch(of: form) else {
        throw CommandFailure(
          .usage,
          "--outcome \(text): expected ENDPOINT(_:)=CASE, such as api.search(_:)=found, "
            + "or api.search(_:)->Effect=found")
      }
      endpoint = String(match.1)
      argumentCount =
        match.2.contains(":") ? match.2.count { $0 == ":" } : match.2.count { $0 == "_" }
      isEffect = match.3 != nil
      `case` = String(match.4)
    }
  }

  /// An initializer that does not take all members, by its arguments: `Row(id:title:)`.
  struct Initializer {
    var type: String
    var arguments: [String]

    init(_ text: String) throws(CommandFailure) {
      guard let match = text.wholeMatch(of: /([\w.]+)\(((?:\w+:)*)\)/) else {
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

  /// Whether a dependency goes by the store's time, which then begins at the recorded date.
  var namesTimeline: Bool { dependencies.contains { $0.contains("timeline") } }

  var style: CodeStyle {
    CodeStyle(
      initializers: Dictionary(
        initializers.map { ($0.type, $0.arguments) }, uniquingKeysWith: { $1 }),
      membersWithoutSetter: Set(membersWithoutSetter))
  }
}
