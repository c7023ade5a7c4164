// The names of Swift Perception, as other names for the standard library's observation.

import Observation
import Rondo
import Synchronization

/// A class or a state whose members are observed.
public typealias Perceptible = Observable

/// The values that a closure reads, again whenever they change.
public typealias Perceptions = Observations

/// The storage of the observers of a class.
public typealias PerceptionRegistrar = ObservationRegistrar

/// Runs a closure, and calls another one, once, when something that the first has read is about to
/// change.
///
/// A `@Shared` value tells of a change after it was made, also of one that another thread makes while
/// the first closure runs.
@discardableResult
public func withPerceptionTracking<Result>(
  _ apply: () -> Result, onChange: @autoclosure () -> @Sendable () -> Void
) -> Result {
  let call = SingleCall(onChange())
  let (result, hasChanged) = TrackedReads().track(apply) { call() }
  if hasChanged { call() }
  return result
}

/// A closure that is called once.
private final class SingleCall: Sendable {
  private let body: Mutex<(@Sendable () -> Void)?>

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = Mutex(body)
  }

  func callAsFunction() {
    body.withLock { $0.take() }?()
  }
}

#if RONDO_MACROS

  /// Makes a class observed member by member, as `@Observable` does.
  @attached(
    member, names: named(_$observationRegistrar), named(access), named(withMutation),
    named(shouldNotifyObservers))
  @attached(memberAttribute)
  @attached(extension, conformances: Observable)
  public macro Perceptible() = #externalMacro(module: "ObservationMacros", type: "ObservableMacro")

#endif
