// The function that views without SwiftUI observe models with.

import RondoAnimation

/// Runs a closure now, and again after every change of what it has read.
///
/// This is how a view of any kind (a GTK widget, a screen of a terminal, a scene of a game) shows a
/// store, or any other observable model:
///
/// ```swift
/// final class CounterView {
///   let label = Label()
///   private var tokens: Set<ObserveToken> = []
///
///   init(store: StoreOf<Counter>) {
///     observe { [weak self] in
///       guard let self else { return }
///       label.text = "\(store.count)"
///     }
///     .store(in: &tokens)
///   }
/// }
/// ```
///
/// The closure is woken by what it read when it last ran, through the standard library's
/// `Observation`: members of stores, scoped ones as well, `@Shared` values, `@Observable` classes.
/// It runs on the main actor, until the token is cancelled or released.
///
/// ## When it runs
///
/// - A change that an action makes is shown before `send` returns: once per commit that touches
///   what was read, after the reducer and after the closures given to
///   ``Store/subscribe(changesOnly:_:)``. Half of a change is never seen.
/// - A change of another model is shown in the next turn of the main queue, since `Observation`
///   tells of changes before they are made. Several in one turn are shown together.
/// - Closures that the same change wakes run in the order in which they began to observe. So the
///   closure of a parent's view runs first; if it releases the token of a child's view, the closure
///   of that view does not run again.
/// - Actions that the closure sends are handled when it has returned. An `observe` inside it also
///   runs first at that time, and the reads of the inner closure do not wake the outer one. Changes
///   that the closure itself makes to a model do not wake it either.
/// - A `@Shared` value may be changed by any thread at any time, also while the closure runs. The
///   last change is always shown.
/// - Other models are best changed on the main actor: `Observation` begins to watch them when the
///   closure has returned, and tells of a change before it is made. So a change that another thread
///   makes in the middle of a run may be shown with the next one only. To share a value between
///   threads, keep it in a `@Shared` one.
/// - The next turn is one of `DispatchQueue.main`, so for other models than stores something has to
///   run the main queue: a main loop, or an asynchronous `main`.
///
/// - Parameter apply: The closure that shows the model.
/// - Returns: A token that keeps the closure alive and running.
@MainActor
public func observe(_ apply: @escaping @MainActor () -> Void) -> ObserveToken {
  observe { _ in apply() }
}

/// Runs a closure now, and again after every change of what it has read, with the transaction of
/// the change.
///
/// ```swift
/// observe { [weak self] transaction in
///   self?.panel.setOpen(store.isOpen, animated: transaction.animation != nil)
/// }
/// ```
///
/// For a store it is the transaction of the commit. For another model it is the one that was
/// ambient to the first change of the turn. The first run gets an empty transaction. It is not
/// ambient to the closure, so it does not tag the actions that the closure sends.
///
/// - Parameter apply: The closure that shows the model, given the transaction of the change. See
///   `observe(_:)` for the times at which it runs.
/// - Returns: A token that keeps the closure alive and running.
@MainActor
public func observe(
  _ apply: @escaping @MainActor (_ transaction: Transaction) -> Void
) -> ObserveToken {
  let token = ObserveToken(apply)
  token.start()
  return token
}
