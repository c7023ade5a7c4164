// The frames that run or wait under one cancellation id.

/// The id under which a frame can be cancelled, and its position among others with that id.
///
/// Frames of one id at one path form a **lane**. An effect may be registered inside of an effect of
/// the same lane, which is its *outer* one.
struct Registration {
  let id: CancellationID

  /// The position in the order of registration.
  let serial: UInt64

  /// The nearest frame above that was registered in the same lane. It may have left the lane since.
  let outer: Frame?

  /// The number of frames of the lane that are nested here: this one, and those around it.
  let depth: Int

  /// The number of frames of the same lane that run directly inside this one.
  var innerRunning = 0

  /// Whether the frame waits for its turn.
  var isWaiting: Bool
}

/// The frames under one id at one path, and those below that path.
///
/// The frames at exactly the path share the **slots** that ``CancellationPolicy/atMost(_:)``
/// counts. A frame that runs takes one slot. The first inner frame takes over the slot of its outer
/// frame, so an effect that is limited twice under one id counts once. Further inner frames take
/// slots of their own.
struct CancellationLane {
  /// All frames, in the order of registration.
  private(set) var frames = OrderedFrames()

  /// The number of frames at exactly the path of the lane, and the number of these that run.
  private(set) var ownCount = 0
  private(set) var running = 0
  private var slots = 0

  /// The frames that wait for their turn, and those that were cancelled while they waited.
  private var queue = Queue<CancellableFrame>()
  private var waiting = 0
  /// The number of waiting frames that are inside another frame of the lane. The outer frame cannot
  /// end before them.
  private var innerWaiting = 0
  /// An upper bound for the limits of the waiting frames.
  private var largestLimit = 0

  var isEmpty: Bool { frames.isEmpty }

  // MARK: Entering and leaving

  mutating func insertFromBelow(_ frame: Frame) {
    frames.insert(frame)
  }

  mutating func removeFromBelow(_ registration: Registration) {
    frames.remove(registration.serial)
  }

  mutating func insert(_ frame: Frame) {
    frames.insert(frame)
    ownCount += 1
    guard frame.registration!.isWaiting else { return didStart(frame) }
    let frame = unsafeDowncast(frame, to: CancellableFrame.self)
    largestLimit = waiting == 0 ? frame.limit : max(largestLimit, frame.limit)
    waiting += 1
    if frame.registration!.outer != nil { innerWaiting += 1 }
    queue.append(frame)
  }

  /// Removes a frame. Returns the frames whose turn comes, because there is room for them now.
  mutating func remove(_ registration: Registration) -> [CancellableFrame] {
    frames.remove(registration.serial)
    ownCount -= 1
    if registration.isWaiting {
      waiting -= 1
      if registration.outer != nil { innerWaiting -= 1 }
      if queue.count > 2 * waiting + 16 { queue.removeAll { !$0.isAttached } }
    } else {
      didEnd(registration)
    }
    var next: [CancellableFrame] = []
    while waiting > 0, let frame = takeNext() { next.append(frame) }
    return next
  }

  private mutating func didStart(_ frame: Frame) {
    running += 1
    slots += 1
    guard let outer = frame.registration!.outer, outer.registration != nil else { return }
    if outer.registration!.innerRunning == 0 { slots -= 1 }
    outer.registration!.innerRunning += 1
  }

  private mutating func didEnd(_ registration: Registration) {
    running -= 1
    if registration.innerRunning == 0 { slots -= 1 }
    guard let outer = registration.outer, outer.registration != nil else { return }
    outer.registration!.innerRunning -= 1
    if outer.registration!.innerRunning == 0 { slots += 1 }
  }

  // MARK: Turns

  /// Whether a new frame may run.
  ///
  /// - Parameter outer: The frame of the lane that is directly around it; `nil` where there is
  ///   none.
  func hasRoom(limit: Int, inside outer: Frame?) -> Bool {
    let takenOver = outer?.registration?.innerRunning == 0 ? 1 : 0
    return slots - takenOver < limit
  }

  /// Takes the first frame that waits and has room. It need not be the first of all: limits may
  /// differ, and an inner frame takes over the slot of its outer one.
  private mutating func takeNext() -> CancellableFrame? {
    while let frame = queue.first, !frame.isAttached { queue.removeFirst() }
    guard let first = queue.first else { return nil }
    if hasRoom(for: first) {
      queue.removeFirst()
      return start(first)
    }
    guard innerWaiting > 0 || slots < largestLimit,
      let other = queue.first(where: { $0.isAttached && hasRoom(for: $0) })
    else { return nil }
    queue.removeAll { $0 === other }
    return start(other)
  }

  private func hasRoom(for frame: CancellableFrame) -> Bool {
    hasRoom(limit: frame.limit, inside: frame.registration!.outer)
  }

  private mutating func start(_ frame: CancellableFrame) -> CancellableFrame {
    waiting -= 1
    if frame.registration!.outer != nil { innerWaiting -= 1 }
    frame.registration!.isWaiting = false
    didStart(frame)
    return frame
  }

  // MARK: Checking

  func checkInvariants(at place: ScopedID) {
    let all = frames.all
    let own = all.filter { $0.path == place.path }
    let waits = own.filter { $0.registration!.isWaiting }
    let slotsNeeded = own.count {
      !$0.registration!.isWaiting && $0.registration!.innerRunning == 0
    }
    precondition(all.allSatisfy(\.isAttached), "A lane holds a frame that has left the tree.")
    precondition(all.allSatisfy { $0.registration?.id == place.id }, "A lane holds another id.")
    precondition(own.count == ownCount, "A lane counts \(ownCount) frames of \(own.count).")
    precondition(waits.count == waiting, "A lane counts \(waiting) waiting of \(waits.count).")
    precondition(own.count - waits.count == running, "A lane counts \(running) running frames.")
    precondition(slotsNeeded == slots, "A lane counts \(slots) slots of \(slotsNeeded).")
    precondition(
      waits.count { $0.registration!.outer != nil } == innerWaiting,
      "A lane counts \(innerWaiting) inner frames that wait.")
  }
}

/// Frames in the order of their registration. The first one is stored without an array, because
/// most lanes have only one.
struct OrderedFrames {
  private var first: Frame?
  private var others: [(serial: UInt64, frame: Frame?)] = []
  /// The number of entries of `others` whose frame has been removed.
  private var gone = 0

  var isEmpty: Bool { first == nil && gone == others.count }

  var all: [Frame] {
    let others = others.compactMap(\.frame)
    return first.map { [$0] + others } ?? others
  }

  /// Appends a frame. Its serial is greater than those of all frames before it.
  mutating func insert(_ frame: Frame) {
    if isEmpty {
      first = frame
    } else {
      others.append((frame.registration!.serial, frame))
    }
  }

  /// Removes the frame with a serial. O(log *n*), amortized.
  mutating func remove(_ serial: UInt64) {
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle].serial < serial { low = middle + 1 } else { high = middle }
    }
    guard low < others.count, others[low].serial == serial else { return first = nil }
    others[low].frame = nil
    gone += 1
    guard gone * 2 > others.count + 16 || gone == others.count else { return }
    others.removeAll { $0.frame == nil }
    gone = 0
  }
}

/// The frame of an effect that can be cancelled by an id, while it runs or waits for its turn.
final class CancellableFrame: Frame {
  /// The number of effects that may run under the id at a time, for a frame that waits.
  let limit: Int
  /// The effect to start when it is this frame's turn.
  var waiting: EffectNode?

  override var pendingWork: String? { waiting == nil ? nil : "cancellable" }
  override var effectKind: String? { pendingWork }

  /// The place in the source of the first effect below that knows its place.
  override var position: SourcePosition? {
    var next = waiting
    while let node = next {
      if let place = node.position { return place }
      next = node.children.first
    }
    return nil
  }

  init(waiting: EffectNode? = nil, limit: Int = .max, under parent: Frame) {
    self.waiting = waiting
    self.limit = limit
    super.init(under: parent)
  }

  override func didLeave(cancelled: Bool, _ interpreter: Interpreter) {
    waiting = nil
  }
}
