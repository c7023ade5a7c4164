// The values of a shared value, one after the other, under the name that Combine has for them.

import Rondo

/// The values of a shared value: the present one, and then every new one.
///
/// ```swift
/// case .task:
///   return .publisher { state.$user.publisher.map(Action.userChanged) }
/// ```
///
/// It is an asynchronous sequence, not a publisher of Combine. Each iteration starts with the
/// value of that time. Values that are not read yet are kept; `$value.values` keeps only the
/// newest.
public struct SharedPublisher<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = Never

  private let makeValues: @Sendable () -> AsyncStream<Value>

  init(_ makeValues: @escaping @Sendable () -> AsyncStream<Value>) {
    self.makeValues = makeValues
  }

  public func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    values.makeAsyncIterator()
  }

  /// The values as a stream: the value now, and every new one.
  public var values: AsyncStream<Value> { makeValues() }

  /// The results of a closure for the values.
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> SharedPublisher<Result> {
    compactMap { .some(transform($0)) }
  }

  /// The results of a closure for the values. Results that are `nil` are left out.
  public func compactMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result?
  ) -> SharedPublisher<Result> {
    SharedPublisher<Result> { [makeValues] in makeValues().compactMap(transform).eraseToStream() }
  }

  /// The values that a closure says yes to.
  public func filter(
    _ isIncluded: @escaping @Sendable (Value) -> Bool
  ) -> SharedPublisher {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// The values without the first ones. `publisher.dropFirst()` is without the present value.
  public func dropFirst(_ count: Int = 1) -> SharedPublisher {
    SharedPublisher { [makeValues] in makeValues().dropFirst(count).eraseToStream() }
  }

  /// The first values of this publisher. It ends after them.
  public func prefix(_ count: Int) -> SharedPublisher {
    SharedPublisher { [makeValues] in makeValues().prefix(count).eraseToStream() }
  }
}

extension SharedPublisher where Value: Equatable {
  /// The values that are not equal to the one before.
  public func removeDuplicates() -> SharedPublisher {
    SharedPublisher { [makeValues] in
      let last = LockIsolated<Value?>(nil)
      return makeValues()
        .filter { value in
          last.withValue { last in
            defer { last = value }
            return last != value
          }
        }
        .eraseToStream()
    }
  }
}

extension Shared where Value: Sendable {
  /// The value now, and every new one; see ``SharedPublisher``.
  public var publisher: SharedPublisher<Value> {
    SharedPublisher { [self] in everyValue }
  }
}

extension SharedReader where Value: Sendable {
  /// The value now, and every new one; see ``SharedPublisher``.
  public var publisher: SharedPublisher<Value> {
    SharedPublisher { [self] in everyValue }
  }
}

extension Effect where Output: Sendable {
  /// The values of a shared value as actions. The closure is called at once, and may read the state.
  public static func publisher(
    _ createPublisher: () -> SharedPublisher<Output>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let publisher = createPublisher()
    return .run(
      operation: { send in
        for await value in publisher { await send(value) }
      },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
