// Endpoints with any number of arguments, put into dependencies.

import Rondo

/// A function of some arguments, which are given as an array.
///
/// The compiler cannot write a function with a pack of parameters through a key path. So the types
/// below write each number of parameters, up to three, by itself: for the types of the arguments, which
/// are taken from the pack one by one, the key path is what it was.
struct FunctionOfArguments<Result>: Sendable {
  /// A function with one parameter after the other.
  private let apply: @Sendable ([Any]) -> Result
  /// The types of the arguments.
  private let argumentTypes: @Sendable () -> [Any.Type]

  /// - Parameter function: A function with a pack of parameters.
  init<each Argument>(_ function: @escaping @Sendable (repeat each Argument) -> Result) {
    argumentTypes = {
      var types: [Any.Type] = []
      for type in repeat (each Argument).self { types.append(type) }
      return types
    }
    apply = { arguments in
      var arguments = arguments[...]
      func next<Next>(_: Next.Type) -> Next { arguments.removeFirst() as! Next }
      return function(repeat next((each Argument).self))
    }
  }

  var types: [Any.Type] { argumentTypes() }
  var count: Int { types.count }

  func callAsFunction(_ arguments: Any...) -> Result { apply(arguments) }
}

extension DependencyValues {
  fileprivate mutating func set<Endpoint>(_ keyPath: AnyKeyPath, _ endpoint: Endpoint) {
    guard let keyPath = keyPath as? WritableKeyPath<Self, Endpoint> else { return }
    self[keyPath: keyPath] = endpoint
  }
}

/// An asynchronous endpoint that can throw, and is to be put into dependencies.
struct ThrowingEndpoint<Output, Result>: Sendable {
  /// A key path to the endpoint, whose parameters are those of `function`.
  let keyPath: any AnyKeyPath & Sendable
  /// Called with the arguments of a call.
  let function: FunctionOfArguments<Result>
  /// The body of a call, which is given the result of `function`.
  let body: @Sendable (Result) async throws -> Output

  func set(in values: inout DependencyValues) {
    let types = function.types
    switch types.count {
    case 0: zero(&values)
    case 1: one(&values, types[0])
    case 2: two(&values, types[0], types[1])
    case 3: three(&values, types[0], types[1], types[2])
    default: break
    }
  }

  private func zero(_ values: inout DependencyValues) {
    values.set(keyPath, { @Sendable () async throws -> Output in try await body(function()) })
  }

  private func one<First>(_ values: inout DependencyValues, _: First.Type) {
    values.set(
      keyPath,
      { @Sendable (first: First) async throws -> Output in try await body(function(first)) })
  }

  private func two<First, Second>(_ values: inout DependencyValues, _: First.Type, _: Second.Type) {
    values.set(
      keyPath,
      { @Sendable (first: First, second: Second) async throws -> Output in
        try await body(function(first, second))
      })
  }

  private func three<First, Second, Third>(
    _ values: inout DependencyValues, _: First.Type, _: Second.Type, _: Third.Type
  ) {
    values.set(
      keyPath,
      { @Sendable (first: First, second: Second, third: Third) async throws -> Output in
        try await body(function(first, second, third))
      })
  }
}

/// An asynchronous endpoint that cannot throw, and is to be put into dependencies.
struct NonthrowingEndpoint<Output, Result>: Sendable {
  /// A key path to the endpoint, whose parameters are those of `function`.
  let keyPath: any AnyKeyPath & Sendable
  /// Called with the arguments of a call.
  let function: FunctionOfArguments<Result>
  /// The body of a call, which is given the result of `function`.
  let body: @Sendable (Result) async -> Output

  func set(in values: inout DependencyValues) {
    let types = function.types
    switch types.count {
    case 0: zero(&values)
    case 1: one(&values, types[0])
    case 2: two(&values, types[0], types[1])
    case 3: three(&values, types[0], types[1], types[2])
    default: break
    }
  }

  private func zero(_ values: inout DependencyValues) {
    values.set(keyPath, { @Sendable () async -> Output in await body(function()) })
  }

  private func one<First>(_ values: inout DependencyValues, _: First.Type) {
    values.set(keyPath, { @Sendable (first: First) async -> Output in await body(function(first)) })
  }

  private func two<First, Second>(_ values: inout DependencyValues, _: First.Type, _: Second.Type) {
    values.set(
      keyPath,
      { @Sendable (first: First, second: Second) async -> Output in
        await body(function(first, second))
      })
  }

  private func three<First, Second, Third>(
    _ values: inout DependencyValues, _: First.Type, _: Second.Type, _: Third.Type
  ) {
    values.set(
      keyPath,
      { @Sendable (first: First, second: Second, third: Third) async -> Output in
        await body(function(first, second, third))
      })
  }
}

/// An endpoint that calls a closure back, and is to be put into dependencies.
struct CallbackEndpoint<Output, Result>: Sendable {
  /// A key path to the endpoint, whose parameters are those of `function`.
  let keyPath: any AnyKeyPath & Sendable
  /// Called with the arguments of a call.
  let function: FunctionOfArguments<Result>
  /// The body of a call, which is given the result of `function`.
  let body: @Sendable (Result, @escaping @Sendable (Output) -> Void) -> Void

  func set(in values: inout DependencyValues) {
    let types = function.types
    switch types.count {
    case 0: zero(&values)
    case 1: one(&values, types[0])
    case 2: two(&values, types[0], types[1])
    default: break
    }
  }

  private func zero(_ values: inout DependencyValues) {
    values.set(
      keyPath,
      { @Sendable (callback: @escaping @Sendable (Output) -> Void) in body(function(), callback) })
  }

  private func one<First>(_ values: inout DependencyValues, _: First.Type) {
    values.set(
      keyPath,
      { @Sendable (first: First, callback: @escaping @Sendable (Output) -> Void) in
        body(function(first), callback)
      })
  }

  private func two<First, Second>(_ values: inout DependencyValues, _: First.Type, _: Second.Type) {
    values.set(
      keyPath,
      { @Sendable (first: First, second: Second, callback: @escaping @Sendable (Output) -> Void) in
        body(function(first, second), callback)
      })
  }
}

/// An endpoint that gives out streams, and is to be put into dependencies.
struct StreamEndpoint<Stream, Result>: Sendable {
  /// A key path to the endpoint, whose parameters are those of `function`.
  let keyPath: any AnyKeyPath & Sendable
  /// Called with the arguments of a call.
  let function: FunctionOfArguments<Result>
  /// The body of a call, which is given the result of `function`.
  let body: @Sendable (Result) -> Stream

  func set(in values: inout DependencyValues) {
    let types = function.types
    switch types.count {
    case 0: zero(&values)
    case 1: one(&values, types[0])
    case 2: two(&values, types[0], types[1])
    case 3: three(&values, types[0], types[1], types[2])
    default: break
    }
  }

  private func zero(_ values: inout DependencyValues) {
    values.set(keyPath, { @Sendable () -> Stream in body(function()) })
  }

  private func one<First>(_ values: inout DependencyValues, _: First.Type) {
    values.set(keyPath, { @Sendable (first: First) -> Stream in body(function(first)) })
  }

  private func two<First, Second>(_ values: inout DependencyValues, _: First.Type, _: Second.Type) {
    values.set(
      keyPath,
      { @Sendable (first: First, second: Second) -> Stream in body(function(first, second)) })
  }

  private func three<First, Second, Third>(
    _ values: inout DependencyValues, _: First.Type, _: Second.Type, _: Third.Type
  ) {
    values.set(
      keyPath,
      { @Sendable (first: First, second: Second, third: Third) -> Stream in
        body(function(first, second, third))
      })
  }
}
