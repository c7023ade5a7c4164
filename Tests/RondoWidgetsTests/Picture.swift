// Pictures of nodes on a terminal of some size.

import RondoWidgets

/// The canvas on which a node is drawn.
@MainActor
func canvas(_ node: some View, _ width: Int, _ height: Int) -> Canvas {
  let stage = Stage()
  stage.commit(node.node, at: .zero)
  return Canvas(stage.frame(at: .zero), width: width, height: height)
}

/// The lines that are seen of a node.
@MainActor
func picture(_ node: some View, _ width: Int, _ height: Int) -> String {
  canvas(node, width, height).text
}

/// The sizes that every widget is looked at in: the usual one, a small one, the smallest that is
/// promised, and less than that.
let sizes = [(80, 24), (40, 10), (10, 3), (3, 1), (1, 1), (0, 0)].map {
  TerminalSize(width: $0.0, height: $0.1)
}
