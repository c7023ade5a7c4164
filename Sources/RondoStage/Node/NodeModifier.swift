// Modifiers that a program makes from the ones there are.

/// A modifier that a program makes from the ones there are.
///
/// ```swift
/// struct Cardify: NodeModifier {
///   var isFaceUp: Bool
///
///   func body(content: Node) -> Node {
///     Node.group {
///       content.opacity(isFaceUp ? 1 : 0)
///       Node.fill("▒").opacity(isFaceUp ? 0 : 1)
///     }
///   }
/// }
///
/// extension Node {
///   func cardify(isFaceUp: Bool) -> Node { modifier(Cardify(isFaceUp: isFaceUp)) }
/// }
/// ```
public protocol NodeModifier {
  /// What is shown in place of the content.
  func body(content: Node) -> Node
}

extension Node {
  /// Puts a modifier of the program's own around the node.
  public func modifier(_ modifier: some NodeModifier) -> Node {
    var content = self
    content.identity = []
    let layer = Layer(
      label: "\(modifier)",
      type: ObjectIdentifier(Swift.type(of: modifier)),
      content: content,
      body: modifier.body(content: content)
    )
    var node = Node(.layer(layer))
    node.identity = identity
    return node
  }
}
