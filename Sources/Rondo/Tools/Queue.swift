// Queues, first in, first out: one of a single isolation, and one that any thread adds to.

import Synchronization

/// A queue in an array: appending and removing are O(1) amortized. What has been removed is released
/// at once, and a queue that has run empty keeps no more than a small buffer.
package struct Queue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  package var isEmpty: Bool { head == elements.count }
  package var count: Int { elements.count - head }
  package var all: [Element] { elements[head...].compactMap(\.self) }

  package init() {}

  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  @discardableResult
  package mutating func removeFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      if head == 1 {
        elements.removeLast()
      } else {
        elements.removeAll(keepingCapacity: elements.capacity <= 256)
      }
      head = 0
    } else if head > 64, head > elements.count / 2 {
      elements.removeSubrange(..<head)
      head = 0
    }
    return element
  }

  /// The place of the first that satisfies a condition. O(*n*).
  package func firstIndex(from start: Int = 0, where isWanted: (Element) -> Bool) -> Int? {
    elements[(head + start)...].firstIndex { isWanted($0!) }.map { $0 - head }
  }
}

extension Queue: Sendable where Element: Sendable {}

/// Elements that wait for a reader, first in, first out. Any thread adds them. The reader is woken once
/// for all that wait: waking it may cost tens of microseconds.
struct Inbox<Element: Sendable>: ~Copyable, Sendable {
  private let state = Mutex(State())
  /// Whether elements wait, for those who ask often.
  private let isAnyWaiting = Atomic(false)

  // Not private: the compiler cannot yet lay out a private type of a generic type behind a `Mutex`.
  struct State {
    var waiting = Queue<Element>()
    /// An empty queue that was read before. Its memory is used again.
    var spare = Queue<Element>()
    /// Whether the reader is sure to come.
    var isReaderComing = false
    var isClosed = false
  }

  /// The fate of an element that was added.
  enum Arrival {
    /// It waits, and its sender has to wake the reader.
    case wakesReader
    /// It waits for a reader that is sure to come.
    case waits
    /// The inbox is closed, and the element was not added.
    case refused
  }

  /// Whether no elements wait that the caller could know of.
  var isEmpty: Bool { !isAnyWaiting.load(ordering: .acquiring) }

  /// Adds an element, and perhaps another one behind it in the same step, from any thread.
  func add(_ element: Element, then last: Element? = nil) -> Arrival {
    state.withLock { state in
      guard !state.isClosed else { return .refused }
      state.waiting.append(element)
      if let last { state.waiting.append(last) }
      isAnyWaiting.store(true, ordering: .releasing)
      return exchange(&state.isReaderComing, with: true) ? .waits : .wakesReader
    }
  }

  /// Takes the elements that wait; `nil` where there are none.
  ///
  /// - Parameter comesBack: Whether the reader takes again until there are none, so that what is added
  ///   meanwhile need not wake it.
  func take(comesBack: Bool = false) -> Queue<Element>? {
    state.withLock { state in
      state.isReaderComing = comesBack && !state.waiting.isEmpty
      guard !state.waiting.isEmpty else { return nil }
      isAnyWaiting.store(false, ordering: .releasing)
      let spare = exchange(&state.spare, with: Queue())
      return exchange(&state.waiting, with: spare)
    }
  }

  /// Takes back a queue that was taken and is empty by now, to use its memory again.
  func reuse(_ queue: Queue<Element>) {
    state.withLock { $0.spare = queue }
  }

  /// Refuses all elements from now on. Returns those that wait.
  func close() -> Queue<Element> {
    state.withLock { state in
      state.isClosed = true
      isAnyWaiting.store(false, ordering: .releasing)
      return exchange(&state.waiting, with: Queue())
    }
  }
}
