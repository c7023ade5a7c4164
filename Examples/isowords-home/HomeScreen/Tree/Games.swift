// The active games, a card each.

import RondoHomeFeature
import RondoStage

extension TerminalScreen.State {
  func games(_ layout: Layout) -> Node {
    let cards = cards
    let selected = selectedIndex ?? 0
    let visible = layout.visibleCards(count: cards.count, selected: selected)
    let pitch = layout.cardPitch(count: cards.count)
    return .group {
      Node.heading(
        heading(hidden: cards.count - visible.count),
        x: layout.margin, y: layout.bodyTop, width: layout.cardWidth)
      Node.group {
        if cards.isEmpty {
          Node.line(emptyText, color: Palette.dim).id(emptyText)
            // Gone at once, so that no card slides over it.
            .transition(.asymmetric(insertion: .replacing, removal: .identity))
        }
        visible.map { index in
          card(cards[index], number: index + 1, isSelected: index == selected, pitch, layout)
            .offset(y: Double((index - visible.lowerBound) * pitch))
            .transition(.offset(x: -12).combined(with: .opacity))
            .id(cards[index].id)
        }
      }
      .offset(x: Double(layout.margin), y: Double(layout.cardsTop))
    }
  }

  private func heading(hidden: Int) -> String {
    hidden > 0 ? "ACTIVE GAMES (\(hidden) more)" : "ACTIVE GAMES"
  }

  private var emptyText: String {
    if home.loading.contains(.matches) { return "Loading…" }
    if home.problems[.matches] != nil { return "Unknown" }
    return home.hasPastMatches ? "No game is open. Start one!" : "No games yet. Start one!"
  }

  /// A card of one line or two.
  private func card(
    _ card: Card,
    number: Int,
    isSelected: Bool,
    _ pitch: Int,
    _ layout: Layout
  ) -> Node {
    let height = min(pitch, 2)
    let width = layout.cardWidth
    let badge = card.mood.badge
    let title = "\(isSelected ? "▸" : " ")\(number) \(card.title)"
    return .panel(
      x: 0, y: 0, width: width, height: height,
      color: isSelected ? Palette.selectedPanel : Palette.panel
    ) {
      Node.fill("▌").frame(width: 1, height: Double(height)).foreground(card.mood.color)
      Node.line(
        title, x: 1, width: width - badge.count - 4,
        color: isSelected ? .white : Palette.text)
      Node.line(badge, endingAt: width - 1, color: card.mood.color)
      if height > 1 {
        Node.line(card.detail, x: 4, y: 1, width: width - 5, color: Palette.dim)
      } else if title.count + card.detail.count + badge.count + 7 <= width {
        Node.line(card.detail, x: title.count + 3, color: Palette.dim)
      }
    }
  }
}

extension Card.Mood {
  fileprivate var color: Color {
    switch self {
    case .saved: Palette.saved
    case .yourTurn: Palette.yours
    case .theirTurn: Palette.dim
    case .poke: Palette.poke
    }
  }
}
