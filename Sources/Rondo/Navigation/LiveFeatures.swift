// The tree of the features with something in flight, and the search for those that have gone.

/// A feature with something in flight, or with an interval of a `throttle`: the one at the root, a child, or a part.
///
/// The frames of effects hold their feature, and the tree holds the features that frames have entered.
/// Everything below a feature's frames leaves the tree with them, and a window of a throttle keeps the features
/// around its own in the tree. So nothing is below a feature that has left.
final class LiveFeature: ThrottleOwner {
  /// The place in the parent; `nil` for the feature at the root.
  let place: LivePlace?

  /// The identity that the feature was entered with. The elements of a list are found by its id.
  let entered: ChildIdentity

  /// The identity that the feature has, as far as is known: as it was at the start of the effect, or
  /// after the last change by its own reducer.
  fileprivate(set) var known: ChildIdentity

  fileprivate var places: [LivePlace.Key: LivePlace] = [:]

  // Most features have one frame, which needs no dictionary.
  private var frame: ChildFrame?
  private var otherFrames: [UInt64: ChildFrame] = [:]
  /// The windows of throttles that it has opened.
  private var windows: [ObjectIdentifier: ThrottleWindow] = [:]
  /// The number of frames, those of parts among them, and of windows of this feature and of those below.
  private var users = 0

  /// The number of the search that has last found the feature where it was.
  fileprivate var lastFound: UInt64 = 0

  fileprivate init(at place: LivePlace?, _ entered: ChildIdentity, _ known: ChildIdentity) {
    self.place = place
    self.entered = entered
    self.known = known
  }

  fileprivate var isInUse: Bool { users > 0 }

  // MARK: Frames

  /// Counts a frame that the feature is entered for.
  fileprivate func use() -> Self {
    users += 1
    return self
  }

  /// Keeps a frame that ends with the feature.
  func add(_ frame: ChildFrame) {
    if self.frame == nil { self.frame = frame } else { otherFrames[frame.serial] = frame }
  }

  func remove(_ frame: ChildFrame) {
    if self.frame === frame { self.frame = nil } else { otherFrames[frame.serial] = nil }
    leave()
  }

  /// Counts a frame as gone.
  func leave() {
    users -= 1
    if users == 0 { place?.remove(self) }
  }

  /// The frames to end when the feature has gone. A part has none of its own that end, so they are
  /// those of its children.
  fileprivate var frames: [ChildFrame] {
    guard place?.key.isPart != true else {
      return places.values.flatMap { $0.all.flatMap(\.frames) }
    }
    return (frame.map { [$0] } ?? []) + otherFrames.values
  }

  /// The children at a place that are no longer alive.
  ///
  /// - Parameter ids: The ids of the only elements that may have gone; `nil` where it may be any child.
  func children(
    at place: ChildPlace, among ids: [AnyHashable]?, butFor isAlive: (ChildIdentity) -> Bool
  ) -> [LiveFeature] {
    guard let place = places[.child(place)] else { return [] }
    return (ids.map(place.features) ?? place.all).filter { !isAlive($0.entered) }
  }

  /// Records the new identity of a child that was changed by its own reducer.
  func rename(at place: ChildPlace, from old: ChildIdentity, to new: ChildIdentity) {
    for feature in places[.child(place)]?.all ?? [] where feature.known == old {
      feature.known = new
    }
  }

  // MARK: Windows of throttles

  func add(_ window: ThrottleWindow) {
    windows[ObjectIdentifier(window)] = window
    for feature in lineage { feature.users += 1 }
  }

  func remove(_ window: ThrottleWindow) {
    windows[ObjectIdentifier(window)] = nil
    for feature in lineage { feature.leave() }
  }

  /// This feature and those around it.
  private var lineage: some Sequence<LiveFeature> { sequence(first: self) { $0.place?.parent } }

  /// The windows of this feature and of those below.
  fileprivate var allWindows: [ThrottleWindow] {
    windows.values + places.values.flatMap { $0.all.flatMap(\.allWindows) }
  }

  // MARK: Places

  fileprivate func child(
    _ key: LivePlace.Key, _ locator: ChildLocator?, _ entered: ChildIdentity,
    _ known: ChildIdentity, _ registry: ChildRegistry
  ) -> LiveFeature {
    if let place = places[key] { return place.feature(entered, known) }
    let place = LivePlace(key, locator, in: self, registry)
    places[key] = place
    return place.feature(entered, known)
  }

  fileprivate func remove(_ place: LivePlace) {
    if places[place.key] === place { places[place.key] = nil }
  }

  /// Calls a closure with the state of the feature, if it is there.
  fileprivate func lend(
    _ root: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    guard let place else { return body(root) }
    guard let locator = place.locator else { return }
    place.parent.lend(root) { locator.lend($0, known, body) }
  }

  /// Whether a way leads to the feature from the state of the store.
  fileprivate func isThere(in root: UnsafeMutableRawPointer) -> Bool {
    place?.locator == nil || lendKnown(root) { _ in }
  }

  /// Calls a closure with the state of the feature, if it is there and is the known one.
  ///
  /// - Returns: Whether it is.
  fileprivate func lendKnown(
    _ root: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer) -> Void
  ) -> Bool {
    guard let place else {
      body(root)
      return true
    }
    guard let locator = place.locator else { return false }
    var isThere = false
    place.parent.lend(root) { parent in
      if place.key.isPart {
        locator.lend(parent, known) {
          isThere = true
          body($0)
        }
      } else {
        isThere = locator.lendKnown(parent, known, body)
      }
    }
    return isThere
  }

  func checkInvariants() {
    precondition(
      frames.allSatisfy(\.isAttached), "A feature holds a frame that has left the tree.")
    precondition(place == nil || isInUse, "A feature without frames and windows is in the tree.")
    for (key, place) in places {
      precondition(place.key == key && place.parent === self, "A place is in the wrong feature.")
      precondition(!place.all.isEmpty, "A place without features has been left.")
      for feature in place.all {
        precondition(feature.place === place, "A feature is at another place.")
        feature.checkInvariants()
      }
    }
  }
}

/// The place of one or several children, or of a part, of a feature with something in flight.
final class LivePlace {
  enum Key: Hashable {
    case child(ChildPlace)
    case part(ChildPlace)
    /// A part that is the value of a case, by its locator.
    case value(ObjectIdentifier)

    var isPart: Bool { if case .child = self { false } else { true } }
  }

  let key: Key
  let parent: LiveFeature
  /// `nil` for a child that has no place in a state.
  let locator: ChildLocator?

  /// The features, by the ids of elements. Those under one id have different identities.
  private var featuresByID: [AnyHashable?: [LiveFeature]] = [:]
  private unowned let registry: ChildRegistry

  /// The version of the list of elements that was looked at last.
  fileprivate var seen: Stamp?
  /// Whether the place has to be looked at although no element around it has changed.
  private let isComputed: Bool
  /// Whether a way leads to it from the state of the store.
  let isFound: Bool

  fileprivate init(
    _ key: Key, _ locator: ChildLocator?, in parent: LiveFeature, _ registry: ChildRegistry
  ) {
    self.key = key
    self.parent = parent
    self.locator = locator
    self.registry = registry
    isFound = locator != nil && parent.place?.isFound != false
    isComputed = isFound && locator?.isStored() == false
    if isComputed { registry.computed[ObjectIdentifier(self)] = self }
  }

  /// The features in any order.
  var all: [LiveFeature] { featuresByID.values.flatMap { $0 } }

  func features(_ ids: [AnyHashable]) -> [LiveFeature] {
    ids.flatMap { featuresByID[$0] ?? [] }
  }

  fileprivate func feature(_ entered: ChildIdentity, _ known: ChildIdentity) -> LiveFeature {
    let existing = featuresByID[entered.box?.id]?.first {
      $0.entered == entered && $0.known == known
    }
    if let existing { return existing }
    let feature = LiveFeature(at: self, entered, known)
    featuresByID[entered.box?.id, default: []].append(feature)
    return feature
  }

  fileprivate func remove(_ feature: LiveFeature) {
    let id = feature.entered.box?.id
    featuresByID[id]?.removeAll { $0 === feature }
    guard featuresByID[id]?.isEmpty == true else { return }
    featuresByID[id] = nil
    guard featuresByID.isEmpty else { return }
    if isComputed { registry.computed[ObjectIdentifier(self)] = nil }
    parent.remove(self)
  }
}

/// The features that have something in flight, or an interval of a `throttle`.
///
/// Registering and removing a child take constant time, as long as few places of its parent have
/// children. So does the search for children that have gone, where an action has changed a few elements
/// of each list: see ``endMissing(in:_:)``.
final class ChildRegistry: FeatureRegistry {
  /// The feature at the root.
  fileprivate let root = LiveFeature(
    at: nil, ChildIdentity(stamp: .none), ChildIdentity(stamp: .none))
  /// The children that something was started for since the last search; `nil` where there is no state to search.
  private var fresh: [LiveFeature]?
  /// The places that are not stored in the state of their parent.
  fileprivate var computed: [ObjectIdentifier: LivePlace] = [:]
  private var lastSerial: UInt64 = 0
  private var lastSearch: UInt64 = 0

  /// - Parameter isSearched: Whether there is a state to search for children that have gone.
  init(isSearched: Bool) {
    fresh = isSearched ? [] : nil
  }

  var isEmpty: Bool { root.places.isEmpty && fresh?.isEmpty != false }

  func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }

  /// Enters a child for a frame.
  func enter(_ node: ChildNode, under parent: LiveFeature) -> LiveFeature {
    let entered = node.id.identity
    let feature = parent.child(
      .child(node.id.place), node.locator, entered, node.known ?? entered, self)
    if feature.place?.isFound == true { fresh?.append(feature) }
    return feature.use()
  }

  /// Enters a part for a frame.
  func enter(_ part: ChildLocator, under parent: LiveFeature) -> LiveFeature {
    let key = part.part.map(LivePlace.Key.part) ?? .value(ObjectIdentifier(part))
    return parent.child(key, part, root.entered, root.known, self).use()
  }

  /// Ends the effects of children that are no longer in the state, or that others have replaced. It
  /// does not matter which reducer has removed them.
  ///
  /// The operators that compose children end effects as well, by an ``EndChildrenNode``: only they
  /// notice a child that one reducer removes and a later one adds again during the same action.
  ///
  /// The search goes down from the state of the store. Of a list it looks at the elements that its
  /// ``ElementLog`` names, since the others are what they were, with all that is stored in them. Besides,
  /// it looks for children that something was just started for, and at places that are computed.
  ///
  /// - Parameter state: The state of the store.
  func endMissing(in state: UnsafeMutableRawPointer, _ interpreter: Interpreter) {
    lastSearch += 1
    var missing: [LiveFeature] = []
    search(root, state, &missing)
    for place in Array(computed.values) where isInsideOfList(place) {
      place.parent.lend(state) { search(place, $0, isComplete: true, &missing) }
    }
    for feature in exchange(&fresh, with: []) ?? []
    where feature.isInUse && feature.lastFound != lastSearch {
      if !feature.isThere(in: state) { missing.append(feature) }
    }
    guard !missing.isEmpty else { return }
    interpreter.step { end(missing, interpreter) }
  }

  /// Ends everything that features have in flight, in the order in which it has come, and the windows of their
  /// throttles.
  func end(_ features: [LiveFeature], _ interpreter: Interpreter) {
    let frames = features.flatMap(\.frames).sorted { $0.serial < $1.serial }
    frames.forEach(interpreter.endChild)
    for window in features.flatMap(\.allWindows) { window.endWithOwner(interpreter) }
  }

  func throttleOwner(of frame: Frame) -> (any ThrottleOwner)? {
    var next = frame.interceptor
    while let frame = next {
      if let frame = frame as? ChildFrame { return frame.ownFeature(in: self) }
      next = frame.parent?.interceptor
    }
    return nil
  }

  func isMissing(_ frame: Frame, in state: UnsafeMutableRawPointer) -> Bool {
    let feature = frame.feature(in: self)
    return feature.place?.isFound == true && !feature.isThere(in: state)
  }

  /// Calls a closure with the state of the feature that effects below a frame belong to, and its type, if it is there.
  func lend(
    _ frame: Frame, _ root: UnsafeMutableRawPointer, _ rootType: Any.Type,
    _ body: (UnsafeMutableRawPointer, Any.Type) -> Void
  ) {
    let feature = frame.feature(in: self)
    _ = feature.lendKnown(root) { body($0, feature.place?.locator?.childType ?? rootType) }
  }

  // The code of a state runs during the search, and may end some of the features. So each is held here,
  // and asked whether it is still in use.

  private func search(
    _ feature: LiveFeature, _ state: UnsafeMutableRawPointer, _ missing: inout [LiveFeature]
  ) {
    for place in Array(feature.places.values) {
      search(place, state, isComplete: false, &missing)
    }
  }

  private func search(
    _ place: LivePlace, _ parent: UnsafeMutableRawPointer, isComplete: Bool,
    _ missing: inout [LiveFeature]
  ) {
    guard let locator = place.locator else { return }
    var features: [LiveFeature]?
    if let changes = locator.changes?(parent, place.seen) {
      place.seen = changes.version
      if !isComplete { features = changes.ids.map(place.features) }
    }
    for feature in features ?? place.all where feature.isInUse {
      func visit(_ state: UnsafeMutableRawPointer) {
        feature.lastFound = lastSearch
        if !feature.places.isEmpty { search(feature, state, &missing) }
      }
      if place.key.isPart {
        locator.lend(parent, feature.known, visit)
        if feature.lastFound != lastSearch { missing.append(feature) }
      } else if !locator.lendKnown(parent, feature.known, visit) {
        missing.append(feature)
      }
    }
  }

  private func isInsideOfList(_ place: LivePlace) -> Bool {
    sequence(first: place) { $0.parent.place }.dropFirst().contains { $0.locator?.changes != nil }
  }

  func checkInvariants() {
    root.checkInvariants()
    for place in computed.values {
      precondition(!place.all.isEmpty, "A computed place without features has been left.")
    }
  }
}

/// A frame of a feature that is a part of another one.
protocol FeatureFrame: Frame {
  func ownFeature(in registry: ChildRegistry) -> LiveFeature
}

extension Frame {
  /// The feature that effects below this frame belong to.
  func feature(in registry: ChildRegistry) -> LiveFeature {
    var next = interceptor
    while let frame = next {
      if let frame = frame as? any FeatureFrame { return frame.ownFeature(in: registry) }
      next = frame.parent?.interceptor
    }
    return registry.root
  }
}
