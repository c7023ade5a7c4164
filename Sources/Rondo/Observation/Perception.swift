// The names of Swift Perception, as other names for the standard library's observation.

import Observation

/// A class or a state whose members are observed.
public typealias Perceptible = Observable

/// The storage of the observers of a class.
public typealias PerceptionRegistrar = ObservationRegistrar

/// Runs a closure, and calls another one when something that the first has read is about to change.
@discardableResult
public func withPerceptionTracking<Result>(
  _ apply: () -> Result, onChange: @autoclosure () -> @Sendable () -> Void
) -> Result {
  withObservationTracking(apply, onChange: onChange())
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
