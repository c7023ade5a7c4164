// Sequences as streams, and results of tasks, with names that users know.

extension AsyncStream {
  /// The elements of another sequence. One that fails ends.
  public init<Elements: AsyncSequence>(_ sequence: Elements)
  where Elements.Element == Element, Elements: SendableMetatype {
    let sequence = UncheckedSendable(sequence)
    self.init { continuation in
      let task = feed(sequence, { continuation.yield($0) }, { _ in continuation.finish() })
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// The elements of another sequence.
  public init<Elements: AsyncSequence>(_ sequence: Elements)
  where Elements.Element == Element, Elements: SendableMetatype {
    let sequence = UncheckedSendable(sequence)
    self.init { continuation in
      let task = feed(
        sequence, { continuation.yield($0) }, { continuation.finish(throwing: $0) })
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// Hands over the elements of a sequence, and then its end or its error.
private func feed<Elements: AsyncSequence & SendableMetatype>(
  // Unchecked: the sequence and its elements are the stream's from here on.
  _ sequence: UncheckedSendable<Elements>,
  _ yield: @escaping @Sendable (sending Elements.Element) -> Void,
  _ finish: @escaping @Sendable ((any Error)?) -> Void
) -> Task<Void, Never> {
  Task {
    do {
      for try await element in sequence.value {
        nonisolated(unsafe) let element = element
        yield(element)
      }
      finish(nil)
    } catch {
      finish(error)
    }
  }
}

extension AsyncSequence where Self: SendableMetatype {
  /// The same elements, as a stream. If the sequence fails the stream ends.
  public func eraseToStream() -> AsyncStream<Element> { AsyncStream(self) }

  /// The same elements, as a stream that may fail.
  public func eraseToThrowingStream() -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(self)
  }
}

extension Task where Success == Never, Failure == Never {
  /// Lets other tasks go on.
  ///
  /// A `TestStore` needs none of it: its effects have gone as far as they can when `send` returns.
  public static func megaYield(count: Int = 20) async {
    for _ in 0..<count {
      await Task<Void, Never>.detached(priority: .background) { await Task.yield() }.value
    }
  }
}

extension Task where Failure == any Error {
  /// The result. The task is cancelled when the task that waits for it is.
  public var cancellableValue: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}

extension Task where Failure == Never {
  /// The result. The task is cancelled when the task that waits for it is.
  public var cancellableValue: Success {
    get async {
      await withTaskCancellationHandler {
        await value
      } onCancel: {
        cancel()
      }
    }
  }
}
