// Who is running, or waiting, under which cancellation id.

/// The lanes of a machine, by id and path.
///
/// A frame is entered under its id at its own path and at every path above, so that cancelling finds
/// all it has to without a search. Registering and removing are O(depth of the path); cancelling is
/// O(*n* log *n*) in what is found.
final class CancellationRegistry {
  private var lanes: [ScopedID: CancellationLane] = [:]
  private var lastSerial: UInt64 = 0

  var isEmpty: Bool { lanes.isEmpty }

  /// What runs and waits under an id at a path and below.
  func lane(_ id: ScopedID) -> CancellationLane? {
    lanes[id]
  }

  /// Enters a frame under its id.
  ///
  /// - Returns: The lane of its own path.
  func insert(_ frame: CancellableFrame) -> CancellationLane {
    lastSerial += 1
    frame.serial = lastSerial
    let lane = openLane(ScopedID(id: frame.id, path: frame.path))
    lane.insert(frame, isOwn: true)
    forEachPathAbove(lane.id) { id in
      openLane(id).insert(frame, isOwn: false)
    }
    return lane
  }

  func remove(_ frame: CancellableFrame, from lane: CancellationLane) {
    lane.remove(frame, isOwn: true)
    closeIfEmpty(lane)
    forEachPathAbove(lane.id) { id in
      guard let lane = lanes[id] else { return }
      lane.remove(frame, isOwn: false)
      closeIfEmpty(lane)
    }
  }

  private func openLane(_ id: ScopedID) -> CancellationLane {
    // By reference, so that a lane that is missing is put in its place with the same look-up.
    func lane(_ place: inout CancellationLane) -> CancellationLane { place }
    return lane(&lanes[id, default: CancellationLane(id)])
  }

  private func closeIfEmpty(_ lane: CancellationLane) {
    if lane.isEmpty { lanes[lane.id] = nil }
  }

  private func forEachPathAbove(_ id: ScopedID, _ body: (ScopedID) -> Void) {
    var path = id.path
    while let below = path {
      path = below.parent
      body(ScopedID(id: id.id, path: path))
    }
  }
}

/// What runs and waits under one id, at one path and below it.
final class CancellationLane {
  let id: ScopedID
  /// The usual case, an id with one effect, needs no dictionary.
  private var first: CancellableFrame?
  private var others: [UInt64: CancellableFrame] = [:]

  /// Of those at exactly this path: how many run, how many wait, and who they are. Frames that were
  /// cancelled while they waited are skipped when their turn comes.
  private(set) var running = 0
  private var waiting = 0
  private var queue = Queue<CancellableFrame>()

  init(_ id: ScopedID) {
    self.id = id
  }

  fileprivate var isEmpty: Bool { first == nil && others.isEmpty }

  fileprivate func insert(_ frame: CancellableFrame, isOwn: Bool) {
    if isEmpty { first = frame } else { others[frame.serial] = frame }
    guard isOwn else { return }
    guard frame.isWaiting else {
      running += 1
      return
    }
    waiting += 1
    queue.append(frame)
  }

  fileprivate func remove(_ frame: CancellableFrame, isOwn: Bool) {
    if first === frame { first = nil } else { others[frame.serial] = nil }
    guard isOwn else { return }
    guard frame.isWaiting else {
      running -= 1
      return
    }
    waiting -= 1
    if queue.count > 2 * waiting + 16 { queue.removeAll { !$0.isAttached } }
  }

  /// Calls a closure with what runs or waits here, in the order of registration. The closure may
  /// change the lane.
  func forEach(_ body: (CancellableFrame) -> Void) {
    guard !others.isEmpty else { return first.map(body) ?? () }
    ((first.map { [$0] } ?? []) + others.values).sorted { $0.serial < $1.serial }.forEach(body)
  }

  /// Takes the first that waits, if there is room for it.
  func takeNext() -> CancellableFrame? {
    guard waiting > 0 else { return nil }
    while let frame = queue.first {
      guard frame.isAttached else {
        queue.removeFirst()
        continue
      }
      guard running < frame.limit ?? .max else { return nil }
      queue.removeFirst()
      waiting -= 1
      running += 1
      return frame
    }
    return nil
  }
}
