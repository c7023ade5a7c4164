// The text of an explorer's failure.

import Rondo
import RondoScheduling
import RondoTestStore

extension Explorer {
  /// The text of a failure.
  ///
  /// - Parameter count: How many runs were made; `nil` where only this one was.
  func text(of run: ExplorerRun<State, Action>, after count: Int?) -> String {
    guard let failure = run.failure else { return "" }
    let order = "\(run.actionLimit)-\(run.chooser.order)"
    var parts = [headline(failure), failure.detail, run.chooser.steps.timeline]
    if run.chooser.steps.contains(where: \.isDeviation) {
      parts.append("(▸: something else was there first)")
    }
    if let count { parts.append("Found in run \(count). This run again: .replay(\"\(order)\")") }
    parts.append(
      test(of: run).map { "As a test:\n\n\($0)" }
        ?? """
        No test with 'TestStore' says this: it needs an action, or an answer, while an effect is in \
        the middle of what it does. Keep the replay as the test.
        """)
    return parts.joined(separator: "\n\n")
  }

  private func headline(_ failure: RunFailure) -> String {
    switch failure.kind {
    case .always(let index):
      "This is to hold always, and does not after the last step: \(description(of: conditions[index]))"
    case .eventually(let index):
      "This is to hold in the end, and does not: \(description(of: conditions[index]))"
    case .model: "The feature does not agree with its model (expected: −, actual: +)."
    case .issue: "The feature has reported an issue."
    }
  }

  private func description(of condition: Condition) -> String {
    condition.name ?? conditionText(condition).map { "{ \($0) }" }
      ?? "the condition in line \(condition.position.line)"
  }

  /// The code of a condition, as it stands in the source.
  private func conditionText(_ condition: Condition) -> String? {
    let name = condition.kind == .always ? "always" : "eventually"
    return SourceText(of: condition.position)?.trailingClosure(ofCall: name)
  }

  /// A key path to an endpoint, as it stands in the source.
  private func keyPathText(_ index: Int) -> String? {
    SourceText(of: endpoints[index].position)?.argument("of", ofCall: "outcomes")
  }

  func nameOfEndpoint(_ index: Int) -> String {
    keyPathText(index)?.split(separator: ".").last.map(String.init) ?? "endpoint\(index)"
  }

  // MARK: As a test

  /// A test that fails as the run does; `nil` where a test cannot do what the run does.
  private func test(of run: ExplorerRun<State, Action>) -> String? {
    guard !run.hasOvertaken, let steps = lines(of: run.trace),
      let start = SourceText(of: position)?.creation(of: "Explorer")
    else { return nil }
    let calls = endpoints.indices.filter { index in run.trace.contains { $0.isAnswer(of: index) } }
    let endpoints = calls.flatMap { index in
      [
        "let \(nameOfEndpoint(index)) = \(self.endpoints[index].type)()",
        "store.dependencies\((keyPathText(index) ?? "").dropFirst()) = "
          + "\(nameOfEndpoint(index)).endpoint()",
      ]
    }
    let lines =
      ["let store = TestStore\(start)", "store.exhaustivity = .off"] + endpoints + [""] + steps
      + ["await store.skipReceivedActions(strict: false)"] + expectation(run.failure)
    return "@Test func foundByExploration() async {\n"
      + lines.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n") + "\n}"
  }

  private func lines(of trace: [RunStep<Action>]) -> [String]? {
    var lines: [String] = []
    var isInMiddleOfInstant = false
    for step in trace {
      switch step {
      case .action(let action, _):
        guard !isInMiddleOfInstant else { return nil }
        lines.append("await store.send(\(summary(of: action, limit: 10_000)))")
      case .answer(let id, _, let method, let text):
        guard !isInMiddleOfInstant else { return nil }
        let arguments = text.isEmpty ? "\(id.number)" : "\(id.number), \(text)"
        lines.append("\(nameOfEndpoint(id.endpoint)).\(method)(\(arguments))")
      case .time(let item, let isLast, let duration):
        guard item == 0 else { return nil }
        if !isInMiddleOfInstant { lines.append("await store.advance(by: \(duration.code))") }
        isInMiddleOfInstant = !isLast
      case .cancel:
        return nil
      }
    }
    return lines
  }

  private func expectation(_ failure: RunFailure?) -> [String] {
    switch failure?.kind {
    case .always(let index), .eventually(let index):
      let text = conditionText(conditions[index])?.replacing("$0", with: "store.state")
      return ["#expect(\(text ?? "/* \(description(of: conditions[index])) */ false"))"]
    case .model: return ["// Compare store.state with what the model says."]
    case .issue, nil: return []
    }
  }
}

extension RunStep {
  fileprivate func isAnswer(of endpoint: Int) -> Bool {
    if case .answer(let id, _, _, _) = self { id.endpoint == endpoint } else { false }
  }
}
