// `sink`, `assign`, `values`: effects for a plain view model.

import Dispatch
import RondoAnimation
import RondoScheduling

extension Effect {
  /// Starts the effect and calls a closure with each value, inside the value's transaction.
  ///
  /// ```swift
  /// subscription = quotes.receive(on: mainQueue.animation()).sink { quote in
  ///   model.quote = quote  // Transaction.current.animation is .default
  /// }
  /// ```
  ///
  /// Called on the main actor, or on another actor, the closure belongs to it. On the main actor a
  /// value that arrives on another thread is reported and dropped: add `receive(on:)` with a
  /// scheduler of the main thread. On another actor values are delivered in order, as soon as the
  /// actor gets to it. Outside of any actor the closure is called on whichever thread the value
  /// arrives on, one value at a time: other threads that send wait meanwhile. Where the closures of two
  /// effects send into each other, on two threads, put `receive(on:)` in front of one, or each may wait for the other.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the closure belongs to: the caller's.
  ///   - receiveCompletion: Called when the effect has ended by itself.
  ///   - receiveValue: Called with each value.
  /// - Returns: An object that cancels the effect when it is cancelled or released.
  public func sink(
    isolation: isolated (any Actor)? = #isolation,
    receiveCompletion: @escaping () -> Void = {},
    receiveValue: @escaping (Output) -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> AnyCancellable {
    let position = SourcePosition(fileID, filePath, line, column)
    let delivery = Delivery("sink", isolation, position)
    let runner = Runner<Output>(
      on: delivery.home,
      receiveValue: { value in delivery.deliver { receiveValue(value) } },
      receiveCompletion: { delivery.complete(receiveCompletion) })
    runner.start(self)
    let held = Unchecked(runner)
    return AnyCancellable(stop: delivery.flag.set) { held.value.cancel() }
  }

  /// Starts the effect and writes each value to a property, inside the value's transaction.
  ///
  /// The object is not retained, and nothing has to be kept: the effect runs until it ends by
  /// itself or finds the object gone. As to actors, see
  /// ``sink(isolation:receiveCompletion:receiveValue:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - object: The object that has it.
  ///   - isolation: The actor that the object belongs to: the caller's.
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>,
    on object: Root,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let position = SourcePosition(fileID, filePath, line, column)
    let delivery = Delivery("assign(to:on:)", isolation, position)
    let end = WeakReference<Runner<Output>>()
    let runner = Runner<Output>(
      on: delivery.home,
      receiveValue: { [weak object] value in
        // The object is asked for where it lives: it may be held there for the last time.
        guard !delivery.isHomeGone else { return end.object?.cancel() ?? () }
        delivery.deliver {
          if let object { object[keyPath: keyPath] = value } else { end.object?.cancel() }
        }
      },
      receiveCompletion: {})
    end.object = runner
    runner.start(self)
  }

}

extension Effect where Output: Sendable {
  /// The values as an asynchronous sequence, for one reader. The effect starts now and is cancelled
  /// when the reader stops. Values that have not been read yet are kept.
  public var values: AsyncStream<Output> {
    let (stream, continuation) = AsyncStream.makeStream(of: Output.self)
    let runner = Runner<Output>(
      receiveValue: { continuation.yield($0) },
      receiveCompletion: { continuation.finish() })
    runner.start(self)
    let held = Unchecked(runner)
    continuation.onTermination = { _ in held.value.cancel() }
    return stream
  }
}

private final class WeakReference<Object: AnyObject> {
  weak var object: Object?
}

/// Calls closures that belong to an actor, or makes sure that they are not called elsewhere.
private struct Delivery {
  /// The name of the function that was called.
  private let name: String
  private let position: SourcePosition
  private let isMain: Bool
  /// For an actor other than the main one.
  private let inbox: ActorInbox?
  /// Set when nothing is to be delivered any more.
  let flag = SharedFlag()

  init(_ name: String, _ isolation: (any Actor)?, _ position: SourcePosition) {
    self.name = name
    self.position = position
    isMain = isolation === MainActor.shared
    inbox = isMain ? nil : isolation.map(ActorInbox.init)
  }

  /// The actor that closures of the effect run on. Another one than the main actor is not held.
  var home: (any Actor)? { isMain ? MainActor.shared : nil }

  /// Whether the actor that the closure belongs to has been released.
  var isHomeGone: Bool { inbox?.isActorGone ?? false }

  func deliver(_ work: @escaping () -> Void) {
    guard !flag.isSet else { return }
    if let inbox {
      return inbox.add { [flag] in
        if !flag.isSet { work() }
      }
    }
    guard isMain else { return work() }
    guard isOnMainQueue() else {
      reportIssue(
        """
        A value reached '\(name)' on a background thread, though it was called on the main \
        actor, and was dropped. Add 'receive(on: DispatchQueue.main)' in front of it.
        """,
        at: position)
      return
    }
    work()
  }

  /// Reports the end, which carries no value. For the main actor, it is brought to the main thread.
  func complete(_ work: @escaping () -> Void) {
    guard isMain, !isOnMainQueue() else { return deliver(work) }
    let work = Unchecked(work)
    DispatchQueue.main.async { [flag] in
      if !flag.isSet { work.value() }
    }
  }
}

/// Work for an actor, done there in the order in which it comes, each piece in the ambient
/// transaction that it comes in. All work that waits is done in one hop. The actor is not retained;
/// work for an actor that has been released is dropped.
private final class ActorInbox: @unchecked Sendable {
  // @unchecked: written once, in `init`; weak reads are atomic.
  private weak var actor: (any Actor)?
  private let waiting = Inbox<Unchecked<() -> Void>>()

  init(_ actor: any Actor) {
    self.actor = actor
  }

  var isActorGone: Bool { actor == nil }

  func add(_ work: @escaping () -> Void) {
    let transaction = HeldTransaction(.current)
    let work = Unchecked { withAmbientTransaction(transaction.value, work) }
    guard waiting.add(work) == .wakesReader else { return }
    // Detached: the values of the task that has added work are not for what others have added.
    Task.detached { [self] in
      guard let actor else { return _ = waiting.take() }
      await actor.perform {
        var waiting = self.waiting.take()
        while let work = waiting?.removeFirst() { work.value() }
      }
    }
  }
}

extension Actor {
  fileprivate func perform(_ work: @Sendable () -> Void) {
    work()
  }
}

extension Effect {
  /// Starts the effect and calls a closure with each value, on the thread that it arrives on. Nothing
  /// has to be kept: the effect runs until it ends by itself.
  package func start(forEach receiveValue: @escaping (Output) -> Void) {
    Runner(receiveValue: receiveValue, receiveCompletion: {}).start(self)
  }
}
