// `scan`: a running result.

extension Effect {
  /// Answers with a running result: the initial one combined with the first value, that with the
  /// second, and so on.
  ///
  /// ```swift
  /// pages.scan([], +)  // [1], [1, 2], [1, 2, 3]
  /// ```
  public func scan<Result>(
    _ initial: Result,
    _ next: @escaping @Sendable (Result, Output) -> Result
  ) -> Effect<Result> {
    let next = withDependenciesInForce { (pair: (Result, Output)) in next(pair.0, pair.1) }
    return modified {
      OperatorNode($0, hasMemory: true, initial, label: { _ in "scan" }) { result, emission, _ in
        result = next((result, emission.value as! Output))
        emission.value = result
        return .pass
      }
    }
  }
}
