// Keys: places that a shared value is loaded from and saved to.

import RondoScheduling
import Synchronization

/// A place outside of the program's features that a shared value is loaded from.
///
/// See ``SharedKey`` for one that it is also saved to.
public protocol SharedReaderKey<Value>: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// The type of the identity, which tells places apart.
  associatedtype ID: Hashable = Self

  /// The identity of the place. Two keys with the same identity share a value.
  var id: ID { get }

  /// Loads the value.
  ///
  /// - Parameters:
  ///   - context: The reason: the value is loaded for the first time, or somebody has asked for it.
  ///   - continuation: Takes the answer. Resume it once, now or later. When it is resumed before
  ///     the method returns, the value is there from the beginning.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Subscribes to changes that are made elsewhere.
  ///
  /// - Parameters:
  ///   - context: The reason of the last loading, with the value that stands in the source if it
  ///     was the first one.
  ///   - subscriber: The receiver of every change from now on.
  /// - Returns: The subscription. It ends when it is cancelled or released.
  func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription
}

/// A place outside of the program's features that a shared value is loaded from and saved to.
///
/// ```swift
/// struct EnvironmentKey: SharedKey {
///   let name: String
///   var id: String { name }
///
///   func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
///     continuation.resume(with: .success(Environment.current[name]))
///   }
///   func subscribe(
///     context: LoadContext<String>, subscriber: SharedSubscriber<String>
///   ) -> SharedSubscription {
///     SharedSubscription {}
///   }
///   func save(_ value: String, context: SaveContext, continuation: SaveContinuation) {
///     Environment.current[name] = value
///     continuation.resume()
///   }
/// }
/// ```
public protocol SharedKey<Value>: SharedReaderKey {
  /// Saves the value. Called after every change, one call at a time.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - context: The reason: the value was changed, or somebody has asked for it to be saved.
  ///   - continuation: Takes the answer. Resume it once, now or later.
  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation)
}

extension SharedReaderKey where ID == Self {
  /// The key itself.
  public var id: ID { self }
}

/// The reason why a shared value is loaded.
public enum LoadContext<Value> {
  /// For the first time; the value is the one that stands in the source.
  case initialValue(Value)
  /// Somebody has called `load()`.
  case userInitiated

  /// The value that stands in the source.
  public var initialValue: Value? {
    if case .initialValue(let value) = self { value } else { nil }
  }
}

extension LoadContext: Sendable where Value: Sendable {}
extension LoadContext: Equatable where Value: Equatable {}
extension LoadContext: Hashable where Value: Hashable {}

/// The reason why a shared value is saved.
public enum SaveContext: Hashable, Sendable {
  /// Because it was changed.
  case didSet
  /// Because somebody has called `save()`.
  case userInitiated
}

/// The answer to a request to load a shared value.
///
/// Resume it once. A second answer is reported and has no effect. A continuation that is released
/// without an answer is reported as well: the code that waits for the answer goes on, and the value
/// stays as it is.
public struct LoadContinuation<Value>: Sendable {
  private let answer: SingleAnswer<Value?>

  /// A continuation that calls a closure.
  ///
  /// - Parameters:
  ///   - description: The key, for what is reported.
  ///   - callback: Takes the answer. An answer that is missing is `.success(nil)`.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> String = "A key",
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {
    self.init(description(), callback: callback) { callback(.success(nil)) }
  }

  init(
    _ description: @autoclosure @escaping @Sendable () -> String,
    _ declaration: SourcePosition = SourcePosition(),
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    onLeak: @escaping @Sendable () -> Void
  ) {
    answer = SingleAnswer("load", description, declaration, callback, onLeak)
  }

  /// Answers with the value that was loaded.
  public func resume(returning value: Value) { resume(with: .success(value)) }

  /// Answers that there is no value, so that the one in the source is used.
  public func resumeReturningInitialValue() { resume(with: .success(nil)) }

  /// Tells that the value cannot be loaded.
  public func resume(throwing error: any Error) { resume(with: .failure(error)) }

  /// Answers with the value, with `nil` for the one in the source, or with an error.
  public func resume(with result: Result<Value?, any Error>) { answer.give(result) }
}

/// The answer to a request to save a shared value.
///
/// Resume it once. A second answer is reported and has no effect. A continuation that is released
/// without an answer is reported as well, and the code that waits for the answer goes on.
public struct SaveContinuation: Sendable {
  private let answer: SingleAnswer<Void>
  /// Hears what becomes of a value that could not be saved when the answer was given.
  private let later: @Sendable (Result<Void, any Error>) -> Void

  /// A continuation that calls a closure.
  ///
  /// - Parameters:
  ///   - description: The key, for what is reported.
  ///   - callback: Takes the answer. An answer that is missing is `.success(())`.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> String = "A key",
    callback: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    self.init(description(), callback: callback) { callback(.success(())) }
  }

  init(
    _ description: @autoclosure @escaping @Sendable () -> String,
    _ declaration: SourcePosition = SourcePosition(),
    later: @escaping @Sendable (Result<Void, any Error>) -> Void = { _ in },
    callback: @escaping @Sendable (Result<Void, any Error>) -> Void,
    onLeak: @escaping @Sendable () -> Void
  ) {
    self.later = later
    answer = SingleAnswer("save", description, declaration, callback, onLeak)
  }

  /// Answers that the value was saved.
  public func resume() { resume(with: .success(())) }

  /// Answers that the value cannot be saved.
  public func resume(throwing error: any Error) { resume(with: .failure(error)) }

  /// Answers that the value was saved, or with the error that kept it from being saved.
  public func resume(with result: Result<Void, any Error>) { answer.give(result) }

  /// Answers or, when it has answered before, tells what has become of the value since.
  func resumeAgain(with result: Result<Void, any Error>) {
    if answer.isMissing { answer.give(result) } else { later(result) }
  }
}

/// An answer that is given once.
private final class SingleAnswer<Value>: Sendable {
  private struct State {
    var callback: (@Sendable (Result<Value, any Error>) -> Void)?
  }

  private let state: Mutex<State>
  private let request: String
  private let key: @Sendable () -> String
  private let onLeak: @Sendable () -> Void
  private let declaration: SourcePosition

  init(
    _ request: String, _ key: @escaping @Sendable () -> String, _ declaration: SourcePosition,
    _ callback: @escaping @Sendable (Result<Value, any Error>) -> Void,
    _ onLeak: @escaping @Sendable () -> Void
  ) {
    self.request = request
    self.key = key
    self.onLeak = onLeak
    self.declaration = declaration
    state = Mutex(State(callback: callback))
  }

  deinit {
    guard isMissing else { return }
    reportIssue(
      """
      \(key()) has released the continuation of '\(request)' without an answer. Resume it once on \
      every path. Until then nobody waits for this answer any more.
      """,
      at: declaration)
    onLeak()
  }

  /// Whether there is no answer yet.
  var isMissing: Bool { state.withLock { $0.callback != nil } }

  func give(_ result: Result<Value, any Error>) {
    guard let callback = state.withLock({ $0.callback.take() }) else {
      return reportIssue(
        "\(key()) has answered '\(request)' twice. The second answer has no effect.",
        at: declaration)
    }
    callback(result)
  }
}

/// A receiver of changes of a value that are made elsewhere.
public struct SharedSubscriber<Value>: Sendable {
  private let body: @Sendable (Result<Value?, any Error>) -> Void
  private let loading: @Sendable (Bool) -> Void

  /// A subscriber that calls closures.
  public init(
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    body = callback
    loading = onLoading
  }

  /// Tells the new value.
  public func yield(_ value: Value) { yield(with: .success(value)) }

  /// Tells that there is no value any more, so that the one in the source is used.
  public func yieldReturningInitialValue() { yield(with: .success(nil)) }

  /// Tells that the value cannot be loaded.
  public func yield(throwing error: any Error) { yield(with: .failure(error)) }

  /// Answers with the value, with `nil` for the one in the source, or with an error.
  public func yield(with result: Result<Value?, any Error>) { body(result) }

  /// Tells that loading begins or ends.
  public func yieldLoading(_ isLoading: Bool = true) { loading(isLoading) }
}

/// A subscription to changes. It ends when it is cancelled or released.
public final class SharedSubscription: Sendable {
  private let onCancel: Mutex<(@Sendable () -> Void)?>

  /// A subscription that calls a closure, once, when it ends.
  public init(_ onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = Mutex(onCancel)
  }

  deinit {
    cancel()
  }

  /// Ends the subscription.
  public func cancel() {
    onCancel.withLock { $0.take() }?()
  }
}

// MARK: - Keys with defaults

/// A key that knows the value to begin with.
///
/// ```swift
/// extension SharedKey where Self == InMemoryKey<Int>.Default {
///   static var count: Self { Self[.inMemory("count"), default: 0] }
/// }
///
/// @Shared(.count) var count
/// ```
public struct _SharedKeyDefault<Base: SharedReaderKey>: SharedReaderKey {
  let base: Base
  private let makeDefault: @Sendable () -> Base.Value

  init(_ base: Base, _ makeDefault: @escaping @Sendable () -> Base.Value) {
    self.base = base
    self.makeDefault = makeDefault
  }

  /// A key, with the value to use while there is none yet.
  public static subscript(
    _ key: Base, default value: @autoclosure @escaping @Sendable () -> Base.Value
  ) -> Self {
    Self(key, value)
  }

  /// The value to begin with.
  public var initialValue: Base.Value { makeDefault() }

  public var id: Base.ID { base.id }

  public func load(
    context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>
  ) {
    base.load(context: context, continuation: continuation)
  }

  public func subscribe(
    context: LoadContext<Base.Value>, subscriber: SharedSubscriber<Base.Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }
}

extension _SharedKeyDefault: SharedKey where Base: SharedKey {
  public func save(_ value: Base.Value, context: SaveContext, continuation: SaveContinuation) {
    base.save(value, context: context, continuation: continuation)
  }
}

extension SharedReaderKey {
  /// This key with a value to begin with.
  public typealias Default = _SharedKeyDefault<Self>
}
