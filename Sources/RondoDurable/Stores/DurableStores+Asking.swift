// Asking: an action, and the wait for the answer that its store writes to the journal.

import Foundation
import Rondo

/// A task that waits for an answer.
struct Asker {
  let waiter: CheckedContinuation<Data, any Error>
  /// The tasks that send the action, and that end the wait.
  var tasks: [Task<Void, any Error>] = []
  var isHandled = false
}

extension DurableStores {
  /// See ``DurableStore/ask(id:timeout:_:)``.
  func ask<Value: Codable & Sendable>(
    _ name: String, id: String?, timeout: Duration,
    _ make: @Sendable (DurableReply<Value>) -> Action
  ) async throws -> Value {
    let message = try message(name, id)
    let data = try await ask(message, make(DurableReply(id: message.id)), isNew: id == nil, timeout)
    do {
      return try DurableCoding.decode(Value.self, from: data)
    } catch {
      throw DurableError.noAnswer(
        message,
        reason: "it cannot be read as \(Value.self) (\(error)). Ask for the type that it was given."
      )
    }
  }

  private func ask(
    _ message: MessageKey, _ action: Action, isNew: Bool, _ timeout: Duration
  ) async throws -> Data {
    lastWaiter += 1
    let number = lastWaiter
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Data, any Error>) in
        guard !Task.isCancelled else { return waiter.resume(throwing: CancellationError()) }
        var asker = Asker(waiter: waiter)
        let sending = start { stores in
          do {
            _ = try await stores.send(.action(action), message, isNew: isNew)
            await stores.didSend(message, number)
          } catch {
            stores.end(message, number, .failure(error))
          }
        }
        let ending = start { stores in
          await stores.time.sleep(timeout)
          guard !Task.isCancelled else { return }
          let isHandled = stores.askers[message]?[number]?.isHandled ?? false
          let error = DurableError.timedOut(message, after: timeout, isHandled: isHandled)
          stores.end(message, number, .failure(error))
        }
        asker.tasks = [sending, ending]
        askers[message, default: [:]][number] = asker
        pollForAnswers()
      }
    } onCancel: {
      start { $0.end(message, number, .failure(CancellationError())) }
    }
  }

  private func didSend(_ message: MessageKey, _ number: Int) async {
    guard askers[message]?[number] != nil else { return }
    askers[message]?[number]?.isHandled = true
    await tellSenders()
  }

  /// Looks for answers that were written for those here who wait for them since an earlier turn.
  func didAnswer(_ turn: Turn) {
    let isAwaited = turn.answers.contains { answer in
      let message = MessageKey(store: turn.store, id: answer.message)
      return askers[message]?.values.contains(where: \.isHandled) ?? false
    }
    if isAwaited { tellSendersSoon() }
  }

  /// Takes the answers that are there, each for one asker.
  func tellAskers() async {
    guard !askers.isEmpty else { return }
    // Names whose askers have gone are kept up to a thousand.
    if takers.count > askers.count + 1000 { takers = takers.filter { askers[$0.key] != nil } }
    for (message, waiting) in askers where takers[message] == nil {
      takers[message] = waiting.keys.min()
    }
    let asks = askers.keys.compactMap { message in
      takers[message].map { AskKey(message: message, asker: "\(worker) \($0)") }
    }
    do {
      let answers = try await journal.takeAnswers(asks)
      for ask in asks { tell(ask.message, answers[ask]) }
    } catch {
      // Answers may have been taken.
      journalFailed("\(error)", .reading)
    }
  }

  /// Takes the answer to a message, or that there is none so far.
  private func tell(_ message: MessageKey, _ answer: JournalAnswer.Content?) {
    switch answer {
    case .value(let data):
      // It waits for the next one where nobody waits any more.
      guard let first = askers[message]?.keys.min() else { return }
      end(message, first, .success(data))
    case .refusal(let reason):
      guard let first = askers[message]?.keys.min() else { return }
      end(message, first, .failure(DurableError.noAnswer(message, reason: reason)))
    case .given: break
    case nil:
      takers[message] = nil
      return
    }
    takers[message] = nil
    // It is that of one asker.
    for number in (askers[message] ?? [:]).keys {
      let reason = "another asker has it, or the store was deleted since. Read the state."
      end(message, number, .failure(DurableError.noAnswer(message, reason: reason)))
    }
  }

  private func end(_ message: MessageKey, _ number: Int, _ result: Result<Data, any Error>) {
    guard let asker = askers[message]?.removeValue(forKey: number) else { return }
    if askers[message]?.isEmpty == true { askers[message] = nil }
    for task in asker.tasks { task.cancel() }
    asker.waiter.resume(with: result)
  }

  /// Ends the wait of all askers of a store whose owner cannot go on with it.
  func refuseAskers(of store: StoreKey, _ reason: String) {
    for (message, waiting) in askers where message.store == store {
      // The others hear it as senders.
      for (number, asker) in waiting where asker.isHandled {
        let error = DurableError.noAnswer(
          message, reason: "the owner of the store cannot go on with it: \(reason)")
        end(message, number, .failure(error))
      }
    }
  }

  /// Ends the wait of all askers.
  func endAskers(_ error: (MessageKey) -> DurableError) {
    for (message, waiting) in askers {
      for number in waiting.keys { end(message, number, .failure(error(message))) }
    }
  }
}

extension DurableStore {
  /// Sends an action that asks, and returns the answer of the store.
  ///
  /// ```swift
  /// let receipt = try await orders["order-17"].ask(timeout: .seconds(5)) { .place(order, $0) }
  /// ```
  ///
  /// The reducer answers by the effect `.reply(reply, value)`, in the turn of the action or in a later one. The answer is
  /// written with that turn, so it is there when the process which has made it is gone, and reaches the asker in
  /// any process. It is given once, to one asker.
  ///
  /// - Parameters:
  ///   - id: The id of the message. A message that was handled before is not handled again: who asks again with its id
  ///     waits for its answer.
  ///   - timeout: The time to wait. An answer that comes later waits for one who asks again with the same id.
  ///   - action: Makes the action, with the address to answer to.
  /// - Throws: What ``send(_:id:)`` throws. ``DurableError/timedOut(_:after:isHandled:)`` where no answer
  ///   has come in time, and ``DurableError/noAnswer(_:reason:)`` where none will come: the message was set aside or
  ///   discarded, the store cannot go on, or another asker has the answer.
  public func ask<Value: Codable & Sendable>(
    id: String? = nil, timeout: Duration, _ action: @Sendable (DurableReply<Value>) -> Action
  ) async throws -> Value {
    try await stores.ask(name, id: id, timeout: timeout, action)
  }
}
