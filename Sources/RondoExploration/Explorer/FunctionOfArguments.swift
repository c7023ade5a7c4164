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

/// An endpoint that is to be put into dependencies.
protocol ExploredFunction<Outcomes>: Sendable {
  associatedtype Outcomes

  /// A key path to the endpoint, whose parameters are those of ``function``.
  var keyPath: any AnyKeyPath & Sendable { get }
  /// Called with the arguments of a call.
  var function: FunctionOfArguments<Outcomes> { get }

  // The same for each number of parameters. The types are those of the arguments.
  func put(in values: inout DependencyValues) -> Bool
  func put<First>(in values: inout DependencyValues, _: First.Type) -> Bool
  func put<First, Second>(
    in values: inout DependencyValues, _: First.Type, _: Second.Type
  ) -> Bool
  func put<First, Second, Third>(
    in values: inout DependencyValues, _: First.Type, _: Second.Type, _: Third.Type
  ) -> Bool
}

extension ExploredFunction {
  /// Puts the endpoint into dependencies.
  ///
  /// - Returns: Whether the key path is one to such an endpoint.
  func set(in values: inout DependencyValues) -> Bool {
    let types = function.types
    return switch types.count {
    case 0: put(in: &values)
    case 1: put(in: &values, types[0])
    case 2: put(in: &values, types[0], types[1])
    case 3: put(in: &values, types[0], types[1], types[2])
    default: false
    }
  }

  fileprivate func set<Endpoint>(_ values: inout DependencyValues, _ endpoint: Endpoint) -> Bool {
    guard let keyPath = keyPath as? WritableKeyPath<DependencyValues, Endpoint> else {
      return false
    }
    values[keyPath: keyPath] = endpoint
    return true
  }
}

/// An asynchronous endpoint that is to be put into dependencies.
///
/// It is put there as a function that stays on its caller's isolation, or as one that leaves it, and that can throw or
/// not, as the type of the endpoint says: these are types of their own. A function that throws a generic error is none
/// of them, although the compiler writes it in the same way.
struct AsyncEndpoint<Output, Outcomes>: ExploredFunction {
  let keyPath: any AnyKeyPath & Sendable
  let function: FunctionOfArguments<Outcomes>
  /// The body of a call, which is given the result of `function`. Where the endpoint cannot throw, it does not.
  let body: nonisolated(nonsending) @Sendable (Outcomes) async throws -> Output

  func put(in values: inout DependencyValues) -> Bool {
    let call: nonisolated(nonsending) @Sendable () async throws -> Output = {
      try await body(function())
    }
    let leaving: @concurrent @Sendable () async throws -> Output = {
      try await call()
    }
    let safe: nonisolated(nonsending) @Sendable () async -> Output = {
      try! await call()
    }
    let safeLeaving: @concurrent @Sendable () async -> Output = {
      try! await call()
    }
    return set(&values, call) || set(&values, leaving) || set(&values, safe)
      || set(&values, safeLeaving)
  }

  func put<First>(in values: inout DependencyValues, _: First.Type) -> Bool {
    let call: nonisolated(nonsending) @Sendable (First) async throws -> Output = { first in
      try await body(function(first))
    }
    let leaving: @concurrent @Sendable (First) async throws -> Output = { first in
      try await call(first)
    }
    let safe: nonisolated(nonsending) @Sendable (First) async -> Output = { first in
      try! await call(first)
    }
    let safeLeaving: @concurrent @Sendable (First) async -> Output = { first in
      try! await call(first)
    }
    return set(&values, call) || set(&values, leaving) || set(&values, safe)
      || set(&values, safeLeaving)
  }

  func put<First, Second>(in values: inout DependencyValues, _: First.Type, _: Second.Type) -> Bool
  {
    let call: nonisolated(nonsending) @Sendable (First, Second) async throws -> Output = {
      first, second in
      try await body(function(first, second))
    }
    let leaving: @concurrent @Sendable (First, Second) async throws -> Output = { first, second in
      try await call(first, second)
    }
    let safe: nonisolated(nonsending) @Sendable (First, Second) async -> Output = { first, second in
      try! await call(first, second)
    }
    let safeLeaving: @concurrent @Sendable (First, Second) async -> Output = { first, second in
      try! await call(first, second)
    }
    return set(&values, call) || set(&values, leaving) || set(&values, safe)
      || set(&values, safeLeaving)
  }

  func put<First, Second, Third>(
    in values: inout DependencyValues, _: First.Type, _: Second.Type, _: Third.Type
  ) -> Bool {
    let call: nonisolated(nonsending) @Sendable (First, Second, Third) async throws -> Output = {
      first, second, third in
      try await body(function(first, second, third))
    }
    let leaving: @concurrent @Sendable (First, Second, Third) async throws -> Output = {
      first, second, third in
      try await call(first, second, third)
    }
    let safe: nonisolated(nonsending) @Sendable (First, Second, Third) async -> Output = {
      first, second, third in
      try! await call(first, second, third)
    }
    let safeLeaving: @concurrent @Sendable (First, Second, Third) async -> Output = {
      first, second, third in
      try! await call(first, second, third)
    }
    return set(&values, call) || set(&values, leaving) || set(&values, safe)
      || set(&values, safeLeaving)
  }
}

/// An endpoint that calls a closure back, and is to be put into dependencies.
struct CallbackEndpoint<Output, Outcomes>: ExploredFunction {
  let keyPath: any AnyKeyPath & Sendable
  let function: FunctionOfArguments<Outcomes>
  /// The body of a call, which is given the result of `function`.
  let body: @Sendable (Outcomes, @escaping @Sendable (Output) -> Void) -> Void

  func put(in values: inout DependencyValues) -> Bool {
    set(&values) { @Sendable (callback: @escaping @Sendable (Output) -> Void) in
      body(function(), callback)
    }
  }

  func put<First>(in values: inout DependencyValues, _: First.Type) -> Bool {
    set(&values) { @Sendable (first: First, callback: @escaping @Sendable (Output) -> Void) in
      body(function(first), callback)
    }
  }

  func put<First, Second>(
    in values: inout DependencyValues, _: First.Type, _: Second.Type
  ) -> Bool {
    set(
      &values,
      { @Sendable (first: First, second: Second, callback: @escaping @Sendable (Output) -> Void) in
        body(function(first, second), callback)
      })
  }

  // With the closure that is called back there are three.
  func put<First, Second, Third>(
    in values: inout DependencyValues, _: First.Type, _: Second.Type, _: Third.Type
  ) -> Bool {
    false
  }
}

/// An endpoint that gives out streams, and is to be put into dependencies.
struct StreamEndpoint<Stream, Outcomes>: ExploredFunction {
  let keyPath: any AnyKeyPath & Sendable
  let function: FunctionOfArguments<Outcomes>
  /// The body of a call, which is given the result of `function`.
  let body: @Sendable (Outcomes) -> Stream

  func put(in values: inout DependencyValues) -> Bool {
    set(&values) { @Sendable () -> Stream in body(function()) }
  }

  func put<First>(in values: inout DependencyValues, _: First.Type) -> Bool {
    set(&values) { @Sendable (first: First) -> Stream in body(function(first)) }
  }

  func put<First, Second>(
    in values: inout DependencyValues, _: First.Type, _: Second.Type
  ) -> Bool {
    set(&values) { @Sendable (first: First, second: Second) -> Stream in
      body(function(first, second))
    }
  }

  func put<First, Second, Third>(
    in values: inout DependencyValues, _: First.Type, _: Second.Type, _: Third.Type
  ) -> Bool {
    set(&values) { @Sendable (first: First, second: Second, third: Third) -> Stream in
      body(function(first, second, third))
    }
  }
}
