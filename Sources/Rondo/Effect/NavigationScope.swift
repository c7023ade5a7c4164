// Effects of a child feature, as its parent sees them.

extension Effect {
  /// The effect, as one of a child: ids that it registers or cancels are those of the child, one
  /// step further down the navigation path.
  ///
  /// - Parameter element: What tells the child from its siblings.
  package func scoped(to element: some Hashable & Sendable) -> Self {
    modified { NavigationNode($0) { NavigationPath(element, under: $0) } }
  }
}

final class NavigationNode: ModifierNode, @unchecked Sendable {
  private let extend: @Sendable (NavigationPath?) -> NavigationPath

  init(_ child: EffectNode, _ extend: @escaping @Sendable (NavigationPath?) -> NavigationPath) {
    self.extend = extend
    super.init(child)
  }

  override var label: String { "scoped" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    Frame(under: parent, path: extend(parent.path))
  }
}
