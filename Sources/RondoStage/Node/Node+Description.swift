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
      lines.append(String(repeating: "  ", count: depth) + modifier.label)
      depth += 1
    }
    lines.append(String(repeating: "  ", count: depth) + content.label)
    switch content {
    case .empty, .text, .shape:
      break
    case .group(let children):
      for child in children { child.describe(into: &lines, depth: depth + 1) }
    case .layer(let layer):
      layer.content.describe(into: &lines, depth: depth + 1)
    }
  }
}

extension Node.Modifier {
  var label: String {
    switch self {
    case .effect(let effect): effect.label
    case .transaction(let label, _), .onChange(let label, _, _): label
    case .transition(let transition): ".transition(\(transition))"
    case .matchedGeometry(let id, let isSource):
      ".matchedGeometry(id: \(id.base)\(isSource ? "" : ", isSource: false"))"
    case .onAppear: ".onAppear"
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
    }
  }
}
