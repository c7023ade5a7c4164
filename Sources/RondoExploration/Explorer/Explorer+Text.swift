// The text of an explorer's failure.

import Rondo
import RondoScheduling
import RondoTestStore

extension Explorer {
  /// The text of a failure.
  ///
  /// - Parameter count: How many runs were made; `nil` where only this one was.
  nonisolated(nonsending) func text(
    of run: ExplorerRun<State, Action>, after count: Int?
  ) async -> String {
    guard let failure = run.failure else { return "" }
    let order = "\(run.actionLimit)-\(run.chooser.order)"
    var parts = [headline(failure), failure.detail, run.chooser.steps.timeline]
    if run.chooser.steps.contains(where: \.isDeviation) {
      parts.append("(▸: something else was there first)")
    }
    if let count {
      let place = count == 0 ? "Found again, by an order that was saved." : "Found in run \(count)."
      parts.append("\(place) This run again: .replay(\"\(order)\")")
    }
    if let path = run.pathOfRecording() {
      parts.append("The recording of this run is in \(path). See it by: rondo view \(path)")
    }
    switch await test(of: run) {
    case .success(let test): parts.append("As a test:\n\n\(test)")
    case .failure(let reason): parts.append(text(of: reason, order))
    }
    return parts.joined(separator: "\n\n")
  }

  /// The text of a failure that is gone when the run is made again.
  func textOfFailureThatDoesNotRecur(
    _ run: ExplorerRun<State, Action>, after count: Int
  ) -> String {
    guard let failure = run.failure else { return "" }
    return """
      \(headline(failure))

      \(failure.detail)

      Found in run \(count), and not when the same run was made again, which is \
      .replay("\(run.actionLimit)-\(run.chooser.order)"). Something does not depend on the order alone: a \
      value that is kept from one run to the next, a random number, a thread, a live clock. Give each run \
      values of its own, and the feature dependencies for the rest.
      """
  }

  private func headline(_ failure: RunFailure) -> String {
    switch failure.kind {
    case .always(let index):
      "This is to hold always, and does not after the last step: \(description(of: conditions[index]))"
    case .eventually(let index):
      "This is to hold in the end, and does not: \(description(of: conditions[index]))"
    case .everyStep(let index):
      "This is to hold of every step, and does not of the last one: "
        + description(
          stepConditions[index].name, stepConditions[index].position, ofCall: "everyStep")
    case .consequence(let index):
      "This was to come in the end, and has not: \(description(of: consequences[index]))"
    case .inFlight:
      "Nothing is left to happen, and effects are still in flight. End or cancel them:"
    case .model: "The feature does not agree with its model (expected: −, actual: +)."
    case .issue: "The feature has reported an issue."
    }
  }

  private func description(of condition: ExploredCondition) -> String {
    let call = condition.kind == .always ? "always" : "eventually"
    return description(condition.name, condition.position, ofCall: call)
  }

  private func description(
    _ name: String?, _ position: SourcePosition, ofCall call: String
  ) -> String {
    let code = SourceText(of: position)?.trailingClosure(ofCall: call)
    return name ?? code.map { "{ \(SourceText.oneLine($0)) }" }
      ?? "the condition in line \(position.line)"
  }

  func description(of consequence: Consequence) -> String {
    let (name, position) = (consequence.cause.name, consequence.cause.position)
    let cause = description(name, position, ofCall: "whenever")
    guard name == nil, let result = resultText(consequence) else { return cause }
    return "whenever \(cause), eventually { \(SourceText.oneLine(result)) }"
  }

  /// The code of what something leads to, as it stands in the source.
  private func resultText(_ consequence: Consequence) -> String? {
    SourceText(of: consequence.cause.position)?
      .labeledClosure("eventually", ofCall: "whenever")
  }

  /// The code of a condition, as it stands in the source.
  private func conditionText(_ condition: ExploredCondition) -> String? {
    let name = condition.kind == .always ? "always" : "eventually"
    return SourceText(of: condition.position)?.trailingClosure(ofCall: name)
  }

  /// A key path to an endpoint, as it stands in the source.
  private func keyPathText(_ index: Int) -> String? {
    let endpoint = endpoints[index]
    return SourceText(of: endpoint.position)?.argument(endpoint.label, ofCall: "outcomes")?
      .replacing("\\DependencyValues.", with: "\\.")
  }

  func nameOfEndpoint(_ index: Int) -> String {
    EndpointNames(keyPaths: endpoints.indices.map(keyPathText)).names[index]
  }

  /// The text of something that no run has come to.
  func text(
    of goal: ExploredGoal, _ nearest: GoalTable.Approach?, _ coverage: ExplorationCoverage,
    _ facts: RunFacts, steps: Int
  ) -> String {
    let code = SourceText(of: goal.position)?.trailingClosure(ofCall: "sometimes")
    let name =
      goal.name ?? code.map { "{ \(SourceText.oneLine($0)) }" }
      ?? "the condition in line \(goal.position.line)"
    let time =
      facts.contains(.isCutShort)
      ? ", or more time by '.patience(…)', since something was still due" : ""
    let headline =
      coverage.isComplete
      ? """
      This cannot be reached in \(steps) step\(steps == 1 ? "" : "s"), in none of all orders: \(name). Allow \
      more steps, actions or outcomes\(time), or mend what keeps the feature from it.
      """
      : """
      This is to be reached sometimes, and was not in \(coverage.orderCount) orders: \(name). Make more runs, \
      or look at what keeps the feature from it.
      """
    guard let nearest else { return headline }
    // Each part stands in a line of its own, behind the name of the state.
    let lines = code?.split(whereSeparator: \.isNewline).map { SourceText.oneLine($0) } ?? []
    let parts = lines.suffix(nearest.parts.count)
    let missing = nearest.parts.indices.filter { !nearest.parts[$0] }.map { index in
      parts.count == nearest.parts.count ? parts[parts.startIndex + index] : "part \(index + 1)"
    }
    return """
      \(headline)

      What came nearest, \(nearest.count) of \(nearest.parts.count) parts, without \
      \(missing.joined(separator: "; ")): .replay("\(nearest.order)")

      \(nearest.state)
      """
  }

  // MARK: As a test

  /// Why a run cannot be written as a test.
  private enum Reason: Error {
    /// Something happens in the middle of what an effect does, or of what is due at one instant.
    case happensInTheMiddle
    /// An effect is cancelled from outside.
    case cancelsEffect
    /// The property that does not hold is one that only an explorer can ask.
    case needsExplorer
    /// No code is known that makes a value.
    case hasNoCode(String)
    /// A type is declared inside of a function.
    case isLocal
    /// The code at a position is not what was compiled, or is not there.
    case isNotInSource(SourcePosition)
  }

  private func text(of reason: Reason, _ order: String) -> String {
    switch reason {
    case .happensInTheMiddle:
      """
      No test with 'TestStore' says this: it needs an action, or an answer, while an effect is in the \
      middle of what it does. \(replayAsTest(order))
      """
    case .cancelsEffect:
      """
      No test with 'TestStore' says this: an effect is cancelled, and by none of the feature's actions. \
      \(replayAsTest(order))
      """
    case .needsExplorer:
      """
      A test with 'TestStore' cannot ask this. \(replayAsTest(order))
      """
    case .hasNoCode(let value):
      """
      No test with 'TestStore' is written, because it is not known what makes this value: \(value). \
      \(replayAsTest(order))
      """
    case .isLocal:
      """
      No test outside of this function says this, because a type is declared in it. The replay is the test, in \
      place of '.explore(…)':

      .replay("\(order)")
      """
    case .isNotInSource(let position):
      """
      It cannot be written as a test: what the explorer is made of is not found in line \(position.line) of \
      \(position.filePath), or the file cannot be read. Build again if it has changed, or keep the replay as the \
      test.
      """
    }
  }

  /// The replay of a run as a test, with the explorer as it stands in the source.
  private func replayAsTest(_ order: String) -> String {
    guard let chain = SourceText(of: position)?.chain(from: "Explorer", to: "explore") else {
      return "Keep the replay as the test."
    }
    return "The replay is the test:\n\n"
      + test(["await \(chain[0])"] + chain.dropFirst() + ["  .replay(\"\(order)\")"])
  }

  /// A test of some lines, with a comment for what it needs of the function around the explorer.
  private func test(_ lines: [String], trait: String = "") -> String {
    let code = lines.joined(separator: "\n")
    let names = SourceText(of: position)?.names(usedBy: code) ?? []
    let comment =
      names.isEmpty
      ? [] : ["// To be taken along from around the explorer: \(names.joined(separator: ", "))."]
    let body = (comment + lines).map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    // Closures throw their errors themselves.
    var outside = code
    while case let rest = outside.replacing(/{[^{}]*}/, with: ""), rest != outside {
      outside = rest
    }
    let effects = outside.contains(/\btry\s/) ? "async throws" : "async"
    return "@Test\(trait) func foundByExploration() \(effects) {\n\(body)\n}"
  }

  /// A test that fails as the run does.
  private nonisolated(nonsending) func test(
    of run: ExplorerRun<State, Action>
  ) async -> Result<String, Reason> {
    let types: [Any.Type] = [State.self, Action.self] + endpoints.map(\.result)
    guard types.allSatisfy({ ValueCode.name(of: $0) != nil }) else { return .failure(.isLocal) }
    switch run.failure?.kind {
    case .everyStep, .inFlight: return .failure(.needsExplorer)
    default: break
    }
    let test = TestOfRun(self, run)
    // Read for both forms.
    let sources = PackageSources(of: position)
    if !run.hasOvertaken {
      let values = ValueCode(sources)
      switch lines(of: run, areInOrder: false, values) {
      case .success(let steps):
        if let form = await test.plainForm() { return code(of: run, steps, form, values) }
      case .failure(.happensInTheMiddle): break
      case .failure(let reason): return .failure(reason)
      }
    }
    let values = ValueCode(sources)
    switch lines(of: run, areInOrder: true, values) {
    case .success(let steps):
      guard let form = await test.formInOrder() else { return .failure(.happensInTheMiddle) }
      return code(of: run, steps, form, values)
    case .failure(let reason): return .failure(reason)
    }
  }

  private func code(
    of run: ExplorerRun<State, Action>, _ steps: [String], _ form: TestOfRun<State, Action>.Form,
    _ values: ValueCode
  ) -> Result<String, Reason> {
    let asked = expectation(
      run, form.asksAfterEveryAction ? "state" : "store.state", values)
    if let unknown = values.unknown { return .failure(.hasNoCode(unknown)) }
    guard
      let start = SourceText(of: position)?.creation(
        of: "Explorer", askingAfterEveryAction: form.asksAfterEveryAction ? asked : [])
    else {
      return .failure(.isNotInSource(position))
    }
    var endpointLines: [String] = []
    // Those without an answer, too: the feature may call them, which would be an issue of its own.
    for index in endpoints.indices {
      guard let keyPath = keyPathText(index) else {
        return .failure(.isNotInSource(endpoints[index].position))
      }
      let name = nameOfEndpoint(index)
      endpointLines += [
        "let \(name) = \(endpoints[index].type)()",
        "store.dependencies\(keyPath.dropFirst()) = \(name).endpoint()",
      ]
    }
    let lines =
      ["let store = TestStore\(start)", "store.exhaustivity = .off"] + endpointLines + [""] + steps
      + ["await store.skipReceivedActions(strict: false)"]
      + (form.asksAfterEveryAction ? [] : asked)
    let trait = form.order.deviationCount == 0 ? "" : "(.order(\"\(form.order)\"))"
    return .success(test(lines, trait: trait))
  }

  /// - Parameter areInOrder: Whether the test has an order, which says what happens in the middle of an
  ///   instant.
  private func lines(
    of run: ExplorerRun<State, Action>, areInOrder: Bool, _ values: ValueCode
  ) -> Result<[String], Reason> {
    var lines: [String] = []
    var answers = run.answers[...]
    var isInMiddleOfInstant = false
    var isAnswered = false
    for step in run.trace {
      switch step {
      case .action(let action, _):
        guard !isInMiddleOfInstant || areInOrder else {
          return .failure(.happensInTheMiddle)
        }
        lines.append("await store.send(\(values.text(action)))")
        isAnswered = false
      case .answer(let id, _, let method, _):
        guard let answer = answers.popFirst() else { return .failure(.needsExplorer) }
        if PendingOutcome.isSilent(method) { continue }
        guard !isInMiddleOfInstant || areInOrder else {
          return .failure(.happensInTheMiddle)
        }
        let text = answer.written { values.text($0) }
        let arguments = text.isEmpty ? "\(id.number)" : "\(id.number), \(text)"
        // All that one answer leads to happens before the next one, whose call may come of it.
        if isAnswered { lines.append("await store.skipReceivedActions(strict: false)") }
        isAnswered = true
        // The mend may cancel the call, or never make it; the test holds then.
        lines.append("\(nameOfEndpoint(id.endpoint)).\(method)(\(arguments), strict: false)")
      case .time(let item, let isLast, let duration):
        guard item == 0 || areInOrder else { return .failure(.happensInTheMiddle) }
        if areInOrder ? duration > .zero : !isInMiddleOfInstant {
          lines.append("await store.advance(by: \(duration.code))")
        }
        isAnswered = false
        isInMiddleOfInstant = !isLast
      case .arrival(let duration):
        lines.append("await store.advance(by: \(duration.code))")
        isAnswered = false
        isInMiddleOfInstant = true
      case .cancel:
        return .failure(.cancelsEffect)
      }
    }
    return .success(lines)
  }

  private func expectation(
    _ run: ExplorerRun<State, Action>, _ state: String, _ values: ValueCode
  ) -> [String] {
    switch run.failure?.kind {
    case .always(let index), .eventually(let index):
      let text = conditionText(conditions[index]).flatMap {
        SourceText.applying("{ \($0) }", to: state)
      }
      return ["#expect(\(text ?? "/* \(description(of: conditions[index])) */ false"))"]
    case .consequence(let index):
      let text = resultText(consequences[index]).flatMap {
        SourceText.applying("{ \($0) }", to: state)
      }
      return ["#expect(\(text ?? "/* \(description(of: consequences[index])) */ false"))"]
    case .model(let index):
      let expected = values.text(run.expected)
      guard let compared = comparedText(index) else {
        return [
          "Issue.record(\"Compare store.state with the model, which says:\")", "// \(expected)",
        ]
      }
      return ["#expect(\(compared) == \(expected))"]
    case .everyStep, .inFlight, .issue, nil: return []
    }
  }

  /// The value that is compared with a model, as a test writes it; `nil` where the source does not tell.
  private func comparedText(_ model: Int) -> String? {
    let source = SourceText(of: modelPositions[model])
    let function =
      source?.argument("comparing", ofCall: "matches")
      ?? source?.trailingClosure(ofCall: "matches").map { "{ \($0) }" }
    return function.flatMap { SourceText.applying($0, to: "store.state") }
  }
}
