// What has happened in a test store and has not been asserted yet.

import Rondo
import RondoScheduling

/// The actions that a machine has handled, in order, up to the one asserted last.
final class ActionLog<State, Action> {
  /// One action with all that is known of it.
  struct Entry {
    let record: RecordedAction<State, Action>
    let instant: TestInstant
    /// The `send` that led here.
    let start: Start
    /// What it has done to shared values.
    let sharedChanges: [SharedChange]
    /// The number of the first element that it has added to a stack, if it has added any.
    let nextStackNumber: Int
    /// How they look before and after it, once it has been taken from the log.
    var shared = SharedSpan()
  }

  typealias Start = SendCall<Action>

  /// How many there are that the test has not asserted yet.
  private(set) var count = 0
  private var head = 0
  private var entries: [Entry?] = []

  /// How shared values have been changed.
  let shared = SharedLog()

  /// The numbers of the elements of stacks, and the one that was next after the last action.
  let stackNumbers = StackNumbers()
  private var lastStackNumber = 0
  /// The numbers of the elements that an assertion adds.
  let assertedStackNumbers = StackNumbers()

  /// The `send` in progress, whose root is not known yet, or the last one.
  var current: Start? {
    didSet { testPosition.position = current?.position }
  }

  /// Where that is, for reports of the feature.
  let testPosition = TestPosition()

  /// Whether the feature has dismissed itself.
  var isDismissed = false

  private let timeline: TestTimeline

  /// Told of every action, asserted or not.
  var didRecord: ((RecordedAction<State, Action>) -> Void)?

  init(timeline: TestTimeline) {
    self.timeline = timeline
  }

  func append(_ record: RecordedAction<State, Action>) {
    didRecord?(record)
    let sharedChanges = shared.takeChanges()
    let nextStackNumber = takeStackNumbers()
    guard let start = record.root.flatMap(start(of:)) ?? current else { return }
    count += 1
    entries.append(
      Entry(
        record: record, instant: timeline.now, start: start, sharedChanges: sharedChanges,
        nextStackNumber: nextStackNumber))
  }

  /// Takes the numbers that have been given since the action before for those of an action.
  ///
  /// - Returns: The first of them.
  func takeStackNumbers() -> Int {
    defer { lastStackNumber = stackNumbers.next }
    return lastStackNumber
  }

  // MARK: Unasserted actions

  var isEmpty: Bool { count == 0 }
  var pending: [Entry] { entries[head...].compactMap { $0 } }

  func firstIndex(where isWanted: (Action) -> Bool) -> Int? {
    entries[head...].firstIndex { isWanted($0!.record.action) }.map { $0 - head }
  }

  func removeFirst() -> Entry? {
    guard !isEmpty else { return nil }
    var entry = entries[head].take()
    if let changes = entry?.sharedChanges { entry?.shared = shared.advance(by: changes) }
    head += 1
    count -= 1
    if count == 0 {
      entries.removeAll(keepingCapacity: head < 256)
      head = 0
    }
    return entry
  }

  func removeFirst(_ count: Int) -> [Entry] {
    (0..<count).compactMap { _ in removeFirst() }
  }

  func removeAll() -> [Entry] {
    removeFirst(count)
  }

  // MARK: Who started what

  /// Remembers which `send` a root belongs to.
  func remember(_ root: RootFrame, _ start: Start) {
    root.note = start
  }

  func start(of root: RootFrame) -> Start? {
    root.note.map { unsafeDowncast($0, to: Start.self) }
  }
}

/// A call of `send` in the test.
final class SendCall<Action> {
  let action: Action
  let position: SourcePosition

  init(action: Action, position: SourcePosition) {
    self.action = action
    self.position = position
  }
}
