// Effects of sequences and clients that publish values, and the names that other libraries use for
// pipelines.

import Rondo

extension Effect where Output: Sendable {
  /// The elements of an asynchronous sequence, until it ends.
  ///
  /// ```swift
  /// case .task:
  ///   return .publisher { locationManager.locations.map(Action.located) }
  /// ```
  ///
  /// A sequence that fails ends the effect, and the error is reported. A publisher of Combine or
  /// OpenCombine is not an asynchronous sequence: use its `values`.
  ///
  /// - Parameter createSequence: Makes the sequence, each time that the effect is started.
  public static func publisher<Elements: AsyncSequence & SendableMetatype>(
    _ createSequence: @escaping @Sendable () -> Elements,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self where Elements.Element == Output, Elements.AsyncIterator: SendableMetatype {
    .run(
      operation: { send in
        for try await element in createSequence() { await send(element) }
      },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The values of another effect, for clients that publish values as an effect.
  public static func publisher(_ createEffect: () -> Self) -> Self { createEffect() }
}

extension Effect {
  /// Returns this effect. It exists for code that comes from Combine, where a pipeline ends with
  /// it.
  public func eraseToEffect() -> Self { self }

  /// This effect with other outputs; the same as `map(_:)`.
  public func eraseToEffect<NewOutput>(
    _ transform: @escaping @Sendable (Output) -> NewOutput
  ) -> Effect<NewOutput> {
    map(transform)
  }

  /// This effect: it has no error that would have to be caught.
  public func eraseToAnyPublisher() -> Self { self }
}

extension Effect where Output: Sendable {
  /// The same as `values`.
  public var actions: AsyncStream<Output> { values }
}

/// An effect of one value, under the name that it has in Combine.
public typealias Just = Effect

extension Effect {
  /// An effect of one value, as `Just` in Combine makes it.
  public init(_ output: Output) { self = .send(output) }
}

/// A value whose changes can be written by effects: `effect.assign(to: &$count)`.
///
/// ```swift
/// final class Model {
///   @Published var count = 0
/// }
/// ```
///
/// It is a `Shared` value of its own under the name that it has in Combine. `$count.publisher` are its values.
/// Copies of it are one value.
@propertyWrapper
public struct Published<Value: Sendable> {
  /// The value as a shared one.
  public var projectedValue: Shared<Value>

  /// A value to begin with.
  public init(wrappedValue: Value) { projectedValue = Shared(value: wrappedValue) }

  /// The value.
  public var wrappedValue: Value {
    get { projectedValue.wrappedValue }
    nonmutating set { projectedValue.withLock { $0 = newValue } }
  }
}

extension Effect where Output: Sendable {
  /// Starts the effect and writes each value to a shared one: `effect.assign(to: &$count)`.
  ///
  /// Nothing has to be kept: the effect runs until it ends by itself.
  public func assign(to shared: inout Shared<Output>) {
    let target = shared
    start { value in target.withLock { $0 = value } }
  }
}
