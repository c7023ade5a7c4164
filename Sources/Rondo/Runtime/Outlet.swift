// Where the emissions of running effects arrive.

import RondoAnimation

/// The owner of an interpreter: a machine, or the runner of an effect without a store.
class Outlet {
  /// What runs the effects. A host that never has any never makes one.
  final lazy var interpreter = makeInterpreter()
  /// Whether there has been one.
  private(set) final var hasInterpreter = false

  /// Who is asked which isolation the effects are to talk to. Set before the first of them.
  // unowned(unsafe): the host holds the outlet, and what uses it is reached through it.
  final unowned(unsafe) var host: (any OutletHost)!
  // unowned(unsafe): the host holds it, and what uses it is reached through it.
  fileprivate final unowned(unsafe) var lifetime: Lifetime?

  // Unchecked, this and those below, because no access to them spans a call, and every action makes
  // some.

  /// Whether a change is being made right now, further up the stack.
  @exclusivity(unchecked) final var isBusy = false

  // MARK: On the main actor

  /// Whether it is a machine of the main actor, whose commits those wait for who observe there.
  @exclusivity(unchecked) final var isOnMainActor = false

  /// Whether a reducer is at work, so that the state may be half of what it will be.
  @exclusivity(unchecked) final var isReducing = false

  /// The one of the main actor that is at work, the innermost.
  // nonisolated(unsafe): used on the main actor only. Unmanaged: whoever is at work lives.
  @exclusivity(unchecked) nonisolated(unsafe) private static var innermost: Unmanaged<Outlet>?
  /// The one that is at work further up the stack.
  @exclusivity(unchecked) private final var outer: Unmanaged<Outlet>?

  static var atWork: Outlet? { innermost?.takeUnretainedValue() }

  /// The one of the main actor that has a reducer at work.
  static var reducing: Outlet? {
    var outlet = atWork
    while let other = outlet, !other.isReducing { outlet = other.outer?.takeUnretainedValue() }
    return outlet
  }

  /// Who is to run after the commit in progress.
  final var woken = WokenObservers() {
    didSet { isAwaited = !woken.isEmpty }
  }
  /// Whether anybody is.
  @exclusivity(unchecked) private(set) final var isAwaited = false

  /// Says that work begins.
  final func enter() {
    isBusy = true
    guard isOnMainActor else { return }
    outer = Outlet.innermost
    Outlet.innermost = .passUnretained(self)
  }

  /// Says that work has ended.
  final func leave() {
    isBusy = false
    guard isOnMainActor else { return }
    Outlet.innermost = outer
  }

  deinit {
    guard hasInterpreter else { return }
    interpreter.endAll()
    // Letters that nobody will read refer to the mailbox that they are in.
    _ = interpreter.mailbox.takeLetters()
  }

  private func makeInterpreter() -> Interpreter {
    hasInterpreter = true
    let interpreter = Interpreter(outlet: self, isolation: host.makeIsolation(for: self))
    interpreter.mailbox.lifetime = lifetime
    return interpreter
  }

  /// Makes a change that is not part of one in progress. The code that runs inside sees an empty
  /// ambient transaction: what tags an action is said in its envelope.
  func perform(_ change: () -> Void) {
    enter()
    withAmbientTransaction(Transaction(), change)
    leave()
  }

  /// Deals with the emissions that have arrived so far.
  func settle() {}

  /// Takes what has come through operators.
  func receive(_ emission: Emission, _ root: RootFrame) {}

  /// Takes a ``SendNode`` of the outlet's own type.
  func receive(_ answer: EffectNode, _ transaction: Transaction, _ root: RootFrame) {}

  /// Told when all that a root has started has ended by itself.
  func didEnd(_ root: RootFrame) {}

  /// Forgets a subscriber.
  func unsubscribe(_ id: UInt64) {}
}

/// What owns an outlet and knows where it lives.
protocol OutletHost: AnyObject {
  /// The isolation of the outlet, as its effects see it. By then the outlet has a ``Lifetime``.
  /// Called at most once, when the first effect is started.
  func makeIsolation(for outlet: Outlet) -> any HostIsolation
}

/// What a host holds of its outlet, and what the mailbox refers to weakly: a host that is gone takes
/// the outlet with it, unless it is at work just then.
///
/// It stands between the two because an object that is referred to weakly is dearer to retain, and
/// an outlet is retained all the time.
final class Lifetime {
  let outlet: Outlet

  init(of outlet: Outlet) {
    self.outlet = outlet
    outlet.lifetime = self
  }
}
