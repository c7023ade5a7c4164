// Whether two values of any type are equal.

/// Compares by `==` where the values have it, otherwise by structure, at any depth.
package func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
  var visited: Set<Set<ObjectIdentifier>> = []
  // Parts wait here, because comparing them inside of their whole would fill the stack.
  var pairs = [(lhs, rhs)]
  while let (lhs, rhs) = pairs.popLast() {
    guard areEqual(lhs, rhs, but: &pairs, &visited) else { return false }
  }
  return true
}

/// Whether two values are equal but for parts of them, which are added to the pairs.
private func areEqual(
  _ lhs: Any, _ rhs: Any, but pairs: inout [(Any, Any)], _ visited: inout Set<Set<ObjectIdentifier>>
) -> Bool {
  if let lhs = lhs as? any Equatable { return lhs.isEqual(to: rhs) }
  guard type(of: lhs) == type(of: rhs) else { return false }
  func all(_ left: [Any], _ right: [Any]) -> Bool {
    pairs += zip(left, right).reversed()
    return left.count == right.count
  }
  switch (ValueShape(of: lhs, on: .expected), ValueShape(of: rhs, on: .actual)) {
  case (.leaf(let left), .leaf(let right)):
    guard left == right, lhs is any CustomDumpStringConvertible else { return left == right }
    // A text that a type has chosen may hide a difference: `<redacted>`.
    return all(
      Mirror(reflecting: lhs).children.map(\.value), Mirror(reflecting: rhs).children.map(\.value))
  case (.text(let left), .text(let right)):
    return left == right
  case (.record(let leftName, let left), .record(let rightName, let right)):
    return leftName == rightName && all(left.map(\.value), right.map(\.value))
  case (.reference(_, let leftIdentity, let left), .reference(_, let rightIdentity, let right)):
    // A pair that is being compared already, further up, may be taken as equal.
    guard leftIdentity != rightIdentity, visited.insert([leftIdentity, rightIdentity]).inserted
    else { return true }
    return all(left.map(\.value), right.map(\.value))
  case (.list(let left), .list(let right)):
    return all(left, right)
  case (.dictionary(let left), .dictionary(let right)):
    return left.map(\.key) == right.map(\.key) && all(left.map(\.value), right.map(\.value))
  case (.set(let left), .set(let right)):
    return left.map(\.key) == right.map(\.key)
  default:
    return false
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool {
    (other as? Self) == self
  }
}

extension ValueShape {
  /// Takes a value apart, as it is on one side of a comparison.
  init(of value: Any, on side: SharedComparison.Side) {
    self = SharedComparison.on(side) { ValueShape(of: value) }
  }
}
