// The recorder of one store: an observer of its machine that writes lines.

import Foundation
import Rondo
import RondoScheduling

/// Writes what a machine does. It is used on the machine's isolation only.
package final class StoreRecorder<State, Action> {
  // Not the recording, which is to end when its owner releases it.
  private let writer: RecordingWriter
  private let clock: RecordingClock
  private let call: SourcePosition
  private var redactor: Redactor

  /// The deeds of tools; `nil` where they may do nothing.
  private var control: StoreControl<State, Action>?

  /// The last tree that was recorded.
  private var tree: RecordedNode
  private var digests = DigestMemory()
  /// The first action that was recorded, and those that no commit has shown yet.
  private var firstAction: Int?
  private var actions: [Int] = []
  private var commits = 0
  /// The effects that this recording has seen start. Another recording of the same store may know
  /// more.
  private var effects = IndexSet()
  /// The identifiers that were given and not shown by an action or a commit yet, oldest first.
  private var drawn: [RecordingLine.Draw] = []
  private var drawnCount = 0
  private var reducedCount = 0
  /// The issues of the reducer at work, where they wait until it is known what the action has put into
  /// the state; otherwise `nil`.
  private var heldIssues: [ReportedIssue]?

  /// Begins a recording.
  ///
  /// - Parameters:
  ///   - host: The name of the kind of store.
  ///   - position: The place where the store was made.
  ///   - control: The permission for tools to act on the machine.
  ///   - call: The call that begins the recording.
  ///   - observe: Adds an observer to the machine. Returns a closure that ends the observation.
  ///   - ask: Passes on what a tool asks, on the machine's isolation.
  package static func begin(
    _ host: String,
    in state: State,
    at position: SourcePosition?,
    to url: URL,
    redacting redactions: [Redaction<State, Action>],
    clock: any Clock<Duration>,
    date: Date,
    control: RecordingControl? = nil,
    from call: SourcePosition,
    observe: (MachineObserver<State, Action>) -> @Sendable () -> Void,
    ask: @escaping @Sendable (any Sendable) async -> (any Sendable)? = { _ in nil }
  ) throws(RecordingError) -> Recording {
    // Before anything that takes its time, so that times count from the date.
    let clock = RecordingClock(clock)
    var redactor = try Redactor(redactions)
    try redactor.checkMembers(of: RecordedNode(of: state), redactions)
    let tree = redactor.state(state)
    let socket = control?.isOn == true ? try ControlSocket(at: control?.path) : nil
    let writer = try RecordingWriter(url)
    let recording = Recording(writer, clock, at: call, socket)
    // A test store may have put the state into a type that it can compare.
    let isWrapped = typeName(State.self).hasPrefix("ComparedByDump<")
    let shown = isWrapped ? (state as? any CustomDumpRepresentable)?.customDumpValue : nil
    let stateKind = shown.map { type(of: $0) } ?? State.self
    let stateType = typeName(stateKind)
    let begin = RecordingLine.Begin(
      host: host,
      feature: stateType.hasSuffix(".State") ? String(stateType.dropLast(6)) : stateType,
      stateType: stateType, actionType: typeName(Action.self),
      date: RecordingLine.bounded(date.timeIntervalSince1970),
      actionCases: caseNames(of: Action.self),
      actionIsEquatable: Action.self is any Equatable.Type,
      stateIsEquatable: stateKind is any Equatable.Type,
      stateIsCasePathable: caseNames(of: stateKind).map { _ in
        stateKind is any CasePathable.Type
      },
      place: position.map { "\($0)" }, control: socket?.path, state: tree)
    call.report(writer.write(begin, data: redactor.data(of: state, as: tree)))
    let recorder = StoreRecorder(recording, redactor, tree)
    if let socket {
      // Not the recorder, which keeps the control.
      recorder.control = StoreControl(socket, state) { [call, writer, clock] tool in
        var tool = tool
        call.report(
          writer.write(at: clock) { at in
            tool.at = at
            return .tool(tool)
          })
      }
    }
    recording.whenEnded(observe(recorder.observer))
    if let path = socket?.path {
      socket?.serve(writer.path) { request in
        if let answer = await ask(AddressedRequest(socket: path, request: request))
          as? ControlAnswer
        {
          return answer
        }
        var answer = ControlAnswer()
        answer.problem = "The recording has ended."
        return answer
      }
    }
    return recording
  }

  private init(_ recording: Recording, _ redactor: Redactor, _ tree: RecordedNode) {
    writer = recording.writer
    clock = recording.clock
    call = recording.position
    self.redactor = redactor
    self.tree = tree
  }

  private func write(data: [UInt8]? = nil, _ line: (_ at: Double) -> RecordingLine) {
    call.report(writer.write(at: clock, data: data, line))
  }

  // MARK: Observing

  private var observer: MachineObserver<State, Action> {
    var observer = MachineObserver<State, Action>()
    observer.willReduce = { [self] in willReduce($0, $1, $2) }
    if redactor.hidesState {
      // Effects and issues of an action may carry what it has just put into the state, and are told of
      // before the commit.
      observer.didHandle = { [self] _, state in
        guard writer.isOpen else { return }
        _ = redactor.state(state.pointee)
        let issues = heldIssues ?? []
        heldIssues = nil
        for issue in issues { write(issue) }
      }
    }
    observer.didCommit = { [self] in didCommit($0) }
    observer.didHappen = { [self] in didHappen($0) }
    observer.clock = clock.observer
    guard let control else { return observer }
    observer.pace = control.pace
    observer.didAsk = { [self] request, machine in
      guard let request = request as? AddressedRequest, request.socket == control.socket.path
      else { return nil }
      // Also where the disk is full: what is held can be let go.
      var answer = control.answer(request.request, machine)
      for index in answer.held.indices {
        answer.held[index].label = redactor.text(answer.held[index].label)
      }
      return answer
    }
    return observer
  }

  private func willReduce(_ action: Action, _ number: Int, _ effect: Int?) {
    guard writer.isOpen else { return }
    if firstAction == nil { firstAction = number }
    actions.append(number)
    let node = redactor.action(action, marksTypes: !(Action.self is any Equatable.Type))
    // The reducer does not see the action of a jump.
    let isJump = control?.willReduce(number, sentBy: effect) == true
    let effect = effect.flatMap { effects.contains($0) ? $0 : nil }
    write(data: isJump ? nil : redactor.data(of: action, as: node)) {
      .action(
        RecordingLine.Action(
          at: $0, action: number, case: node.caseName ?? typeName(Action.self),
          name: node.summary(limit: 60), value: node, effect: effect))
    }
    if !drawn.isEmpty { writeDrawn(shownBy: [node]) }
    if redactor.hidesState { heldIssues = [] }
  }

  private func didCommit(_ commit: Commit<State, Action>) {
    guard writer.isOpen else { return }
    let new = redactor.state(commit.newState)
    let changes = tree.changes(to: new)
    let digest = digests.digest(of: new)
    tree = new
    commits += 1
    control?.didCommit(commits, commit.newState, commit.actions)
    // Made here, because sampling an animation runs code of the program, and writing takes a lock.
    let transaction = RecordedTransaction(commit.transaction)
    write {
      .commit(
        RecordingLine.Commit(
          at: $0, commit: commits, actions: actions, transaction: transaction, changes: changes,
          digest: digest))
    }
    actions = []
    guard !drawn.isEmpty else { return }
    // The last name is the key of a new entry.
    writeDrawn(
      shownBy: changes.flatMap { change in
        [change.new, change.old == nil ? change.path.last.map { RecordedNode($0) } : nil]
          .compactMap(\.self)
      })
  }

  private func didHappen(_ event: MachineEvent) {
    guard writer.isOpen else { return }
    switch event {
    case .started(let effect): didStart(effect)
    case .waits(let effect, let kind, let duration, let time):
      let since = time?(by: clock.observer).map(RecordingClock.seconds)
      let name: String? =
        if case .scheduler(let name?) = kind { redactor.text(name) } else { nil }
      write {
        .effectWaits(
          RecordingLine.EffectWait(
            at: $0, effect: effect, on: RecordingLine.EffectWait.Wait(kind), scheduler: name,
            since: since.earlier(than: $0), duration: duration.map(Self.asked)))
      }
    case .resumed(let effect, let time):
      let since = time?(by: clock.observer).map(RecordingClock.seconds)
      write {
        .effectResumed(
          RecordingLine.EffectResumption(
            at: $0, effect: effect, since: since.earlier(than: $0)))
      }
    case .emitted(let effect, let action, let failed):
      guard effects.contains(effect) else { return }
      write {
        .emission(
          RecordingLine.Emission(
            at: $0, effect: effect, action: action, failed: failed ? true : nil))
      }
    case .ended(let effect, let ending, let cause):
      write {
        .effectEnded(
          RecordingLine.EffectEnd(
            at: $0, effect: effect, how: RecordingLine.EffectEnd.How(ending),
            by: cause.map(RecordedCause.init)))
      }
    case .drawn(.date(let date), let effect):
      guard effect.map(effects.contains) ?? true else { return }
      write {
        .drawn(
          RecordingLine.Draw(
            at: $0, date: RecordingLine.seconds(date.timeIntervalSince1970), effect: effect))
      }
    case .drawn(.endpoint(let name), let effect):
      guard let effect, effects.contains(effect) else { return }
      write { .drawn(RecordingLine.Draw(at: $0, endpoint: name, effect: effect)) }
    case .drawn(.uuid(let uuid), let effect):
      drawnCount += 1
      if effect == nil { reducedCount += 1 }
      if drawn.count == Self.drawnLimit { drawn.removeFirst() }
      drawn.append(
        RecordingLine.Draw(
          at: 0, uuid: uuid.uuidString, number: drawnCount,
          reduced: effect == nil ? reducedCount : nil,
          effect: effect.flatMap { effects.contains($0) ? $0 : nil }))
    case .issue(let issue):
      if heldIssues == nil { write(issue) } else { heldIssues?.append(issue) }
    case .advanced(let duration):
      write { .advance(RecordingLine.Advance(at: $0, by: RecordingClock.seconds(duration))) }
    case .received(let action):
      // Another recording has the action.
      guard let firstAction, action >= firstAction else { return }
      write { .receive(RecordingLine.Receive(at: $0, action: action)) }
    }
  }

  private func write(_ issue: ReportedIssue) {
    let message = redactor.text(issue.message)
    write {
      .issue(RecordingLine.Issue(at: $0, message: message, place: "\(issue.position)"))
    }
  }

  // MARK: Identifiers

  /// The greatest number of identifiers that wait to be shown.
  private static var drawnLimit: Int { 1_000 }

  /// Writes of the identifiers that trees have brought into the recording. One that is nowhere else in it
  /// may be a secret.
  private func writeDrawn(shownBy trees: [RecordedNode]) {
    var shown: Set<String> = []
    for tree in trees { tree.addIdentifiers(to: &shown) }
    guard !shown.isEmpty else { return }
    for draw in drawn where draw.uuid.map(shown.contains) == true {
      write { time in .drawn(changed(draw) { $0.at = time }) }
    }
    drawn.removeAll { $0.uuid.map(shown.contains) == true }
  }

  private func didStart(_ effect: EffectDescription) {
    effects.insert(effect.effect)
    let label = redactor.text(effect.label)
    // Not the other way round: a text that is shortened is no longer the secret.
    let ids = effect.ids.map { redactor.node(RecordedNode(of: $0.base)).summary() }
    write {
      .effectStarted(
        RecordingLine.EffectStart(
          at: $0, effect: effect.effect, kind: effect.kind, label: label,
          place: effect.position?.description, ids: ids,
          action: effect.action.flatMap { $0 < firstAction ?? .max ? nil : $0 },
          parent: effect.parent.flatMap { effects.contains($0) ? $0 : nil },
          after: effect.after.flatMap { effects.contains($0) ? $0 : nil },
          steps: effect.steps.isEmpty
            ? nil : effect.steps.map { .init(of: $0.concatenation, step: $0.step) }))
    }
  }
}

extension Double? {
  /// The time, if it is earlier than another one.
  fileprivate func earlier(than time: Double) -> Double? {
    self.flatMap { $0 < time ? $0 : nil }
  }
}

extension StoreRecorder {
  /// The seconds that a wait was asked to take, to the next nanosecond: a test that lets that much
  /// time pass comes to its end.
  fileprivate static func asked(_ duration: Duration) -> Double {
    guard duration > .zero else { return 0 }
    guard duration < .seconds(RecordingLine.secondsLimit) else { return RecordingLine.secondsLimit }
    let (seconds, attoseconds) = duration.components
    let asked = Double(seconds) + Double((attoseconds + 999_999_999) / 1_000_000_000) / 1e9
    // Numbers beyond 104 days do not have every nanosecond.
    return Duration.seconds(asked) < duration ? asked.nextUp : asked
  }
}

extension RecordedNode {
  /// Adds the texts of all UUIDs that stand in the tree.
  fileprivate func addIdentifiers(to identifiers: inout Set<String>) {
    func add(_ text: String) {
      for position in UUIDText.positions(in: text.utf8) {
        let rest = text.utf8.dropFirst(position).prefix(UUIDText.length)
        identifiers.insert(String(decoding: rest, as: UTF8.self).uppercased())
      }
    }
    if let value { add(value) }
    for child in children {
      if kind == .dictionary { add(child.name) }
      child.node.addIdentifiers(to: &identifiers)
    }
  }

  /// The name of the case that an enum is in; `nil` for another value.
  fileprivate var caseName: String? {
    `case` ?? (value?.hasPrefix(".") == true ? value.map { String($0.dropFirst()) } : nil)
  }
}

extension RecordingLine.EffectWait.Wait {
  fileprivate init(_ kind: WaitKind) {
    self =
      switch kind {
      case .clock: .clock
      case .scheduler: .scheduler
      case .turn: .turn
      }
  }
}

extension RecordingLine.EffectEnd.How {
  fileprivate init(_ ending: MachineEvent.Ending) {
    self =
      switch ending {
      case .finished: .finished
      case .cancelled: .cancelled
      case .failed: .failed
      }
  }
}

extension RecordedCause {
  fileprivate init(_ cause: EffectCause) {
    self =
      switch cause {
      case .action(let action): .action(action)
      case .scope(let action): .scope(action: action)
      case .effect(let effect): .effect(effect)
      case .task: .task
      case .host: .host
      }
  }
}
