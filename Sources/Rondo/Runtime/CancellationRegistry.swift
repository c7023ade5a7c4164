// Who is running, or waiting, under which cancellation id.

/// The frames of a machine, by id and path.
///
/// A frame is entered under its id at its own path and at every path above, so that cancelling finds
/// all it has to without a search. Registering and removing are O(depth of the path); cancelling is
/// O(*n* log *n*) in what is found.
final class CancellationRegistry {
  /// Who is entered at a place. As a rule an id has one effect, which needs no lane.
  private enum Entry {
    case one(CancellableFrame)
    case several(CancellationLane)
  }

  private var entries: [ScopedID: Entry] = [:]
  private var lastSerial: UInt64 = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Enters a frame under its id.
  ///
  /// - Returns: Its place in the order of registration.
  func insert(_ frame: CancellableFrame, _ id: CancellationID) -> UInt64 {
    forEachPlace(id, frame.path) { place in
      enter(frame, place, &entries[place])
    }
    lastSerial += 1
    return lastSerial
  }

  /// Removes a frame.
  ///
  /// - Returns: The lane of its own path, where there were others.
  func remove(_ frame: CancellableFrame, _ id: CancellationID) -> CancellationLane? {
    var own: CancellationLane?
    forEachPlace(id, frame.path) { place in
      let lane = leave(frame, &entries[place])
      if place.path === frame.path { own = lane }
    }
    return own
  }

  /// How many run under an id at exactly its path.
  func running(_ place: ScopedID) -> Int {
    switch entries[place] {
    case nil: 0
    case .one(let frame): frame.path == place.path && !frame.isWaiting ? 1 : 0
    case .several(let lane): lane.running
    }
  }

  /// Calls a closure with what runs or waits under an id at its path and below, in the order of
  /// registration. The closure may change the registry.
  func forEach(_ place: ScopedID, _ body: (CancellableFrame) -> Void) {
    switch entries[place] {
    case nil: break
    case .one(let frame): body(frame)
    case .several(let lane): lane.sorted.forEach(body)
    }
  }

  private func enter(_ frame: CancellableFrame, _ place: ScopedID, _ entry: inout Entry?) {
    switch entry {
    case nil:
      entry = .one(frame)
    case .one(let other):
      entry = .several(CancellationLane(place, other, frame))
    case .several(let lane):
      lane.insert(frame)
    }
  }

  private func leave(_ frame: CancellableFrame, _ entry: inout Entry?) -> CancellationLane? {
    guard case .several(let lane) = entry else {
      entry = nil
      return nil
    }
    lane.remove(frame)
    if lane.isEmpty { entry = nil }
    return lane
  }

  /// Calls a closure with an id at a path and at every path above.
  private func forEachPlace(
    _ id: CancellationID, _ path: NavigationPath?, _ body: (ScopedID) -> Void
  ) {
    body(ScopedID(id: id, path: path))
    var path = path
    while let below = path {
      path = below.parent
      body(ScopedID(id: id, path: path))
    }
  }
}

/// What runs and waits under one id, at one path and below it.
final class CancellationLane {
  private let place: ScopedID
  private var frames: [ObjectIdentifier: CancellableFrame] = [:]

  /// Of those at exactly this path: how many run, how many wait, and who they are. Frames that were
  /// cancelled while they waited are skipped when their turn comes.
  private(set) var running = 0
  private var waiting = 0
  private var queue = Queue<CancellableFrame>()
  /// How many of those that wait are part of one that runs here, which is not over before they are.
  private var innerWaiting = 0

  fileprivate init(_ place: ScopedID, _ first: CancellableFrame, _ second: CancellableFrame) {
    self.place = place
    insert(first)
    insert(second)
  }

  fileprivate var isEmpty: Bool { frames.isEmpty }

  /// All of them, in the order of registration.
  fileprivate var sorted: [CancellableFrame] {
    frames.values.sorted { $0.serial < $1.serial }
  }

  fileprivate func insert(_ frame: CancellableFrame) {
    frames[ObjectIdentifier(frame)] = frame
    guard frame.path == place.path else { return }
    guard frame.isWaiting else {
      running += 1
      return
    }
    waiting += 1
    if frame.isInner { innerWaiting += 1 }
    queue.append(frame)
  }

  fileprivate func remove(_ frame: CancellableFrame) {
    frames[ObjectIdentifier(frame)] = nil
    guard frame.path == place.path else { return }
    guard frame.isWaiting else {
      running -= 1
      return
    }
    waiting -= 1
    if frame.isInner { innerWaiting -= 1 }
    if queue.count > 2 * waiting + 16 { queue.removeAll { !$0.isAttached } }
  }

  /// Takes the first that waits, if there is room for it. Where there is none, one that waits inside
  /// of what takes the room up may have its turn: the others would wait for it for ever.
  func takeNext() -> CancellableFrame? {
    guard waiting > 0 else { return nil }
    while let frame = queue.first, !frame.isAttached { queue.removeFirst() }
    guard let first = queue.first else { return nil }
    guard !hasRoom(for: first) else {
      queue.removeFirst()
      return start(first)
    }
    guard innerWaiting > 0, let inner = queue.first(where: { $0.isAttached && hasRoom(for: $0) })
    else { return nil }
    queue.removeAll { $0 === inner }
    return start(inner)
  }

  private func hasRoom(for frame: CancellableFrame) -> Bool {
    let others = frame.isInner ? running - frame.enclosingCount(at: place) : running
    return others < frame.limit ?? .max
  }

  private func start(_ frame: CancellableFrame) -> CancellableFrame {
    waiting -= 1
    if frame.isInner { innerWaiting -= 1 }
    running += 1
    return frame
  }
}
