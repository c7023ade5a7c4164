// What the hosts offer to observers, in terms of `subscribe`.

import RondoScheduling

extension Machine {
  /// Subscribes a closure until the result is cancelled or released.
  func subscription(
    changesOnly: Bool,
    _ receive: @escaping (Commit<State, Action>) -> Void
  ) -> AnyCancellable {
    let id = subscribe { commit in
      guard commit.hasChanges || !changesOnly else { return }
      receive(commit)
    }
    return AnyCancellable { [mailbox = interpreter.mailbox] in
      mailbox.post(.unsubscribe(id))
    }
  }

  /// The state now, and after every commit that changes it.
  func states() -> AsyncStream<State> where State: Sendable {
    stream(first: state) { $0.hasChanges ? $0.newState : nil }
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
    continuation.onTermination = { [mailbox = interpreter.mailbox] _ in
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
