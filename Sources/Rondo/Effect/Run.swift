// Effects that do asynchronous work.

import RondoAnimation
import RondoScheduling

extension Effect {
  /// An effect that runs an asynchronous closure, which may send any number of outputs.
  ///
  /// ```swift
  /// .run(name: "quotes") { send in
  ///   for await quote in client.quotes() {
  ///     await send(.quoted(quote), animation: .default)
  ///   }
  /// }
  /// ```
  ///
  /// The closure runs in a task of its own, on the isolation of the store: the main actor for a ``Store``. It begins
  /// at once, behind the reducer that returned it, and runs to its first suspension before the next effect starts.
  /// What it sends until then is handled before `send` returns, as the answers of `.send` are. So work that computes
  /// or blocks says that it runs elsewhere: `.run { @concurrent send in … }`, or a function that is marked
  /// `@concurrent`. Swift 6.3 takes a closure *with a list of captures* for one that runs elsewhere, too: where it
  /// has to begin at once, bind what it captures by a `let` in front.
  ///
  /// It begins with an empty ambient transaction. The effect ends when the closure returns; when it is cancelled, so
  /// is the task, and nothing that it still sends arrives.
  ///
  /// A `CancellationError` that the closure throws ends the effect quietly. Any other error is
  /// given to `handler`; without one it is reported as an issue.
  ///
  /// - Parameters:
  ///   - name: The name of the effect and its task in messages and tools.
  ///   - priority: The priority of the task; `nil` takes that of the code that sends the action.
  ///   - operation: The work.
  ///   - handler: Handles an error of the operation.
  public static func run(
    name: String? = nil,
    priority: TaskPriority? = nil,
    operation:
      nonisolated(nonsending) @escaping @Sendable (_ send: Send<Output>) async throws ->
      Void,
    catch handler: (
      nonisolated(nonsending) @Sendable (_ error: any Error, _ send: Send<Output>) async -> Void
    )? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let body: SourceNode.TaskBody =
      if let handler {
        { frame in
          do {
            try await operation(Send(frame))
          } catch let error where !(error is CancellationError) {
            await handler(error, Send(frame))
          }
        }
      } else {
        { frame in try await operation(Send(frame)) }
      }
    return Self(
      node: SourceNode(
        "run", name, at: SourcePosition(fileID, filePath, line, column),
        .task(priority: priority?.rawValue, body: body)))
  }

  /// An effect that runs an asynchronous closure once and answers with what it returns.
  ///
  /// Errors are treated as by ``run(name:priority:operation:catch:fileID:filePath:line:column:)``
  /// without a `catch`.
  ///
  /// Swift 6.3 refuses a closure of several statements with a list of captures here if what it returns is not
  /// `Sendable`: leave the list out, and bind what it captured by a `let` in front.
  public static func future(
    name: String? = nil,
    priority: TaskPriority? = nil,
    _ operation: nonisolated(nonsending) @escaping @Sendable () async throws -> Output,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let position = SourcePosition(fileID, filePath, line, column)
    return Self(
      node: SourceNode(
        "future", name, at: position,
        .task(priority: priority?.rawValue) { frame in
          let output = try await operation()
          if frame.isExplored { await frame.letOthersGoFirst() }
          frame.emit(SendNode(output))
        }))
  }

  /// The same for a closure that runs elsewhere, with a list of captures or without.
  package static func concurrentFuture(
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable () async throws -> Output,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    .future(
      priority: priority, { try await answer(of: operation).value },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  @concurrent private static func answer(
    of operation: @Sendable () async throws -> Output
  ) async throws -> Unchecked<Output> {
    Unchecked(try await operation())
  }

  /// An effect that starts some work with a callback and answers with what the callback is given.
  ///
  /// The closure is called on the host's isolation when the effect is started. It has to make sure
  /// that the callback is called once, on any thread. The effect ends with that call.
  ///
  /// ```swift
  /// .future { callback in
  ///   player.authenticate { result in callback(result) }
  /// }
  /// ```
  public static func future(
    name: String? = nil,
    _ attempt: @escaping @Sendable (_ callback: @escaping @Sendable (Output) -> Void) -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let position = SourcePosition(fileID, filePath, line, column)
    return Self(
      node: SourceNode(
        "future", name, at: position,
        .callback { frame in
          attempt { output in
            frame.emit(SendNode(output), isLast: true)
          }
          return nil
        }))
  }

  /// An effect that does some work and answers with nothing.
  ///
  /// Errors are treated as by ``run(name:priority:operation:catch:fileID:filePath:line:column:)``
  /// without a `catch`.
  public static func fireAndForget(
    name: String? = nil,
    priority: TaskPriority? = nil,
    _ work: nonisolated(nonsending) @escaping @Sendable () async throws -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let position = SourcePosition(fileID, filePath, line, column)
    return Self(
      node: SourceNode(
        "fireAndForget", name, at: position,
        .task(priority: priority?.rawValue) { _ in try await work() }))
  }

  /// An effect that answers with every element of an asynchronous sequence.
  ///
  /// An error of the sequence is treated as by
  /// ``run(name:priority:operation:catch:fileID:filePath:line:column:)`` with the same `catch`.
  public static func sequence<Elements: AsyncSequence & Sendable>(
    name: String? = nil,
    priority: TaskPriority? = nil,
    _ elements: Elements,
    catch handler: (
      nonisolated(nonsending) @Sendable (_ error: any Error, _ send: Send<Output>) async -> Void
    )? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self where Elements.Element == Output, Output: Sendable {
    .run(
      name: name ?? "sequence", priority: priority,
      operation: { send in
        for try await element in elements { await send(element) }
      },
      catch: handler, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// Sends outputs from the closure of an effect back to the host that runs the effect.
///
/// Sending does not wait for the action to be handled: it is put in the host's mailbox, in the
/// order of the calls, and the closure goes on. Where the closure runs on the host's own isolation, the action is
/// handled before the call returns, unless the host is at work, as it is until the closure is first suspended.
/// Without a store, `sink` and its like take a value on the thread that sends it, which waits until others have been taken.
/// ``post(_:)`` does the same from a synchronous callback.
///
/// A closure that sends very many actions lets others go on now and then, as ``LoopLimit/actions`` says.
public struct Send<Action>: Sendable {
  @usableFromInline let frame: SourceFrame

  init(_ frame: SourceFrame) {
    self.frame = frame
  }

  /// Sends an action.
  @inlinable
  nonisolated(nonsending) public func callAsFunction(_ action: sending Action) async {
    await frame.send(SendNode(action), Transaction())
  }

  /// Sends an action whose change of state is to be shown with an animation.
  @inlinable
  nonisolated(nonsending) public func callAsFunction(
    _ action: sending Action, animation: Animation?
  ) async {
    await frame.send(SendNode(action), Transaction(animation: animation))
  }

  /// Sends an action inside a transaction.
  @inlinable
  nonisolated(nonsending) public func callAsFunction(
    _ action: sending Action, transaction: Transaction
  ) async {
    await frame.send(SendNode(action), transaction)
  }

  /// Sends an action from a synchronous callback, tagged by the ambient transaction.
  public func post(_ action: sending Action) {
    frame.emit(SendNode(action))
  }
}

extension SourceFrame {
  /// Sends the action in a ``SendNode``. It is not generic, so that an action which the compiler knows is not looked up.
  @usableFromInline
  nonisolated(nonsending) func send(_ action: EffectNode, _ transaction: Transaction) async {
    if isExplored { await letOthersGoFirst() }
    emit(action, transaction)
    if isToPause { await pause() }
  }
}
