// What the runs of an exploration have come to, and what none of them has.

import Rondo

/// The cases of the actions, the outcomes and the consequences that any run has come to.
final class ReachTable<Action> {
  private let number: ((Action) -> Int)?
  private let caseNames: [String]
  private var isHandled: [Bool]
  private var missingCaseCount: Int
  /// For each endpoint, whether an outcome was taken, and its text.
  private var outcomes: [[(text: String, isTaken: Bool)]]
  private var hasCause: [Bool]

  init(endpointCount: Int, consequenceCount: Int) {
    number = caseNumber(of: Action.self)
    caseNames = number == nil ? [] : Rondo.caseNames(of: Action.self) ?? []
    isHandled = caseNames.map { _ in false }
    missingCaseCount = caseNames.count
    outcomes = [[(text: String, isTaken: Bool)]](repeating: [], count: endpointCount)
    hasCause = [Bool](repeating: false, count: consequenceCount)
  }

  /// Whether there is a case that no action was of.
  var isCaseMissing: Bool { missingCaseCount > 0 }

  func noteHandled(_ action: Action) {
    guard let number = number?(action), isHandled.indices.contains(number), !isHandled[number]
    else { return }
    isHandled[number] = true
    missingCaseCount -= 1
  }

  /// Takes note of the outcome of a call.
  func noteOutcome(_ index: Int, of call: PendingCall) {
    let endpoint = call.id.endpoint
    // What comes after it are its answer, further elements, and repetitions.
    guard call.progress == 0, outcomes.indices.contains(endpoint) else { return }
    for outcome in call.outcomes.dropFirst(outcomes[endpoint].count) {
      let text = outcome.text()
      outcomes[endpoint].append((text.isEmpty ? ".\(outcome.method)" : text, false))
    }
    outcomes[endpoint][index].isTaken = true
  }

  func noteCause(_ index: Int) { hasCause[index] = true }

  /// The consequences whose cause no run has come to.
  var consequencesWithoutCause: [Int] { hasCause.indices.filter { !hasCause[$0] } }

  /// What no run has come to, each in a few words.
  ///
  /// - Parameter name: The name of an endpoint.
  func unreached(_ name: (Int) -> String) -> [String] {
    var texts = isHandled.indices.filter { !isHandled[$0] }.map { ".\(caseNames[$0])" }
    for (endpoint, outcomes) in outcomes.enumerated() {
      if outcomes.isEmpty {
        texts.append("a call of \(name(endpoint))")
      } else {
        texts += outcomes.filter { !$0.isTaken }.map { "\(name(endpoint)): \($0.text)" }
      }
    }
    return texts
  }
}
