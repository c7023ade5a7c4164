// The outcome of an asynchronous piece of code, in the type from before `Result` was used for it.

import Rondo

/// The value that an asynchronous piece of code has returned, or the error that it has thrown. It
/// is equatable for errors of all types.
///
/// New code uses `Result<Success, any Error>`, and tests match actions by their case.
public enum TaskResult<Success: Sendable>: Sendable {
  /// The value that was returned.
  case success(Success)
  /// The error that was thrown.
  case failure(any Error)

  /// Runs an asynchronous piece of code, and keeps the value it returns or the error it throws.
  public nonisolated(nonsending) init(
    catching body: nonisolated(nonsending) () async throws -> Success
  ) async {
    self.init(await Result(catching: body))
  }

  /// Makes a task result of a `Result`.
  public init<Failure>(_ result: Result<Success, Failure>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }

  /// The value, or the error thrown.
  public var value: Success {
    get throws { try Result(self).get() }
  }

  /// The result with its value changed by a function; an error stays as it is.
  public func map<NewSuccess>(
    _ transform: (Success) -> NewSuccess
  ) -> TaskResult<NewSuccess> {
    flatMap { .success(transform($0)) }
  }

  /// The result that a function makes of the value; an error stays as it is.
  public func flatMap<NewSuccess>(
    _ transform: (Success) -> TaskResult<NewSuccess>
  ) -> TaskResult<NewSuccess> {
    switch self {
    case .success(let value): transform(value)
    case .failure(let error): .failure(error)
    }
  }
}

extension Result where Success: Sendable, Failure == any Error {
  /// Makes a `Result` of a task result.
  public init(_ result: TaskResult<Success>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }
}

extension TaskResult: Equatable where Success: Equatable {
  /// Whether both are equal. Errors of equatable types are compared by `==`; other errors are equal
  /// if their types and descriptions are.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.success(let left), .success(let right)): left == right
    case (.failure(let left), .failure(let right)): areEqual(left, right)
    default: false
    }
  }

  private static func areEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
    func isEqual<E: Equatable>(_ left: E) -> Bool { left == (rhs as Any) as? E }
    let untyped: Any = lhs
    if let left = untyped as? any Equatable { return isEqual(left) }
    return type(of: lhs) == type(of: rhs) && "\(lhs)" == "\(rhs)"
  }
}

extension TaskResult: Hashable where Success: Hashable {
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .success(let value):
      hasher.combine(0)
      hasher.combine(value)
    case .failure(let error):
      hasher.combine(1)
      let untyped: Any = error
      if let error = untyped as? any Hashable {
        hasher.combine(AnyHashable(error))
      } else {
        hasher.combine("\(error)")
      }
    }
  }
}

extension TaskResult: CasePathable {
  public struct AllCasePaths: Sendable {
    /// The path to `success`.
    public var success: AnyCasePath<TaskResult, Success> {
      AnyCasePath(embed: { .success($0) }) {
        if case .success(let value) = $0 { value } else { nil }
      }
    }
    /// The path to `failure`.
    public var failure: AnyCasePath<TaskResult, any Error> {
      AnyCasePath(embed: { .failure($0) }) {
        if case .failure(let error) = $0 { error } else { nil }
      }
    }
  }
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
