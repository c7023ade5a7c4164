// Keys: places that a shared value is loaded from and saved to.

/// A place outside of the program's features that a shared value is loaded from.
///
/// See ``SharedKey`` for one that it is also saved to.
public protocol SharedReaderKey<Value>: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// What tells places apart.
  associatedtype ID: Hashable = Self

  /// Two keys of the same identity share a value.
  var id: ID { get }

  /// Loads the value.
  ///
  /// - Parameters:
  ///   - context: Whether it is loaded for the first time, or since somebody asked for that.
  ///   - continuation: To be resumed once, now or later. When it is resumed before the method returns
  ///     the value is there from the beginning.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Hears of changes that are made elsewhere.
  ///
  /// - Parameters:
  ///   - context: What the value was to begin with.
  ///   - subscriber: To be told of every change from now on.
  /// - Returns: What ends the subscription.
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
  ///   - context: Whether it was changed, or somebody asked for it to be saved.
  ///   - continuation: To be resumed once, now or later.
  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation)
}

extension SharedReaderKey where ID == Self {
  public var id: ID { self }
}

/// Why a shared value is loaded.
public enum LoadContext<Value> {
  /// For the first time; the value is the one that stands in the source.
  case initialValue(Value)
  /// Because somebody has called `load()`.
  case userInitiated

  /// The value that stands in the source.
  public var initialValue: Value? {
    if case .initialValue(let value) = self { value } else { nil }
  }
}

extension LoadContext: Sendable where Value: Sendable {}
extension LoadContext: Equatable where Value: Equatable {}
extension LoadContext: Hashable where Value: Hashable {}

/// Why a shared value is saved.
public enum SaveContext: Hashable, Sendable {
  /// Because it was changed.
  case didSet
  /// Because somebody has called `save()`.
  case userInitiated
}

/// The answer to a request to load a shared value.
///
/// It is to be resumed once. A second answer is reported and has no effect. A continuation that is
/// released without an answer is reported as well; whoever waits for it goes on, and the value stays
/// what it is.
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
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    onLeak: @escaping @Sendable () -> Void
  ) {
    answer = SingleAnswer("load", description, callback, onLeak)
  }

  /// The value was loaded.
  public func resume(returning value: Value) { resume(with: .success(value)) }

  /// There is none; the one in the source is to be used.
  public func resumeReturningInitialValue() { resume(with: .success(nil)) }

  /// It cannot be loaded.
  public func resume(throwing error: any Error) { resume(with: .failure(error)) }

  /// The value, `nil` for the one in the source, or an error.
  public func resume(with result: Result<Value?, any Error>) { answer.give(result) }
}

/// The answer to a request to save a shared value.
///
/// It is to be resumed once. A second answer is reported and has no effect, and so is one that is
/// missing when the continuation is released; whoever waits for it goes on.
public struct SaveContinuation: Sendable {
  private let answer: SingleAnswer<Void>

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
    callback: @escaping @Sendable (Result<Void, any Error>) -> Void,
    onLeak: @escaping @Sendable () -> Void
  ) {
    answer = SingleAnswer("save", description, callback, onLeak)
  }

  /// The value was saved.
  public func resume() { resume(with: .success(())) }

  /// It cannot be saved.
  public func resume(throwing error: any Error) { resume(with: .failure(error)) }

  /// Whether it was saved.
  public func resume(with result: Result<Void, any Error>) { answer.give(result) }
}

/// An answer that is given once.
private final class SingleAnswer<Value>: Sendable {
  private struct State {
    var callback: (@Sendable (Result<Value, any Error>) -> Void)?
  }

  private let state: Locked<State>
  private let request: String
  private let key: @Sendable () -> String
  private let onLeak: @Sendable () -> Void

  init(
    _ request: String, _ key: @escaping @Sendable () -> String,
    _ callback: @escaping @Sendable (Result<Value, any Error>) -> Void,
    _ onLeak: @escaping @Sendable () -> Void
  ) {
    self.request = request
    self.key = key
    self.onLeak = onLeak
    state = Locked(State(callback: callback))
  }

  deinit {
    guard state.withLock({ $0.callback != nil }) else { return }
    reportIssue(
      """
      \(key()) has released the continuation of '\(request)' without an answer. Resume it once on \
      every path. Until then nobody waits for this answer any more.
      """)
    onLeak()
  }

  func give(_ result: Result<Value, any Error>) {
    guard let callback = state.withLock({ $0.callback.take() }) else {
      return reportIssue(
        "\(key()) has answered '\(request)' twice. The second answer has no effect.")
    }
    callback(result)
  }
}

/// Who is to be told of changes of a value that are made elsewhere.
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

  /// The value is another one.
  public func yield(_ value: Value) { yield(with: .success(value)) }

  /// There is none any more; the one in the source is to be used.
  public func yieldReturningInitialValue() { yield(with: .success(nil)) }

  /// It cannot be loaded.
  public func yield(throwing error: any Error) { yield(with: .failure(error)) }

  /// The value, `nil` for the one in the source, or an error.
  public func yield(with result: Result<Value?, any Error>) { body(result) }

  /// Loading begins or ends.
  public func yieldLoading(_ isLoading: Bool = true) { loading(isLoading) }
}

/// What ends a subscription, when it is cancelled or released.
public final class SharedSubscription: Sendable {
  private let onCancel: Locked<(@Sendable () -> Void)?>

  /// A subscription that calls a closure, once, when it ends.
  public init(_ onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = Locked(onCancel)
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

  /// A key, with the value where there is none yet.
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
