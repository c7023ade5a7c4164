// The isolation that a machine lives on, as its effects see it.

/// The isolation of a machine, with the ways to run work on it from elsewhere.
package protocol HostIsolation: Sendable {
  /// Runs work now if the caller is on the isolation already. Returns whether it was.
  func runIfCurrent(_ work: () -> Void) -> Bool

  /// Runs work on the isolation soon.
  func hop(_ work: @escaping @Sendable () -> Void)

  /// Runs the last work of a machine whose host has been released. The caller may be anywhere.
  func runLast(_ work: @escaping @Sendable () -> Void)

  /// The executor of the closures of effects; `nil` is the concurrent pool.
  var taskExecutor: (any TaskExecutor)? { get }

  /// Whether ``letOthersGoFirst()`` is to be called.
  var isExploring: Bool { get }

  /// Called by the closure of an effect before it sends a message. If every effect had a thread of
  /// its own, another effect could be faster at this point. The closure may be suspended here until
  /// other effects have gone first.
  nonisolated(nonsending) func letOthersGoFirst() async
}

extension HostIsolation {
  package var taskExecutor: (any TaskExecutor)? { nil }

  package var isExploring: Bool { false }

  package nonisolated(nonsending) func letOthersGoFirst() async {}

  package func runLast(_ work: @escaping @Sendable () -> Void) {
    if !runIfCurrent(work) { hop(work) }
  }
}
