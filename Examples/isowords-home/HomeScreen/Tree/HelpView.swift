// The help: every key and what it does.

import RondoStage

extension TerminalScreen.State {
  /// The words about what moves, where they have room.
  private var words: [String] {
    hasColors
      ? [
        "What has a tag such as .default moves, and what gives way.",
        "Answers get it from mainQueue.animation(); keys may bring it.",
      ]
      : [
        "Numbers and bars that have a tag such as .default move;",
        "without colours, panels, cards and lines do not slide.",
      ]
  }

  /// The keys in as many columns as they take, over everything else, and below them why something moves.
  func help(_ layout: Layout) -> Node {
    let words = layout.width >= 66 && layout.height >= 12 ? self.words : []
    let rows = max(1, min(KeyBinding.all.count, layout.height - 2 - words.count))
    // Below the title, where there is room for it.
    let top = layout.height > rows + words.count + 2 ? 2 : 1
    let columns = (KeyBinding.all.count + rows - 1) / rows
    let columnWidth =
      columns == 1 ? min(words.isEmpty ? 52 : 66, layout.width) : layout.width / columns
    let width = min(layout.width, columns * columnWidth)
    let gap = words.isEmpty || layout.height <= rows + top + words.count + 1 ? 0 : 1
    let height = rows + top + gap + words.count + 1
    return .panel(
      x: (layout.width - width) / 2, y: max(0, (layout.height - height) / 2),
      width: width, height: height, color: Palette.selectedPanel
    ) {
      Node.line("Keys", x: 2, color: Palette.title)
      KeyBinding.all.enumerated().map { index, binding in
        line(binding, width: columnWidth - 1)
          .offset(
            x: Double((columns == 1 ? 2 : 1) + index / rows * columnWidth),
            y: Double(top + index % rows))
      }
      words.enumerated().map { index, line in
        Node.line(line, x: 2, y: top + rows + gap + index, color: Palette.dim)
      }
    }
    .transition(.offset(y: -2).combined(with: .opacity))
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
