// Identifiers and dates that a feature has made while it was recorded.

import Foundation
import RondoRecording

/// The identifiers and dates that a feature has made itself.
///
/// They are told by where they are first seen: what an action of the user carries came from outside, as
/// did what an endpoint has answered. The rest was made by the reducer or by an effect, with the
/// dependencies `uuid` and `date`. A date that is the present was read from the store's.
struct MadeValues {
  /// The texts of the identifiers, in the order in which a test makes them.
  private(set) var identifiers: [String] = []
  /// The code of each date, by its text: the name of a constant, or a placeholder.
  private(set) var dates: [String: String] = [:]
  /// The names of the dates to read before each action.
  private(set) var names: [Int: [String]] = [:]

  private var known: Set<String> = []
  private let begin: RecordingLine.Begin
  /// Whether the options leave dates to `store.date`.
  private let makesDates: Bool
  /// Whether a test has the dates of the recording.
  private let hasDates: Bool

  /// The greatest difference between a date and the time of the recording, in seconds, for the date to
  /// be the present. A recording is begun a little after its date was read, on the isolation of its store.
  private static let tolerance = 0.25

  init(_ history: History, _ steps: TestSteps, _ options: TestOptions) {
    begin = history.begin
    let cases = options.outcomes.map(\.case)
    makesDates = !options.dependencies.contains { $0.contains(".date") }
    hasDates = options.namesTimeline || history.begin.host == "TestStore"
    for text in begin.state.madeTexts { known.insert(text) }
    for item in steps.blocks.flatMap(\.steps).flatMap(\.items) {
      let action = item.action
      let isOutside =
        action.effect == nil || cases.contains { action.value.payload(of: $0) != nil }
      for text in action.value.madeTexts where known.insert(text).inserted && !isOutside {
        add(text, by: action, from: action.at, to: action.at)
      }
      guard let commit = item.moment.commit, commit.actions.last == action.action else { continue }
      let first = history.actions[commit.actions[0]]?.at ?? action.at
      for text in commit.changes.compactMap(\.new).flatMap(\.madeTexts)
      where known.insert(text).inserted {
        add(text, by: action, from: first, to: commit.at, isReduced: true)
      }
    }
    // One date needs no number.
    if let only = dates.first(where: { $0.value == "date1" }), !dates.values.contains("date2") {
      dates[only.key] = "date"
      names = names.mapValues { _ in ["date"] }
    }
  }

  /// - Parameter isReduced: Whether the reducer has made the value, and not an effect.
  private mutating func add(
    _ text: String, by action: RecordingLine.Action, from start: Double, to end: Double,
    isReduced: Bool = false
  ) {
    if text.isUUID {
      identifiers.append(text)
    } else if makesDates, let date = Date(recorded: text) {
      let time = date.timeIntervalSince1970 - begin.date
      if time > start - Self.tolerance, time < end + Self.tolerance {
        let name = "date\(names.values.joined().count + 1)"
        dates[text] = name
        names[action.action, default: []].append(name)
      } else if isReduced, !hasDates {
        dates[text] = Code.placeholder("\(text), which the feature has made").inline
      }
    }
  }

  /// The code that gives a test the same identifiers; `nil` where there are none.
  var generator: String? {
    guard !identifiers.isEmpty else { return nil }
    let isCounted = identifiers.allSatisfy { $0.hasPrefix("00000000-0000-0000-0000-") }
    if isCounted, identifiers.contains("00000000-0000-0000-0000-000000000000") {
      return "$0.uuid = .incrementing"
    }
    return """
      let identifiers = LockIsolated<ArraySlice<UUID>>([
      \(identifiers.map { "  \(RecordedNode($0).code().inline),\n" }.joined())])
      $0.uuid = UUIDGenerator { identifiers.withValue { $0.popFirst() } ?? UUID() }
      """
  }
}

extension Date {
  /// The date that a text is printed for: `Date(2026-09-21T14:13:20.250Z)`.
  init?(recorded text: String) {
    guard text.hasPrefix("Date("), text.hasSuffix(")") else { return nil }
    let style = ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let date = try? style.parse(String(text.dropFirst(5).dropLast())) else { return nil }
    self = date
  }
}

extension String {
  /// Whether the text is that of an identifier or a date, which a feature may have made.
  var isMade: Bool { hasPrefix("Date(") || isUUID }

  /// Whether the text is that of a UUID.
  fileprivate var isUUID: Bool { utf8.count == 36 && UUID(uuidString: self) != nil }
}

extension RecordedNode {
  /// The texts of the identifiers and dates in the value, in order, also those that are keys.
  var madeTexts: [String] {
    var texts: [String] = []
    addMadeTexts(to: &texts)
    return texts
  }

  private func addMadeTexts(to texts: inout [String]) {
    func add(_ text: String) {
      if text.isMade { texts.append(text) }
    }
    if let value { add(value) }
    for child in children {
      if kind == .dictionary { add(child.name) }
      child.node.addMadeTexts(to: &texts)
    }
  }
}
