// Modifiers that a program makes from the ones there are.

import RondoAnimation

/// A modifier that a program makes from the ones there are.
///
/// ```swift
/// struct Cardify: NodeModifier {
///   var isFaceUp: Bool
///
///   func body(content: Content) -> some View {
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
///
/// The body of a modifier that is `Animatable` as well is run for every frame while its data moves,
/// with the data that shows. So it can decide by it: a card shows its back once it has turned by 90°.
/// What such a body brings in between is shown at once, and its `onAppear` runs at the end.
public protocol NodeModifier {
  /// The view with the modifier around it.
  associatedtype Body: View

  /// The view that the modifier is put around.
  typealias Content = Node

  /// The view that is shown in place of the content.
  @NodeBuilder func body(content: Content) -> Body
}

/// A modifier under the name that it has elsewhere.
public typealias ViewModifier = NodeModifier

/// A modifier of which a part moves, under the name that it has elsewhere.
public typealias AnimatableModifier = NodeModifier & Animatable

extension View {
  /// Puts a modifier of the program's own around the node.
  public func modifier(_ modifier: some NodeModifier) -> Node {
    var content = node
    let identity = content.identity
    content.identity = []
    var layer = Node(.layer(Node.Layer(modifier, content: content)))
    layer.identity = identity
    return layer
  }
}

extension Animatable {
  /// Whether the type has a part that can move.
  var canMove: Bool { AnimatableData.self != EmptyAnimatableData.self }
}
