// Which of a container's children a node is, from one commit to the next.

/// A step on the way from a container to a child in its builder.
enum IdentityStep: Hashable {
  /// The place in a block or a list.
  case index(Int)
  /// The branch of an `if`.
  case branch(Bool)
  /// The id that the program gives.
  case id(AnyHashable)
}

extension View {
  /// Says which of its container's children this is, wherever it stands among them.
  ///
  /// Without it a node is known by its place, and by the branch of an `if` that it stands in.
  public func id(_ id: some Hashable) -> Node {
    var node = node
    node.identity = [.id(AnyHashable(id))]
    return node
  }
}

extension Node {
  /// The id from ``id(_:)`` or from the element of a list.
  var explicitID: AnyHashable? {
    guard case .id(let id) = identity.first else { return nil }
    return id
  }

  /// This node one level further out in a builder. A node that has been given an id keeps it.
  func nested(in step: IdentityStep) -> Node {
    if explicitID != nil, !step.isID { return self }
    var node = self
    node.identity.insert(step, at: 0)
    return node
  }
}

extension IdentityStep {
  fileprivate var isID: Bool {
    if case .id = self { true } else { false }
  }
}

/// Collects the children of a container. What is absent keeps its place.
@resultBuilder
public enum NodeBuilder {
  /// A node as a list of one.
  public static func buildExpression(_ node: Node) -> [Node] { [node] }
  /// Nodes that are told apart by their positions.
  public static func buildExpression(_ nodes: [Node]) -> [Node] { indexed(nodes) }
  /// A view as a list of one.
  public static func buildExpression(_ view: some View) -> [Node] { [view.node] }

  /// The views of a group, each a child of what is around.
  public static func buildExpression(_ group: Group) -> [Node] { indexed(group.body) }
  /// The views of a list, each a child of what is around.
  public static func buildExpression(_ list: ForEach) -> [Node] { indexed(list.body) }

  /// The nodes of all statements, in order.
  public static func buildBlock(_ parts: [Node]...) -> [Node] {
    parts.enumerated().flatMap { index, part in part.map { $0.nested(in: .index(index)) } }
  }

  /// The nodes of an `if`, or none.
  public static func buildOptional(_ part: [Node]?) -> [Node] { part ?? [] }

  /// The nodes of the first branch.
  public static func buildEither(first part: [Node]) -> [Node] {
    part.map { $0.nested(in: .branch(true)) }
  }

  /// The nodes of the second branch.
  public static func buildEither(second part: [Node]) -> [Node] {
    part.map { $0.nested(in: .branch(false)) }
  }

  /// The nodes of a loop, in order.
  public static func buildArray(_ parts: [[Node]]) -> [Node] {
    parts.enumerated().flatMap { index, part in part.map { $0.nested(in: .index(index)) } }
  }

  /// A view of one node is that node; a view of several is a group of them.
  public static func buildFinalResult(_ nodes: [Node]) -> Node { nodes.node }

  /// The nodes of a whole body.
  @_disfavoredOverload
  public static func buildFinalResult(_ nodes: [Node]) -> [Node] { nodes }

  private static func indexed(_ nodes: [Node]) -> [Node] {
    nodes.enumerated().map { $1.nested(in: .index($0)) }
  }
}
