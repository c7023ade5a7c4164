// A priority queue of elements that become due: first by instant, then by the order of insertion.

/// A binary heap whose elements can be removed, or kept for another time, by ticket.
///
/// The heap orders small plain values; the payloads stay in their slots beside it. Removing takes
/// the payload out of its slot at once and leaves the plain value behind, dead. When more than half
/// of the heap is dead, it is rebuilt from the living values. So *n* insertions and removals cost
/// O(*n* log *n*), and the memory in use is proportional to the number of living elements.
package struct DueQueue<Payload> {
  /// Names one element for as long as it is in the queue.
  package struct Ticket {
    fileprivate var slot: Int
    /// Its place in the order of insertion.
    fileprivate(set) var sequence: UInt64
  }

  private struct Entry {
    var due: Duration
    var sequence: UInt64
    var slot: Int

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.due != rhs.due ? lhs.due < rhs.due : lhs.sequence < rhs.sequence
    }
  }

  private struct Slot {
    var payload: Payload?
    /// The sequence number of the element in the slot. A free slot has 0, which no element has.
    var sequence: UInt64
    /// Whether an entry of the heap stands for the element. If not, it is at rest.
    var isQueued: Bool
  }

  private var heap: [Entry] = []
  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  /// The number of elements that have ever been inserted.
  private(set) var lastSequence: UInt64 = 0
  private var dead = 0

  package init() {}

  /// The number of elements that wait to become due.
  package var count: Int { heap.count - dead }

  /// The time at which the first element is due.
  package var firstDue: Duration? { heap.first?.due }

  /// The time at which the first element is due, and its place in the order of insertion.
  var first: (due: Duration, sequence: UInt64)? { heap.first.map { ($0.due, $0.sequence) } }

  /// Adds an element behind those that are due at the same instant. O(log *n*).
  @discardableResult
  package mutating func insert(_ payload: Payload, due: Duration) -> Ticket {
    lastSequence += 1
    let slot = occupySlot(Slot(payload: payload, sequence: lastSequence, isQueued: true))
    push(Entry(due: due, sequence: lastSequence, slot: slot))
    return Ticket(slot: slot, sequence: lastSequence)
  }

  /// Takes the first element off the heap, if it is due at `limit` or before. O(log *n*).
  ///
  /// An element that is to be kept rests in its slot, until it is rescheduled or removed.
  package mutating func popFirst(
    dueBy limit: Duration,
    keeping isKept: (Payload) -> Bool
  ) -> (payload: Payload, ticket: Ticket, due: Duration)? {
    guard let first = heap.first, first.due <= limit else { return nil }
    popHead()
    defer { tidy() }
    let ticket = Ticket(slot: first.slot, sequence: first.sequence)
    if let payload = slots[first.slot].payload, isKept(payload) {
      slots[first.slot].isQueued = false
      return (payload, ticket, first.due)
    }
    return (vacate(first.slot), ticket, first.due)
  }

  /// The elements that are due at the first instant, in the order of insertion. O(*n*).
  var dueTogether: [(payload: Payload, ticket: Ticket)] {
    guard let firstDue else { return [] }
    return heap.filter { $0.due == firstDue && isAlive($0) }.sorted(by: <).map {
      (slots[$0.slot].payload!, Ticket(slot: $0.slot, sequence: $0.sequence))
    }
  }

  /// Takes an element off the heap, wherever it is. O(*n*).
  ///
  /// An element that is to be kept rests in its slot, until it is rescheduled or removed.
  mutating func pop(
    _ ticket: Ticket, keeping isKept: (Payload) -> Bool
  ) -> (payload: Payload, due: Duration)? {
    guard contains(ticket), slots[ticket.slot].isQueued,
      let index = heap.firstIndex(where: { $0.sequence == ticket.sequence })
    else { return nil }
    let due = heap[index].due
    let last = heap.removeLast()
    if index < heap.count {
      heap[index] = last
      siftDown(from: index)
      siftUp(from: index)
    }
    defer { tidy() }
    if let payload = slots[ticket.slot].payload, isKept(payload) {
      slots[ticket.slot].isQueued = false
      return (payload, due)
    }
    return (vacate(ticket.slot), due)
  }

  /// Puts an element at rest back, before those that were inserted after it. O(log *n*).
  ///
  /// - Returns: Whether it was still there.
  @discardableResult
  mutating func reschedule(_ ticket: Ticket, due: Duration) -> Bool {
    guard contains(ticket), !slots[ticket.slot].isQueued else { return false }
    slots[ticket.slot].isQueued = true
    push(Entry(due: due, sequence: ticket.sequence, slot: ticket.slot))
    return true
  }

  /// Takes an element out, if it is still in. Amortized O(log *n*).
  @discardableResult
  package mutating func remove(_ ticket: Ticket) -> Payload? {
    guard contains(ticket) else { return nil }
    let wasQueued = slots[ticket.slot].isQueued
    let payload = vacate(ticket.slot)
    if wasQueued {
      dead += 1
      tidy()
    }
    return payload
  }

  /// Calls a closure with every element that waits to become due, in no certain order. O(*n*).
  func forEachWaiting(_ body: (_ payload: Payload, _ sequence: UInt64, _ due: Duration) -> Void) {
    for entry in heap where isAlive(entry) {
      body(slots[entry.slot].payload!, entry.sequence, entry.due)
    }
  }

  /// The waiting elements in the order in which they will become due. O(*n* log *n*).
  var sorted: [(payload: Payload, due: Duration)] {
    heap.filter(isAlive).sorted(by: <).map { (slots[$0.slot].payload!, $0.due) }
  }
}

// MARK: - Slots

extension DueQueue {
  private func contains(_ ticket: Ticket) -> Bool {
    ticket.slot < slots.count && slots[ticket.slot].sequence == ticket.sequence
  }

  private func isAlive(_ entry: Entry) -> Bool {
    slots[entry.slot].sequence == entry.sequence
  }

  private mutating func occupySlot(_ slot: Slot) -> Int {
    guard let free = freeSlots.popLast() else {
      slots.append(slot)
      return slots.count - 1
    }
    slots[free] = slot
    return free
  }

  private mutating func vacate(_ slot: Int) -> Payload {
    let payload = slots[slot].payload.take()!
    slots[slot].sequence = 0
    slots[slot].isQueued = false
    freeSlots.append(slot)
    return payload
  }
}

// MARK: - The heap

extension DueQueue {
  private mutating func push(_ entry: Entry) {
    heap.append(entry)
    siftUp(from: heap.count - 1)
  }

  private mutating func popHead() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    siftDown(from: 0)
  }

  /// Restores the rules of the heap after an element has gone. The head is alive, so that
  /// ``firstDue`` needs no search. Most of the heap is alive. An empty heap does not keep a large
  /// unused memory.
  private mutating func tidy() {
    while dead > 0, let head = heap.first, !isAlive(head) {
      popHead()
      dead -= 1
    }
    if dead > 32 && dead * 2 > heap.count || heap.isEmpty && heap.capacity > 1_024 { compact() }
  }

  private mutating func compact() {
    heap = heap.filter(isAlive)
    dead = 0
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) {
      siftDown(from: index)
    }
    // The slots at the end are given back if they are free; those in between keep their numbers.
    let end = slots.lastIndex { $0.sequence != 0 }.map { $0 + 1 } ?? 0
    slots = Array(slots[..<end])
    freeSlots = slots.indices.filter { slots[$0].sequence == 0 }
  }

  private mutating func siftUp(from start: Int) {
    let entry = heap[start]
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry < heap[parent] else { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = entry
  }

  private mutating func siftDown(from start: Int) {
    let entry = heap[start]
    var index = start
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < entry else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = entry
  }
}

// MARK: - The invariants

extension DueQueue {
  /// The number of entries and slots, dead and free ones included.
  var storageCount: Int { heap.count + slots.count }

  /// The number of entries, slots and numbers of free slots that there is memory for.
  var storageCapacity: Int { heap.capacity + slots.capacity + freeSlots.capacity }

  /// The errors in the structure, for tests to check after every mutation; empty if it is sound.
  var brokenInvariants: [String] {
    var broken: [String] = []
    for index in heap.indices.dropFirst() where heap[index] < heap[(index - 1) / 2] {
      broken.append("entry \(index) is due before its parent")
    }
    if let head = heap.first, !isAlive(head) { broken.append("the head is dead") }
    let living = heap.filter(isAlive)
    if heap.count - living.count != dead { broken.append("\(dead) is not the count of the dead") }
    if dead > 32, dead * 2 > heap.count { broken.append("more than half of the heap is dead") }
    if slots.contains(where: { ($0.payload == nil) != ($0.sequence == 0) }) {
      broken.append("a slot is neither free nor occupied")
    }
    if living.count != slots.count(where: \.isQueued) { broken.append("queued slots and entries") }
    if freeSlots.count != slots.count(where: { $0.sequence == 0 }) { broken.append("free slots") }
    return broken
  }
}
