// The frames that run or wait under cancellation ids.

/// The frames of a machine, by id and path.
///
/// A frame is entered under its id at its own path and at every path above it. So a cancellation
/// finds all frames that it has to cancel without a search.
///
/// Complexity: registering is linear in the depth of the path and in the frames above; removing is
/// linear in the depth of the path and logarithmic in the frames under the id; cancelling is linear
/// in the frames under the id.
final class CancellationRegistry {
  private var lanes: [ScopedID: CancellationLane] = [:]
  private(set) var lastSerial: UInt64 = 0

  /// Enters a frame under its id.
  func insert(_ frame: Frame, _ id: CancellationID, isWaiting: Bool = false) {
    let own = ScopedID(id: id, path: frame.path)
    lastSerial += 1
    func insert(into lane: inout CancellationLane) {
      let outer = lane.outerFrame(in: own, from: frame.parent!)
      frame.registration = Registration(
        id: id, serial: lastSerial, outer: outer, depth: (outer?.registration?.depth ?? 0) + 1,
        isWaiting: isWaiting)
      lane.insert(frame)
    }
    insert(into: &lanes[own, default: CancellationLane()])
    forEachPlace(above: own) {
      lanes[$0, default: CancellationLane()].insertFromBelow(frame)
    }
  }

  /// Removes a frame. Does nothing when it is not registered.
  ///
  /// - Returns: The frames that waited under the same id and may start now.
  func remove(_ frame: Frame) -> [CancellableFrame] {
    guard let registration = frame.registration.take() else { return [] }
    let own = ScopedID(id: registration.id, path: frame.path)
    var next: [CancellableFrame] = []
    if let index = lanes.index(forKey: own) {
      next = lanes.values[index].remove(registration)
      if lanes.values[index].isEmpty { lanes.remove(at: index) }
    }
    forEachPlace(above: own) { place in
      guard let index = lanes.index(forKey: place) else { return }
      lanes.values[index].removeFromBelow(registration)
      if lanes.values[index].isEmpty { lanes.remove(at: index) }
    }
    return next
  }

  /// The frames under an id at a path and below it, in the order of registration.
  func all(_ place: ScopedID) -> [Frame] {
    lanes[place]?.all ?? []
  }

  /// The frames under an id at exactly its path, without those that a new effect is a part of, in
  /// the order of registration.
  ///
  /// - Parameter parent: The frame that the new effect is started under.
  func others(_ place: ScopedID, under parent: Frame) -> [Frame] {
    guard let lane = lanes[place], lane.ownCount > 0 else { return [] }
    var around: Set<ObjectIdentifier> = []
    var outer = lane.outerFrame(in: place, from: parent)
    guard lane.ownCount > outer?.registration?.depth ?? 0 else { return [] }
    while let frame = outer {
      around.insert(ObjectIdentifier(frame))
      outer = frame.registration?.outer
    }
    return lane.own.all.filter { !around.contains(ObjectIdentifier($0)) }
  }

  /// The number of frames that run under an id at exactly its path, without those that a new effect
  /// is a part of.
  func runningOthers(_ place: ScopedID, under parent: Frame) -> Int {
    guard let lane = lanes[place], lane.running > 0 else { return 0 }
    return lane.running - (lane.outerFrame(in: place, from: parent)?.registration?.depth ?? 0)
  }

  /// Whether a new effect may run under an id.
  ///
  /// - Parameter limit: The number of effects that may run under the id at the same time.
  func hasRoom(_ place: ScopedID, limit: Int, under parent: Frame) -> Bool {
    guard let lane = lanes[place] else { return true }
    return lane.hasRoom(limit: limit, inside: lane.outerFrame(in: place, from: parent))
  }

  /// Calls a closure with an id at every path above its own.
  private func forEachPlace(above place: ScopedID, _ body: (ScopedID) -> Void) {
    var path = place.path
    while let below = path {
      path = below.parent
      body(ScopedID(id: place.id, path: path))
    }
  }

  /// Stops with a message where the counts of a lane do not agree with the frames in it.
  func checkInvariants() {
    for (place, lane) in lanes { lane.checkInvariants(at: place) }
  }
}
