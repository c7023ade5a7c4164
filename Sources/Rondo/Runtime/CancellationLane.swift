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
  /// The frames at exactly the path of the lane, and those below it, in the order of registration.
  private(set) var own = OrderedFrames()
  private var below = OrderedFrames()

  /// The number of frames at exactly the path, and the number of these that run.
  private(set) var ownCount = 0
  private(set) var running = 0
  private var slots = 0

  /// The frames that wait for their turn, by the number of slots up to which they may run.
  private var queue = TurnQueue()
  /// The frames that wait inside another frame of the lane, by that frame, which cannot end before them. Of those with
  /// one limit only the first may be next, so only these, the `shown` ones, have a limit in ``queue``.
  private var innerQueues: [ObjectIdentifier: (queue: TurnQueue, shown: [UInt64])] = [:]
  private var waiting = 0

  var isEmpty: Bool { own.isEmpty && below.isEmpty }

  /// All frames, in the order of registration.
  var all: [Frame] {
    guard !below.isEmpty else { return own.all }
    return (own.all + below.all).sorted { $0.registration!.serial < $1.registration!.serial }
  }

  /// The nearest frame of the lane, searched upwards from a frame. Does not search an empty lane.
  func outerFrame(in place: ScopedID, from frame: Frame) -> Frame? {
    ownCount > 0 ? frame.nearestFrame(in: place) : nil
  }

  // MARK: Entering and leaving

  mutating func insertFromBelow(_ frame: Frame) {
    below.insert(frame)
  }

  mutating func removeFromBelow(_ registration: Registration) {
    below.remove(registration.serial)
  }

  mutating func insert(_ frame: Frame) {
    own.insert(frame)
    ownCount += 1
    guard frame.registration!.isWaiting else { return didStart(frame) }
    let frame = frame as! CancellableFrame
    waiting += 1
    guard let outer = frame.registration!.outer else { return queue.append(frame, frame.limit) }
    queue.append(frame, 0)
    innerQueues[ObjectIdentifier(outer), default: (TurnQueue(), [])].queue.append(
      frame, frame.limit)
    showFirst(inside: outer)
  }

  /// Removes a frame. Returns the frames whose turn comes, because there is room for them now.
  mutating func remove(_ registration: Registration) -> [CancellableFrame] {
    own.remove(registration.serial)
    ownCount -= 1
    if registration.isWaiting {
      waiting -= 1
      removeFromQueue(registration)
    } else {
      didEnd(registration)
    }
    var next: [CancellableFrame] = []
    while waiting > 0, let frame = takeNext() { next.append(frame) }
    return next
  }

  private mutating func removeFromQueue(_ registration: Registration) {
    queue.remove(registration.serial)
    guard let outer = registration.outer else { return }
    let id = ObjectIdentifier(outer)
    innerQueues[id]?.queue.remove(registration.serial)
    if innerQueues[id]?.queue.isEmpty == true { innerQueues[id] = nil }
    showFirst(inside: outer)
  }

  /// Lets those be found that may be next of the frames which wait inside another one: the first of all, the first with
  /// a greater limit, and so on. Where none runs inside of that one, its slot does not count.
  private mutating func showFirst(inside outer: Frame) {
    guard waiting > 0, let (inner, shown) = innerQueues[ObjectIdentifier(outer)] else { return }
    for serial in shown { queue.setLimit(0, of: serial) }
    var new: [UInt64] = []
    var next = inner.first(above: 0)
    while let frame = next {
      queue.setLimit(frame.limit + slots - slotsInTheWay(inside: outer), of: frame.serial)
      new.append(frame.serial)
      next = inner.first(above: frame.limit)
    }
    innerQueues[ObjectIdentifier(outer)]?.shown = new
  }

  private mutating func didStart(_ frame: Frame) {
    running += 1
    slots += 1
    guard let outer = frame.registration!.outer, outer.registration != nil else { return }
    if outer.registration!.innerRunning == 0 { slots -= 1 }
    outer.registration!.innerRunning += 1
    if outer.registration!.innerRunning == 1 { showFirst(inside: outer) }
  }

  private mutating func didEnd(_ registration: Registration) {
    running -= 1
    if registration.innerRunning == 0 { slots -= 1 }
    guard let outer = registration.outer, outer.registration != nil else { return }
    outer.registration!.innerRunning -= 1
    guard outer.registration!.innerRunning == 0 else { return }
    slots += 1
    showFirst(inside: outer)
  }

  // MARK: Turns

  /// Whether a new frame may run.
  ///
  /// - Parameter outer: The frame of the lane that is directly around it; `nil` where there is
  ///   none.
  func hasRoom(limit: Int, inside outer: Frame?) -> Bool {
    slotsInTheWay(inside: outer) < limit
  }

  /// The number of slots that frames take whose place a new one cannot have.
  private func slotsInTheWay(inside outer: Frame?) -> Int {
    outer?.registration?.innerRunning == 0 ? slots - 1 : slots
  }

  /// Takes the first frame that waits and has room. It need not be the first of all: limits may
  /// differ, and an inner frame takes over the slot of its outer one.
  ///
  /// Complexity: O(log *n*), where the frames inside of one have few different limits.
  private mutating func takeNext() -> CancellableFrame? {
    while let first = queue.first(above: slots) {
      removeFromQueue(first.registration!)
      // A frame that has just left the tree does not start, because it is about to be removed.
      guard first.isAttached else { continue }
      waiting -= 1
      first.registration!.isWaiting = false
      didStart(first)
      return first
    }
    return nil
  }

  // MARK: Checking

  func checkInvariants(at place: ScopedID) {
    let (all, own) = (all, own.all)
    let waits = own.filter { $0.registration!.isWaiting }
    let slotsNeeded = own.count {
      !$0.registration!.isWaiting && $0.registration!.innerRunning == 0
    }
    precondition(all.allSatisfy(\.isAttached), "A lane holds a frame that has left the tree.")
    precondition(all.allSatisfy { $0.registration?.id == place.id }, "A lane holds another id.")
    precondition(own.allSatisfy { $0.path == place.path }, "A lane holds a frame of another path.")
    precondition(own.count == ownCount, "A lane counts \(ownCount) frames of \(own.count).")
    precondition(waits.count == waiting, "A lane counts \(waiting) waiting of \(waits.count).")
    precondition(own.count - waits.count == running, "A lane counts \(running) running frames.")
    precondition(slotsNeeded == slots, "A lane counts \(slots) slots of \(slotsNeeded).")
    precondition(
      waits.allSatisfy { wait in
        let serial = wait.registration!.serial
        guard let outer = wait.registration!.outer else { return queue.contains(serial) }
        let inner = innerQueues[ObjectIdentifier(outer)]
        return queue.contains(serial) && inner?.queue.contains(serial) == true
      }, "A frame that waits is not in its queue.")
    precondition(queue.first(above: slots) == nil, "A frame waits that has room.")
  }
}

/// Frames that wait for their turn, in the order of their registration. The first one whose limit is above
/// a number is found in O(log *n*).
private struct TurnQueue {
  private var frames: [CancellableFrame?] = []
  private var serials: [UInt64] = []
  /// A complete binary tree: the largest limits, from the root, which has the number 1, down to the
  /// leaves, which have those of the frames. The limit of a frame that has left is zero.
  private var limits: [Int] = []
  private var count = 0

  /// The number of leaves.
  private var width: Int { limits.count / 2 }

  mutating func append(_ frame: CancellableFrame, _ limit: Int) {
    if frames.count == width { rebuild() }
    frames.append(frame)
    serials.append(frame.serial)
    count += 1
    setLimit(limit, at: frames.count - 1)
  }

  /// Removes the frame with a serial, if it is there.
  mutating func remove(_ serial: UInt64) {
    guard let index = index(of: serial), frames[index] != nil else { return }
    frames[index] = nil
    count -= 1
    if count == 0 { self = TurnQueue() } else { setLimit(0, at: index) }
  }

  var isEmpty: Bool { count == 0 }

  /// The first frame with a limit above a number.
  func first(above number: Int) -> CancellableFrame? {
    guard count > 0, limits[1] > number else { return nil }
    var node = 1
    while node < width { node = limits[2 * node] > number ? 2 * node : 2 * node + 1 }
    return frames[node - width]
  }

  func contains(_ serial: UInt64) -> Bool { index(of: serial).map { frames[$0] != nil } ?? false }

  private func index(of serial: UInt64) -> Int? {
    let index = serials.firstIndex(from: serial) { $0 }
    return index < serials.count && serials[index] == serial ? index : nil
  }

  /// Sets the limit of the frame with a serial, if it is there.
  mutating func setLimit(_ limit: Int, of serial: UInt64) {
    if let index = index(of: serial), frames[index] != nil { setLimit(limit, at: index) }
  }

  private mutating func setLimit(_ limit: Int, at index: Int) {
    var node = width + index
    limits[node] = limit
    while node > 1 {
      node /= 2
      limits[node] = max(limits[2 * node], limits[2 * node + 1])
    }
  }

  /// Makes room, half of it free, and leaves out the frames that have left.
  private mutating func rebuild() {
    let left = frames.indices.filter { frames[$0] != nil }
    let old = left.map { limits[self.width + $0] }
    frames = left.map { frames[$0] }
    serials = left.map { serials[$0] }
    var width = 4
    while width < 2 * (frames.count + 1) { width *= 2 }
    limits = Array(repeating: 0, count: 2 * width)
    limits.replaceSubrange(width..<width + old.count, with: old)
    for node in (1..<width).reversed() {
      limits[node] = max(limits[2 * node], limits[2 * node + 1])
    }
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
    guard let first else { return others.compactMap(\.frame) }
    return others.isEmpty ? [first] : [first] + others.compactMap(\.frame)
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
    let index = others.firstIndex(from: serial) { $0.serial }
    guard index < others.count, others[index].serial == serial else { return first = nil }
    others[index].frame = nil
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
  /// The position in the order of registration, while the frame is registered.
  fileprivate var serial: UInt64 { registration!.serial }
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
