// The different states that an exploration has seen.

import RondoTestStore

/// Gives equal states the same number.
///
/// States are compared by `==`, so two states never have the same number by chance. Those that are
/// `Hashable` are found at once. Of the others the table remembers what an action has led to before, and
/// looks through all states only where that was another one.
final class StateTable<State: Equatable> {
  private var states: [State] = []
  private var buckets: [Int: [Int]] = [:]
  private var successors: [UInt64: Int] = [:]
  private let hash: ((UnsafePointer<State>) -> Int)?

  private var limit: Int

  /// The largest number of states, where no other is named.
  static var usualLimit: Int { 1 << 14 }

  /// - Parameter limit: The largest number of states.
  init(limit: Int = StateTable.usualLimit) {
    self.limit = limit
    hash = (State.self as? any Hashable.Type).map { hashing($0) }
  }

  var count: Int { states.count }

  /// Takes no more states.
  func close() { limit = 0 }

  /// A state by its number, which is counted from 1.
  func state(_ number: Int) -> State { states[number - 1] }

  /// Whether a state was seen for which there was no room.
  private(set) var isFull = false

  /// Whether states are found at once.
  var isHashed: Bool { hash != nil }

  /// The number of a state, counted from 1; 0 where there are too many.
  ///
  /// - Parameter step: A number for what has led to it.
  func number(of place: UnsafePointer<State>, after step: UInt64) -> UInt64 {
    let bucket = hash?(place) ?? 0
    let state = place.pointee
    if hash == nil, let guess = successors[step], states[guess] == state {
      return UInt64(guess + 1)
    }
    if let known = buckets[bucket]?.first(where: { states[$0] == state }) {
      if hash == nil { successors[step] = known }
      return UInt64(known + 1)
    }
    // A state that is not equal to itself would be a new one again and again.
    guard state == state else { return 0 }
    guard states.count < limit else {
      isFull = true
      return 0
    }
    states.append(state)
    buckets[bucket, default: []].append(states.count - 1)
    if hash == nil { successors[step] = states.count - 1 }
    return UInt64(states.count)
  }
}

/// The hash function of a type, for values that are known by another name of the same type.
private func hashing<State, H: Hashable>(_: H.Type) -> (UnsafePointer<State>) -> Int {
  assert(State.self == H.self)
  // The address instead of a cast, which takes longer than the hash.
  return { UnsafeRawPointer($0).assumingMemoryBound(to: H.self).pointee.hashValue }
}
