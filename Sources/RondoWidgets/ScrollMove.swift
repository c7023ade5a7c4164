// A movement of a list or a text.

/// A movement of the selection in a list, or of a text that scrolls.
public enum ScrollMove: Hashable, Sendable {
  /// Some rows down, or up for a negative number.
  case rows(Int)
  /// Some screens down, or up for a negative number.
  case pages(Int)
  /// To the first row.
  case start
  /// To the last row.
  case end

  /// The movement of an event; `nil` if the event moves nothing.
  ///
  /// The arrows, PageUp and PageDown, Home and End, the wheel, and the keys of `less`: `j` and `k`,
  /// `g` and `G`, Ctrl-F and Ctrl-B.
  public init?(_ event: TerminalEvent) {
    switch event {
    case .key(.down), .key(.character("j")): self = .rows(1)
    case .key(.up), .key(.character("k")): self = .rows(-1)
    case .key(.pageDown), .key(.control("f")): self = .pages(1)
    case .key(.pageUp), .key(.control("b")): self = .pages(-1)
    case .key(.home), .key(.character("g")): self = .start
    case .key(.end), .key(.character("G")): self = .end
    case .mouse(let mouse) where mouse.kind == .scrollDown: self = .rows(3)
    case .mouse(let mouse) where mouse.kind == .scrollUp: self = .rows(-3)
    default: return nil
    }
  }

  /// The row that one of some rows moves to, counted from 0.
  func moved(_ row: Int, page: Int, count: Int) -> Int {
    // No more than there are, so that no sum is too large.
    func bounded(_ steps: Int) -> Int { min(max(-count, steps), count) }
    let target =
      switch self {
      case .rows(let rows): row + bounded(rows)
      case .pages(let pages): row + bounded(bounded(pages) * min(max(1, page), 1 << 16))
      case .start: 0
      case .end: count - 1
      }
    return max(0, min(target, count - 1))
  }
}
