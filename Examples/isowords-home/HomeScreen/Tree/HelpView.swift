// The help: every key and what it does.

import RondoStage

extension TerminalScreen.State {
  /// The keys in as many columns as they take, over everything else.
  func help(_ layout: Layout) -> Node {
    let rows = max(1, min(KeyBinding.all.count, layout.height - 4))
    let columns = (KeyBinding.all.count + rows - 1) / rows
    let columnWidth = columns == 1 ? 46 : layout.width / columns
    let width = min(layout.width, columns * columnWidth)
    return .panel(
      x: (layout.width - width) / 2, y: max(0, (layout.height - rows - 3) / 2),
      width: width, height: rows + 3, color: Palette.selectedPanel
    ) {
      Node.line("Keys", x: 2, color: Palette.title)
      KeyBinding.all.enumerated().map { index, binding in
        line(binding, width: columnWidth - 2)
          .offset(x: Double(2 + index / rows * columnWidth), y: Double(2 + index % rows))
      }
    }
    .transition(.offset(y: -2).combined(with: .opacity))
  }

  private func line(_ binding: KeyBinding, width: Int) -> Node {
    let keysWidth = width >= 40 ? 12 : 4
    let shown = width >= 40 ? binding.shown : String(binding.shown.prefix { $0 != " " }.prefix(3))
    return .group {
      Node.line(shown, width: keysWidth, color: Palette.poke)
      Node.line(
        binding.summary, x: keysWidth, width: width - keysWidth - 1, color: Palette.text)
    }
  }
}
