// The help: every key and what it does.

import RondoStage

extension TerminalScreen.State {
  /// The keys in as many columns as they take, over everything else.
  func help(_ layout: Layout) -> Node {
    let rows = max(1, min(KeyBinding.all.count, layout.height - 2))
    // Below the title, where there is room for it.
    let top = layout.height > rows + 2 ? 2 : 1
    let columns = (KeyBinding.all.count + rows - 1) / rows
    let columnWidth = columns == 1 ? min(52, layout.width) : layout.width / columns
    let width = min(layout.width, columns * columnWidth)
    return .panel(
      x: (layout.width - width) / 2, y: max(0, (layout.height - rows - top - 1) / 2),
      width: width, height: rows + top + 1, color: Palette.selectedPanel
    ) {
      Node.line("Keys", x: 2, color: Palette.title)
      KeyBinding.all.enumerated().map { index, binding in
        line(binding, width: columnWidth - 1)
          .offset(
            x: Double((columns == 1 ? 2 : 1) + index / rows * columnWidth),
            y: Double(top + index % rows))
      }
    }
    .transition(panelTransition(y: -2))
  }

  private func line(_ binding: KeyBinding, width: Int) -> Node {
    let keysWidth = width >= 40 ? 18 : 4
    let shown = width >= 40 ? binding.shown : String(binding.shown.prefix { $0 != " " }.prefix(3))
    return .group {
      Node.line(shown, width: keysWidth, color: Palette.poke)
      Node.line(
        width >= 40 ? binding.summary : binding.word, x: keysWidth, width: width - keysWidth,
        color: Palette.text)
    }
  }
}
