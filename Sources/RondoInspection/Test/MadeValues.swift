// Identifiers and dates that a feature has made while it was recorded.

import Foundation
import RondoHistory
import RondoRecording

/// The identifiers and dates that a feature has made itself.
///
/// A recording tells what the dependencies `uuid` and `date` have given. Where it does not, because it is
/// older, made values are told by where they are first seen: what an action of the user carries came from
/// outside, as did what an endpoint has answered. The rest was made by the reducer or by an effect. A
/// date that is the present was read from the store's.
struct MadeValues {
  /// The texts of the identifiers, in the order in which a test makes them; `nil` for one that is nowhere
  /// in the recording.
  private(set) var identifiers: [String?] = []
  /// The code of each date, by its text: the name of a constant, or a placeholder.
  private(set) var dates: [String: String] = [:]
  /// The names of the dates to read before each action.
  private(set) var names: [Int: [String]] = [:]

  private var known: Set<String> = []
  private let draws: Draws
  private let begin: RecordingLine.Begin
  /// Whether the options leave dates to `store.date`.
  private let makesDates: Bool
  /// Whether a test has the dates of the recording.
  private let hasDates: Bool
  private var nameCount = 0
  /// The names of the dates that an action has read, by their times.
  private var presents: [Int: [Double: String]] = [:]

  /// The greatest difference between a date and the time of the recording, in seconds, for the date to
  /// be the present. A recording is begun a little after its date was read, on the isolation of its store.
  private static let tolerance = 0.25

  /// The greatest difference of two equal dates, in seconds: they are printed with milliseconds.
  private static let precision = 0.0015

  /// - Parameter answers: The actions that carry the answers of endpoints.
  init(_ history: History, _ steps: TestSteps, _ options: TestOptions, answers: Set<Int>) {
    begin = history.begin
    draws = Draws(history)
    makesDates = !options.dependencies.contains { $0.contains(".date") }
    hasDates = options.namesTimeline || history.begin.host == "TestStore"
    for text in begin.state.madeTexts { known.insert(text) }
    let items = steps.blocks.flatMap(\.steps).flatMap(\.items)
    // Actions of one commit may be received in another order than that in which they were handled.
    let lastItems = Dictionary(
      items.enumerated().compactMap { index, item in
        item.moment.commit.map { ($0.commit, index) }
      }, uniquingKeysWith: { $1 })
    for (index, item) in items.enumerated() {
      let action = item.action
      let isOutside = action.effect == nil || answers.contains(action.action)
      for text in action.value.madeTexts where known.insert(text).inserted && !isOutside {
        let read = (draws.dates[action.action] ?? []).map { (date: $0, action: action.action) }
        add(text, by: action.action, from: action.at, to: action.at, read)
      }
      guard let commit = item.moment.commit, lastItems[commit.commit] == index else { continue }
      let first = history.actions[commit.actions[0]]?.at ?? action.at
      // Time may pass in the test between actions that share a commit.
      let read = commit.actions.flatMap { action in
        (draws.datesOfReducer[action] ?? []).map { (date: $0, action: action) }
      }
      for text in commit.changes.flatMap(\.madeTexts) where known.insert(text).inserted {
        add(text, by: action.action, from: first, to: commit.at, read, isReduced: true)
      }
    }
    if !draws.isEmpty { identifiers = draws.identifiers(items) }
    // One date needs no number.
    guard nameCount == 1 else { return }
    names = names.mapValues { _ in ["date"] }
    dates = dates.mapValues { $0.replacing(/^date1\b/, with: "date") }
  }

  /// - Parameters:
  ///   - action: The number of the action that it came by.
  ///   - read: The dates that were read for it, in seconds since 1970, each with the action for which that was.
  ///   - isReduced: Whether the reducer has made the value, and not an effect.
  private mutating func add(
    _ text: String, by action: Int, from start: Double, to end: Double,
    _ read: [(date: Double, action: Int)], isReduced: Bool = false
  ) {
    guard let date = Date(recorded: text)?.timeIntervalSince1970 else {
      identifiers.append(text)
      return
    }
    guard makesDates else { return }
    if let (present, reader, interval) = Self.reckoned(date, from: read) {
      let name = name(of: present, before: reader)
      dates[text] = interval == 0 ? name : "\(name).addingTimeInterval(\(number(interval)))"
      return
    }
    let time = date - begin.date
    if read.isEmpty, time > start - Self.tolerance, time < end + Self.tolerance {
      dates[text] = name(of: date, before: action)
    } else if isReduced, !hasDates {
      dates[text] = Code.placeholder("\(text), which the feature has made").inline
    }
  }

  /// The present that a date is, or that it was reckoned from by whole seconds.
  private static func reckoned(
    _ date: Double, from presents: [(date: Double, action: Int)]
  ) -> (present: Double, action: Int, interval: Double)? {
    let found = presents.map {
      (present: $0.date, action: $0.action, interval: (date - $0.date).rounded())
    }
    .filter { abs(date - $0.present - $0.interval) < precision }
    // Of those that are printed alike the last one has stayed.
    let milliseconds = (date * 1000).rounded()
    return found.last { $0.interval == 0 && ($0.present * 1000).rounded(.down) == milliseconds }
      ?? found.first { $0.interval == 0 } ?? found.first
  }

  /// The name of the constant for a date that is read before an action of a number.
  private mutating func name(of date: Double, before action: Int) -> String {
    let key = (date * 1000).rounded(.down)
    if let name = presents[action]?[key] { return name }
    nameCount += 1
    let name = "date\(nameCount)"
    presents[action, default: [:]][key] = name
    names[action, default: []].append(name)
    return name
  }

  /// The code that gives a test the same identifiers; `nil` where there are none.
  var generator: String? {
    guard !identifiers.isEmpty else { return nil }
    let isCounted = identifiers.allSatisfy { $0?.hasPrefix("00000000-0000-0000-0000-") != false }
    if isCounted, identifiers.contains("00000000-0000-0000-0000-000000000000") {
      return "$0.uuid = .incrementing"
    }
    let codes = identifiers.map { $0.map { RecordedNode($0).code().inline } ?? "UUID()" }
    return """
      let identifiers = LockIsolated<ArraySlice<UUID>>([
      \(codes.map { "  \($0),\n" }.joined())])
      $0.uuid = UUIDGenerator { identifiers.withValue { $0.popFirst() } ?? UUID() }
      """
  }
}

/// The values that the dependencies `uuid` and `date` have given.
private struct Draws {
  private typealias Identifier = (number: Int, text: String)

  /// The dates that an effect has read before an action of it, since its last wait.
  private(set) var dates: [Int: [Double]] = [:]
  /// The dates that the reducer has read for an action.
  private(set) var datesOfReducer: [Int: [Double]] = [:]
  /// The identifiers that are first seen in an action, and in a commit.
  private var identifiersOfActions: [Int: [Identifier]] = [:]
  private var identifiersOfCommits: [Int: [Identifier]] = [:]

  /// Whether the recording tells of no identifiers.
  var isEmpty: Bool { identifiersOfActions.isEmpty && identifiersOfCommits.isEmpty }

  init(_ history: History) {
    var datesOfEffects: [Int: [Double]] = [:]
    var (action, commit): (Int?, Int?) = (nil, nil)
    for (_, line) in history.file.lines {
      switch line {
      case .action(let line):
        (action, commit) = (line.action, nil)
        if let effect = line.effect { dates[line.action] = datesOfEffects[effect] }
      case .commit(let line): commit = line.commit
      case .effectWaits(let line): datesOfEffects[line.effect] = nil
      case .effectResumed(let line): datesOfEffects[line.effect] = nil
      case .drawn(let line):
        if let date = line.date {
          if let effect = line.effect {
            datesOfEffects[effect, default: []].append(date)
          } else if let action {
            datesOfReducer[action, default: []].append(date)
          }
        } else if let text = line.uuid, let number = line.number {
          if let commit {
            identifiersOfCommits[commit, default: []].append((number, text))
          } else if let action {
            identifiersOfActions[action, default: []].append((number, text))
          }
        }
      default: break
      }
    }
  }

  /// All identifiers, in the order in which a test asks for them, with `nil` for those that the
  /// recording has nowhere.
  ///
  /// That is the order of the recording, unless virtual time brings an answer earlier.
  func identifiers(_ items: [TestSteps.Item]) -> [String?] {
    var drawn = items.flatMap { item -> [Identifier] in
      let action = identifiersOfActions[item.action.action] ?? []
      guard let commit = item.moment.commit, commit.actions.last == item.action.action else {
        return action
      }
      return (action + (identifiersOfCommits[commit.commit] ?? [])).sorted { $0.number < $1.number }
    }
    let actions = items.map(\.action.action)
    if actions == actions.sorted() { drawn.sort { $0.number < $1.number } }
    var seen = Set(drawn.map(\.number))
    return drawn.flatMap { number, text -> [String?] in
      let missing = (1..<max(1, number)).reversed().prefix(Self.limit).prefix {
        seen.insert($0).inserted
      }
      return Array(repeating: nil, count: missing.count) + [text]
    }
  }

  /// The greatest number of identifiers in a row that are nowhere.
  private static let limit = 1_000
}

extension History {
  /// The order in which the dependency `uuid` has given identifiers.
  var numbersOfIdentifiers: [String: Int] {
    let drawn = file.lines.compactMap { _, line -> (String, Int)? in
      guard case .drawn(let draw) = line, let text = draw.uuid, let number = draw.number else {
        return nil
      }
      return (text, number)
    }
    return Dictionary(drawn, uniquingKeysWith: min)
  }

  var issues: [RecordingLine.Issue] {
    events.compactMap { if case .issue(let issue) = $0 { issue } else { nil } }
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
  /// The texts of the identifiers and dates in the text, which a feature may have made. Identifiers are
  /// in the form in which they are printed.
  fileprivate var madeTexts: [String] {
    hasPrefix("Date(") ? [self] : identifierRanges.map { self[$0].uppercased() }
  }

  /// The text with other texts in place of the identifiers in it.
  func replacingIdentifiers(_ replacement: (String) -> String) -> String {
    let ranges = identifierRanges
    guard !ranges.isEmpty else { return self }
    var text = ""
    var end = startIndex
    for range in ranges {
      text += self[end..<range.lowerBound] + replacement(self[range].uppercased())
      end = range.upperBound
    }
    return text + self[end...]
  }

  /// The places of UUIDs in the text that are no parts of longer words.
  private var identifierRanges: [Range<Index>] {
    UUIDText.positions(in: utf8).map { position in
      let start = utf8.index(startIndex, offsetBy: position)
      return start..<utf8.index(start, offsetBy: UUIDText.length)
    }
  }
}

extension RecordedNode {
  /// The texts of the identifiers and dates in the value, in order, also those that are keys, or stand in
  /// texts.
  var madeTexts: [String] {
    var texts: [String] = []
    addMadeTexts(to: &texts)
    return texts
  }

  private func addMadeTexts(to texts: inout [String]) {
    if let value { texts += value.madeTexts }
    for child in children {
      if kind == .dictionary { texts += child.name.madeTexts }
      child.node.addMadeTexts(to: &texts)
    }
  }
}

extension RecordedChange {
  /// The texts of the identifiers and dates that the change has brought.
  fileprivate var madeTexts: [String] {
    guard let new else { return [] }
    // The last name is the key of a new entry.
    return (old == nil ? path.last?.madeTexts ?? [] : []) + new.madeTexts
  }
}
