// The cases, outcomes and causes that the runs of an exploration have reached.

import Rondo

/// The cases of the actions, the outcomes and the consequences that any run has come to.
final class ReachTable<Action> {
  /// The cases, outcomes and causes that were reached.
  struct Record: Sendable {
    var isHandled: [Bool]
    /// The endpoints that were called, also where no call got an outcome.
    var called: Set<Int> = []
    /// For each endpoint, its outcomes, and whether they were taken.
    var outcomes: [[(text: String, isTaken: Bool)]]
    var hasCause: [Bool]
    var facts: RunFacts = []
  }

  private let number: ((Action) -> Int)?
  private let caseNames: [String]
  private(set) var record: Record
  private var missingCaseCount: Int

  init(endpointCount: Int, consequenceCount: Int) {
    number = caseNumber(of: Action.self)
    caseNames = number == nil ? [] : Rondo.caseNames(of: Action.self) ?? []
    missingCaseCount = caseNames.count
    record = Record(
      isHandled: caseNames.map { _ in false },
      outcomes: [[(text: String, isTaken: Bool)]](repeating: [], count: endpointCount),
      hasCause: [Bool](repeating: false, count: consequenceCount))
  }

  /// Adds the record of other runs, which were made with another table.
  func add(_ other: Record) {
    note(other.facts)
    record.called.formUnion(other.called)
    for index in other.isHandled.indices where other.isHandled[index] {
      record.isHandled[index] = true
    }
    for index in other.hasCause.indices where other.hasCause[index] {
      record.hasCause[index] = true
    }
    for (endpoint, outcomes) in other.outcomes.enumerated() {
      for (index, outcome) in outcomes.enumerated() {
        if index == record.outcomes[endpoint].count { record.outcomes[endpoint].append(outcome) }
        if outcome.isTaken { record.outcomes[endpoint][index].isTaken = true }
      }
    }
  }

  /// Whether there is a case that no action was of.
  var isCaseMissing: Bool { missingCaseCount > 0 }

  func noteHandled(_ action: Action) {
    guard let number = number?(action), record.isHandled.indices.contains(number),
      !record.isHandled[number]
    else { return }
    record.isHandled[number] = true
    missingCaseCount -= 1
  }

  /// Takes note of the outcome of a call.
  func noteOutcome(_ index: Int, of call: PendingCall) {
    let endpoint = call.id.endpoint
    // Later steps of a call are its answer, further elements, and repetitions.
    guard call.progress == 0, record.outcomes.indices.contains(endpoint) else { return }
    for outcome in call.outcomes.dropFirst(record.outcomes[endpoint].count) {
      let text = outcome.text()
      record.outcomes[endpoint].append((text.isEmpty ? ".\(outcome.method)" : text, false))
    }
    record.outcomes[endpoint][index].isTaken = true
  }

  /// Takes note of what is true of a run, and of the number of calls of each endpoint in it.
  func note(_ facts: RunFacts, calls: [Int]) {
    note(facts)
    for (endpoint, count) in calls.enumerated() where count > 0 { record.called.insert(endpoint) }
  }

  private func note(_ facts: RunFacts) { record.facts.formUnion(facts) }

  func noteCause(_ index: Int) { record.hasCause[index] = true }

  /// Whether any run has called an endpoint.
  func isCalled(_ endpoint: Int) -> Bool { record.called.contains(endpoint) }

  /// The consequences whose cause no run has come to.
  var consequencesWithoutCause: [Int] {
    record.hasCause.indices.filter { !record.hasCause[$0] }
  }

  /// The cases and outcomes that no run has reached, each in a few words.
  ///
  /// - Parameter name: The name of an endpoint.
  func unreached(_ name: (Int) -> String) -> [String] {
    let handled = record.isHandled
    var texts = handled.indices.filter { !handled[$0] }.map { ".\(caseNames[$0])" }
    for (endpoint, outcomes) in record.outcomes.enumerated() {
      if outcomes.isEmpty {
        texts.append("\(isCalled(endpoint) ? "an answer" : "a call") of \(name(endpoint))")
      } else {
        texts += outcomes.filter { !$0.isTaken }.map { "\(name(endpoint)): \($0.text)" }
      }
    }
    return texts
  }
}
