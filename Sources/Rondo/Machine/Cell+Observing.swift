// The ways to observe a machine: everything that it does, or its commits.

import RondoScheduling

/// A source of commits: a machine, or a part of its state.
protocol CommitSource<State, Action>: AnyObject {
  associatedtype State
  associatedtype Action

  /// Takes the end of a subscription from any thread.
  var mailbox: Mailbox { get }

  func withState<Result>(_ body: (borrowing State) -> Result) -> Result

  /// Calls a closure with every commit from now on.
  func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64
}

extension Cell: CommitSource {
  var mailbox: Mailbox { interpreter.mailbox }

  func withState<Result>(_ body: (borrowing State) -> Result) -> Result {
    body(state)
  }
}

// MARK: - Observers of everything

extension Cell {
  /// Adds an observer of everything that the machine does.
  ///
  /// - Returns: A closure that ends the observation. It may be called anywhere, and once.
  package func observe(_ observer: MachineObserver<State, Action>) -> @Sendable () -> Void {
    let (id, subscription) = observeForGood(observer)
    let machine = Unchecked(WeakMachine(machine: self))
    return { [mailbox = interpreter.mailbox] in
      mailbox.post(
        .run { interpreter in
          guard let machine = machine.value.machine else { return }
          if let subscription { machine.unsubscribe(subscription) }
          machine.removeObserver(id, interpreter)
        })
    }
  }

  /// Adds an observer that stays for as long as the machine lives.
  ///
  /// - Returns: The numbers by which it is removed.
  @discardableResult
  package func observeForGood(
    _ observer: MachineObserver<State, Action>
  ) -> (id: UInt64, subscription: UInt64?) {
    let recorder = recorder ?? Recorder()
    self.recorder = recorder
    let id = recorder.add(observer, interpreter)
    // Not by 'map': that looks the type of the optional closure up.
    var subscription: UInt64?
    if let didCommit = observer.didCommit { subscription = subscribe(didCommit) }
    if observer.didHappen != nil { dependencies.observeClocks(observer.pace) }
    return (id, subscription)
  }

  /// Passes on what a tool asks to the observer that it is for; `nil` where there is none.
  package func ask(_ request: any Sendable) -> (any Sendable)? { recorder?.ask(request, self) }

  /// Sends an action that puts a state in place of the machine's, as a tool does that goes back to an earlier
  /// one. The reducer does not run. Nothing is done while nobody observes.
  package func send(_ action: Action, replacingStateBy state: State) {
    guard let recorder else { return }
    recorder.replaceState(by: state)
    _ = send(action, Transaction())
  }

  private func removeObserver(_ id: UInt64, _ interpreter: Interpreter) {
    recorder?.remove(id, interpreter)
    if recorder?.journal == nil { dependencies.leaveClocks() }
    guard let old = recorder, old.isEmpty else { return }
    // Released behind the access, because it may hold a state. An `inout` access would have each send checked.
    recorder = nil
    withExtendedLifetime(old) {}
  }
}

private struct WeakMachine<State, Action> {
  weak var machine: Cell<State, Action>?
}

// MARK: - Subscriptions and streams

extension CommitSource {
  /// Subscribes a closure until the result is cancelled or released.
  func subscription(
    changesOnly: Bool,
    _ receive: @escaping (Commit<State, Action>) -> Void
  ) -> AnyCancellable {
    let flag = SharedFlag()
    let id = subscribe { commit in
      guard commit.hasChanges || !changesOnly, !flag.isSet else { return }
      receive(commit)
    }
    return AnyCancellable(stop: flag.set) { [mailbox] in mailbox.post(.unsubscribe(id)) }
  }

  /// The state now, and after every commit that changes it.
  func states() -> AsyncStream<State> where State: Sendable {
    stream(first: withState { copy $0 }) { $0.hasChanges ? $0.newState : nil }
  }

  /// Every commit from now on.
  func commits() -> AsyncStream<Commit<State, Action>> where State: Sendable, Action: Sendable {
    stream(first: nil) { $0 }
  }

  private func stream<Element: Sendable>(
    first: Element?,
    _ element: @escaping (Commit<State, Action>) -> Element?
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    if let first { continuation.yield(first) }
    let end = StreamEnd(continuation)
    let id = subscribe { commit in
      if let element = element(commit) { end.continuation.yield(element) }
    }
    continuation.onTermination = { [mailbox] _ in
      mailbox.post(.unsubscribe(id))
    }
    return stream
  }
}

/// Ends a stream when its subscription is released, with the machine at the latest.
private final class StreamEnd<Element: Sendable> {
  let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = continuation
  }

  deinit {
    continuation.finish()
  }
}
