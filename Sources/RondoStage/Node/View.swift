// Anything that can be put into a tree: a node, a shape, or a description of the program's own.

/// Anything that can be put into a tree: a ``Node``, a ``Shape``, or a type of your own that
/// describes itself by others.
///
/// ```swift
/// struct Badge: View {
///   var count: Int
///
///   var body: some View {
///     Circle().foregroundColor(.red).frame(width: 4, height: 2)
///     Node.text("\(count)").offset(x: 1, y: 0.5)
///   }
/// }
/// ```
///
/// A view is a plain value without an identity of its own. Modifiers of a view give a node.
public protocol View {
  /// The content of the view.
  associatedtype Body: View

  /// The content of the view.
  @NodeBuilder var body: Body { get }

  /// The view as a node. It is made from ``body`` and needs no implementation of your own.
  var node: Node { get }
}

extension View {
  public var node: Node { body.node }
}

extension Node: View {
  /// The node itself.
  public var body: Node { self }

  /// The node itself.
  public var node: Node { self }
}

/// Several views in one place: over one another, the last one on top.
extension Array: View where Element == Node {
  /// The nodes over one another.
  public var body: Node { node }

  /// The only node, or a group of all of them.
  public var node: Node { count == 1 ? self[0] : Node(.group(self)) }
}

/// The builder of trees under the name that it has elsewhere.
public typealias ViewBuilder = NodeBuilder
