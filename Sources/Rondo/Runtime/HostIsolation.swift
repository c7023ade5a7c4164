// The isolation that a machine lives on, as its effects see it.

/// Where a machine lives, and how code that runs elsewhere gets there.
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

  /// Called by the closure of an effect before it tells anything: the point at which, on a thread of
  /// its own, another effect could be faster. It may be suspended here for as long as that takes.
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
