// A log of the actions of a test store that have not been asserted yet.

import Rondo
import RondoScheduling

/// The actions that a machine has handled, in order, since the one that was asserted last.
final class ActionLog<State, Action> {
  /// One action, with all that is known about it.
  struct Entry {
    let record: RecordedAction<State, Action>
    let instant: TestInstant
    /// The call of `send` that led to the action.
    let start: Start
    /// The changes that the action has made to shared values.
    let sharedChanges: [SharedChange]
    /// The number of the first element that the action has added to a stack, if it has added any.
    let nextStackNumber: Int
    /// The shared values before and after the action. Set when the entry is taken from the log.
    var shared = SharedSpan()
  }

  typealias Start = SendCall<Action>

  /// The number of actions that the test has not asserted yet.
  var count: Int { entries.count }
  private var entries = Queue<Entry>()
  /// The number of actions that the test has asserted or left out.
  private(set) var removedCount = 0

  /// The log of the changes to shared values.
  let shared = SharedLog()

  /// The numbers of the elements of stacks, and the one that was next after the last action.
  let stackNumbers = StackNumbers()
  private var lastStackNumber = 0
  /// The numbers of the elements that an assertion adds.
  private(set) lazy var assertedStackNumbers = StackNumbers()

  /// The call of `send` in progress, whose root is not known yet, or the last call.
  var current: Start? {
    didSet {
      testPosition.position = current?.position
      isSendBeginning = true
    }
  }

  /// Whether the call of `send` in progress has not handled its own action yet. Kept while orders are
  /// explored.
  var isSendBeginning = false

  /// The place of that call in the source, for reports of the feature.
  let testPosition = TestPosition()

  /// Whether the feature has dismissed itself.
  var isDismissed = false

  private let timeline: TestTimeline

  /// Called with every action, asserted or not.
  var didRecord: ((RecordedAction<State, Action>) -> Void)?

  /// Called with every action of a store whose steps its owner takes, and with the state after it.
  var didHandle: ((_ action: Action, _ state: UnsafePointer<State>) -> Void)?

  init(timeline: TestTimeline) {
    self.timeline = timeline
  }

  func append(_ record: RecordedAction<State, Action>) {
    didRecord?(record)
    let sharedChanges = shared.takeChanges()
    let nextStackNumber = takeStackNumbers()
    guard let start = record.root.flatMap(start(of:)) ?? current else { return }
    entries.append(
      Entry(
        record: record, instant: timeline.now, start: start, sharedChanges: sharedChanges,
        nextStackNumber: nextStackNumber))
  }

  /// Counts the numbers that were given out since the previous action as those of a new action.
  ///
  /// - Returns: The first of these numbers.
  func takeStackNumbers() -> Int {
    defer { lastStackNumber = stackNumbers.next }
    return lastStackNumber
  }

  // MARK: Unasserted actions

  var isEmpty: Bool { count == 0 }
  var pending: [Entry] { entries.all }

  func firstIndex(from start: Int = 0, where isWanted: (Entry) -> Bool) -> Int? {
    entries.firstIndex(from: start, where: isWanted)
  }

  func removeFirst() -> Entry? {
    guard var entry = entries.removeFirst() else { return nil }
    removedCount += 1
    entry.shared = shared.advance(by: entry.sharedChanges)
    return entry
  }

  func removeFirst(_ count: Int) -> [Entry] {
    count > 0 ? (0..<count).compactMap { _ in removeFirst() } : []
  }

  func removeAll() -> [Entry] {
    removeFirst(count)
  }

  // MARK: Calls of send

  /// Remembers which `send` a root belongs to.
  func remember(_ root: RootFrame, _ start: Start) {
    root.note = start
  }

  func start(of root: RootFrame) -> Start? {
    root.note.map { $0 as! Start }
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
