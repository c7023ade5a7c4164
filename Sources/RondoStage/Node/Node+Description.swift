// A tree as text: one line a layer, what is inside indented.

extension Node: CustomStringConvertible {
  /// The tree as text, the outermost layer first, what is inside indented below it.
  public var description: String {
    var lines: [String] = []
    describe(into: &lines, depth: 0)
    return lines.joined(separator: "\n")
  }

  private func describe(into lines: inout [String], depth: Int) {
    var depth = depth
    for modifier in modifiers.reversed() {
      guard let label = modifier.label else { continue }
      lines.append(String(repeating: "  ", count: depth) + label)
      depth += 1
    }
    lines.append(String(repeating: "  ", count: depth) + content.label)
    switch content {
    case .empty, .text, .shape, .placed:
      break
    case .group(let children):
      for child in children { child.describe(into: &lines, depth: depth + 1) }
    case .layer(let layer):
      layer.content.describe(into: &lines, depth: depth + 1)
    }
  }
}

extension Node.Modifier {
  /// The modifier as a call; `nil` for what belongs to another one.
  var label: String? {
    switch self {
    case .effect(let effect): effect.label
    case .transaction(let label, _), .onChange(let label, _, _), .scope(let label, _): label
    case .transition(let transition): ".transition(\(transition))"
    case .matchedGeometry(let match):
      ".matchedGeometry(id: \(match.id.base)\(match.isSource ? "" : ", isSource: false"))"
    case .onAppear: ".onAppear"
    case .contentTransition(let transition): ".contentTransition(\(transition))"
    case .clip(let shape): ".clipShape(\(shape))"
    case .zIndex(let value): ".zIndex(\(spell: value))"
    case .tap: ".onTapGesture"
    case .endOfScope: nil
    }
  }
}

extension Node.Content {
  var label: String {
    switch self {
    case .empty: "empty"
    case .text(let text): "text \"\(text)\""
    case .shape(let shape): "shape \(shape)"
    case .group: "group"
    case .layer(let layer): layer.label
    case .placed(let node): node.node.content.label
    }
  }
}
