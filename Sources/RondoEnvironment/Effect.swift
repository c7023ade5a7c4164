// An effect that may fail.

import Rondo
import RondoCompatibility
import RondoScheduling

/// Work that answers with values, and may end with a failure.
///
/// A reducer returns effects that never fail: `catchToEffect` makes a failure a part of an action.
public struct Effect<Output, Failure: Error>: Sendable {
  private let results: Rondo.Effect<Result<Output, Failure>>

  private init(results: Rondo.Effect<Result<Output, Failure>>) {
    self.results = results
  }

  // MARK: Making one

  /// Nothing.
  public static var none: Self { Self(results: .none) }

  /// A value at once.
  public init(value: Output) {
    results = .send(.success(value))
  }

  /// A failure at once.
  public init(error: Failure) {
    results = .send(.failure(error))
  }

  /// An effect of the result that a closure gives to its callback, on any thread.
  public static func future(
    _ attempt: @escaping (@escaping (Result<Output, Failure>) -> Void) -> Void
  ) -> Self {
    let attempt = UncheckedSendable(attempt)
    return Self(results: .future { callback in attempt.value { callback($0) } })
  }

  /// The result of a closure, which is called when the effect is run.
  public static func result(_ attempt: @escaping () -> Result<Output, Failure>) -> Self {
    future { $0(attempt()) }
  }

  /// Work without an answer.
  public static func fireAndForget(_ work: @escaping () throws -> Void) -> Self {
    let work = UncheckedSendable(work)
    return Self(results: .fireAndForget { try work.value() })
  }

  /// The answer of an asynchronous closure.
  public static func task(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable () async -> Output
  ) -> Self where Failure == Never {
    Self(results: .concurrentFuture(priority: priority) { .success(await operation()) })
  }

  /// The answer of an asynchronous closure, or the error that it throws.
  public static func task(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable () async throws -> Output
  ) -> Self where Failure == any Error {
    Self(
      results: .concurrentFuture(priority: priority) {
        do { return .success(try await operation()) } catch { return .failure(error) }
      })
  }

  /// The answers of an asynchronous closure.
  public static func run(
    priority: TaskPriority? = nil,
    operation: nonisolated(nonsending) @escaping @Sendable (Send<Output>) async throws -> Void
  ) -> Self where Failure == Never {
    Self(.run(priority: priority, operation: operation))
  }

  /// The present, again and again at an interval, until it is cancelled by its id.
  public static func timer<S: Scheduler>(
    id: some Hashable & Sendable, every interval: S.SchedulerTimeType.Stride,
    tolerance: S.SchedulerTimeType.Stride? = nil, on scheduler: S
  ) -> Self where Output == S.SchedulerTimeType, Failure == Never {
    Self(.timer(id: id, every: interval, tolerance: tolerance, on: scheduler))
  }

  // MARK: Several

  /// The effect up to its first failure, which cancels the rest.
  private var endingWithFailure: Self {
    guard Failure.self != Never.self else { return self }
    return Self(
      results: results.prefix(through: { if case .failure = $0 { true } else { false } }))
  }

  /// Effects at the same time. The failure of one ends all of them.
  public static func merge(_ effects: Self...) -> Self { merge(effects) }

  /// Effects at the same time. The failure of one ends all of them.
  public static func merge(_ effects: some Sequence<Self>) -> Self {
    Self(results: .merge(effects.map(\.results))).endingWithFailure
  }

  /// Effects one after another. A failure ends them: those behind it are not started.
  public static func concatenate(_ effects: Self...) -> Self { concatenate(effects) }

  /// Effects one after another. A failure ends them: those behind it are not started.
  public static func concatenate(_ effects: some Sequence<Self>) -> Self {
    Self(results: .concatenate(effects.map(\.results))).endingWithFailure
  }

  // MARK: Values and failures

  /// The transformed values.
  public func map<T>(_ transform: @escaping (Output) -> T) -> Effect<T, Failure> {
    let transform = UncheckedSendable(transform)
    return .init(results: results.map { $0.map(transform.value) })
  }

  /// The transformed failures.
  public func mapError<T: Error>(_ transform: @escaping (Failure) -> T) -> Effect<Output, T> {
    let transform = UncheckedSendable(transform)
    return .init(results: results.map { $0.mapError(transform.value) })
  }

  /// A value in the place of a failure.
  public func replaceError(with output: Output) -> Effect<Output, Never> {
    catchToEffect { (try? $0.get()) ?? output }
  }

  /// Values and failures as results.
  public func catchToEffect() -> Effect<Result<Output, Failure>, Never> {
    .init(results)
  }

  /// An action for each value or failure.
  public func catchToEffect<T>(
    _ transform: @escaping (Result<Output, Failure>) -> T
  ) -> Effect<T, Never> {
    catchToEffect().map(transform)
  }

  /// The effect itself.
  public func eraseToEffect() -> Self { self }

  /// The transformed values.
  public func eraseToEffect<T>(_ transform: @escaping (Output) -> T) -> Effect<T, Failure> {
    map(transform)
  }

  /// The work without its answers.
  public func fireAndForget<T, E: Error>() -> Effect<T, E> {
    .init(results: results.fireAndForget())
  }

  // MARK: Time

  /// Answers on a scheduler.
  public func receive<S: Scheduler>(on scheduler: S) -> Self {
    Self(results: results.receive(on: scheduler))
  }

  /// Answers later.
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S
  ) -> Self {
    Self(results: results.delay(for: interval, scheduler: scheduler))
  }

  /// Begins once nobody has begun an effect under the same id for a while.
  public func debounce<S: Scheduler>(
    id: some Hashable & Sendable, for interval: S.SchedulerTimeType.Stride, scheduler: S
  ) -> Self {
    Self(results: results.debounce(id: id, for: interval, scheduler: scheduler))
  }

  /// Answers at most once in a while.
  public func throttle<S: Scheduler>(
    id: some Hashable & Sendable, for interval: S.SchedulerTimeType.Stride, scheduler: S,
    latest: Bool
  ) -> Self {
    Self(results: results.throttle(id: id, for: interval, scheduler: scheduler, latest: latest))
  }

  // MARK: Cancelling and tagging

  /// The effect under an id.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Self {
    Self(results: results.cancellable(id: id, cancelInFlight: cancelInFlight))
  }

  /// Cancels the effects under an id.
  public static func cancel(id: some Hashable & Sendable) -> Self {
    Self(results: .cancel(id: id))
  }

  /// Cancels the effects under some ids.
  public static func cancel<ID: Hashable & Sendable>(ids: [ID]) -> Self {
    Self(results: .cancel(ids: ids))
  }

  /// Answers with an animation.
  public func animation(_ animation: Animation? = .default) -> Self {
    Self(results: results.animation(animation))
  }
}

extension Effect where Failure == Never {
  /// An effect of Rondo.
  public init(_ effect: Rondo.Effect<Output>) {
    results = effect.map { .success($0) }
  }

  /// The same, as an effect of Rondo.
  public var withoutFailure: Rondo.Effect<Output> {
    results.map { result in
      switch result {
      case .success(let output): output
      }
    }
  }
}
