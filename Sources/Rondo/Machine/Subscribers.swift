// The closures that get every commit.

/// Subscribers of a machine, in the order in which they came.
struct Subscribers<State, Action> {
  private final class Subscriber {
    let id: UInt64
    /// `nil` once it was removed, perhaps by an earlier subscriber of the same commit.
    var receive: ((Commit<State, Action>) -> Void)?

    init(_ id: UInt64, _ receive: @escaping (Commit<State, Action>) -> Void) {
      self.id = id
      self.receive = receive
    }
  }

  // `nil` rather than empty until somebody subscribes: an array of a generic type is slow to make.
  private var subscribers: [Subscriber]?
  private var lastID: UInt64 = 0

  var isEmpty: Bool { subscribers?.isEmpty ?? true }

  /// Adds a closure. Returns the id to remove it by.
  mutating func add(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    lastID += 1
    subscribers = subscribers ?? []
    subscribers?.append(Subscriber(lastID, receive))
    return lastID
  }

  /// Removes a closure. Returns it, so that it is released when the access has ended: what it holds
  /// may end another subscription.
  mutating func remove(_ id: UInt64) -> ((Commit<State, Action>) -> Void)? {
    guard let index = subscribers?.firstIndex(where: { $0.id == id }) else { return nil }
    return subscribers?.remove(at: index).receive.take()
  }

  /// Calls every subscriber that is not removed meanwhile.
  func deliver(_ commit: Commit<State, Action>) {
    for subscriber in subscribers ?? [] {
      subscriber.receive?(commit)
    }
  }
}
