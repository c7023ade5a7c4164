// `prefix`: the first values only.

extension Effect {
  /// Answers with the first values only, and ends with the last of them. The rest of the effect is
  /// cancelled then; parts that have not been started are never started.
  ///
  /// ```swift
  /// .concatenate(savedGame, newGameFromServer).prefix(1)
  /// ```
  ///
  /// - Parameter count: The number of values; zero or less makes an effect that does nothing.
  public func prefix(_ count: Int) -> Self {
    guard count > 0 else { return .none }
    return modified {
      OperatorNode($0, hasMemory: true, count, label: { "prefix(\($0))" }) { remaining, _, _ in
        guard remaining > 0 else { return .absorb }
        remaining -= 1
        return remaining == 0 ? .passLast : .pass
      }
    }
  }

  /// Answers with the values up to the first one that satisfies a condition, and ends with it, as ``prefix(_:)`` does.
  package func prefix(through isLast: @escaping @Sendable (Output) -> Bool) -> Self {
    let isLast = withDependenciesInForce(isLast)
    return modified {
      // Nothing of it decides on a later value: the frame leaves the tree with the last one.
      OperatorNode($0, hasMemory: false, false, label: { _ in "prefix(through:)" }) {
        hasPassedLast, emission, _ in
        guard !hasPassedLast else { return .absorb }
        hasPassedLast = isLast(emission.value as! Output)
        return hasPassedLast ? .passLast : .pass
      }
    }
  }
}
