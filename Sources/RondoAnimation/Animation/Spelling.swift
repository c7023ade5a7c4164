// Numbers in descriptions, written as in the call.

/// A number as one would write it in source: `2` and not `2.0`.
package func spelling(of number: Double) -> String {
  guard let whole = Int(exactly: number), whole.magnitude < 1_000_000_000 else {
    return "\(number)"
  }
  return "\(whole)"
}

extension DefaultStringInterpolation {
  package mutating func appendInterpolation(spell number: Double) {
    appendLiteral(spelling(of: number))
  }
}
