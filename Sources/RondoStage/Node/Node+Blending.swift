// A tree between two others of the same form.

import RondoAnimation

extension Node {
  /// This tree on its way to another one: the effects and shapes that are in the same places of both
  /// move, and everything else is as it is here.
  func blended(with other: Node, amount: Double) -> Node {
    var node = self
    for index in modifiers.indices where index < other.modifiers.count {
      guard
        case .effect(let effect) = modifiers[index],
        case .effect(let target) = other.modifiers[index]
      else { continue }
      node.modifiers[index] = .effect(effect.blended(with: target, amount: amount))
    }
    switch (content, other.content) {
    case (.shape(let shape), .shape(let target)):
      node.content = .shape(shape.blended(with: target, amount: amount))
    case (.group(let children), .group(let targets)) where children.count == targets.count:
      node.content = .group(
        zip(children, targets).map { $0.blended(with: $1, amount: amount) })
    case (.layer(let layer), .layer(let target)) where layer.type == target.type:
      var body = layer.body.blended(with: target.body, amount: amount)
      body.identity = layer.body.identity
      node.content = .group([body])
    default:
      break
    }
    return node
  }
}

extension Animatable {
  fileprivate func blended(with other: Any, amount: Double) -> Self {
    guard let other = other as? Self else { return self }
    var result = self
    result.animatableData.interpolate(towards: other.animatableData, amount: amount)
    return result
  }
}
