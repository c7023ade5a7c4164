// The place of a shared value in a state, for messages.

extension SharedChange {
  /// The value's projection in a state, as it is written there: `profile.$count`; `nil` where the
  /// state does not hold the value.
  package func path(in state: Any) -> String? {
    steps(to: id, in: state, depth: 0)?.joined(separator: ".").replacing(".[", with: "[")
  }

  private func steps(to id: ObjectIdentifier, in value: Any, depth: Int) -> [String]? {
    let mirror = Mirror(reflecting: value)
    guard depth < 8, mirror.displayStyle != .class else { return nil }
    for child in mirror.children {
      let label = child.label.map { $0.first == "_" ? String($0.dropFirst()) : $0 }
      if let shared = child.value as? any SharedValue, shared.sharedID == id, let label {
        return ["$\(label)"]
      }
      guard let rest = steps(to: id, in: child.value, depth: depth + 1) else { continue }
      switch mirror.displayStyle {
      case .optional: return rest
      case .struct, .enum: return [label ?? ""] + rest
      default: return ["[…]"] + rest
      }
    }
    return nil
  }
}
