// The last ten seconds of the screen, to be looked at again.

import RondoStage

/// Remembers the trees of the last ten seconds with their transactions, and shows any instant of them
/// again.
///
/// A frame is a function of the commits and of its instant. So nothing has to be kept of the frames:
/// the commits are made again on another stage, and whatever moved then moves again.
@MainActor
final class ScreenHistory {
  private struct Shown {
    var instant: Duration
    var tree: Node
    var transaction: Transaction
  }

  /// The time that can be gone back.
  static let length = Duration.seconds(10)

  /// Draws a frame of the past, or the present one again.
  var draw: (StageFrame) -> Void = { _ in }

  /// The newest frame, drawn or not.
  var now: StageFrame?

  private var commits: [Shown] = []
  /// The instant that is looked at; `nil` for the present.
  private var instant: Duration?

  var isScrubbed: Bool { instant != nil }

  /// Remembers a commit, and forgets those that can be seen no more.
  func add(_ tree: Node, _ transaction: Transaction, at instant: Duration) {
    var kept = Transaction(animation: transaction.animation)
    if transaction.isEmpty { kept = Transaction() }
    kept.disablesAnimations = transaction.disablesAnimations
    commits.append(Shown(instant: instant, tree: tree, transaction: kept))
    // Motions of the first second of the window may have begun before it.
    let start = instant - Self.length - .seconds(1)
    while commits.count > 1, commits[1].instant < start { commits.removeFirst() }
  }

  /// Looks at an earlier instant, for a positive step, or at a later one.
  ///
  /// - Parameters:
  ///   - step: The way through time.
  ///   - present: The present instant.
  ///   - size: The extent of the screen: the last row says what is looked at.
  func scrub(by step: Duration, at present: Duration, size: ScreenSize) {
    let target = (instant ?? present) - step
    guard target < present else { return leave() }
    instant = target
    redraw(at: present, size: size)
  }

  /// Draws the instant that is looked at again, or the earliest one that is kept.
  func redraw(at present: Duration, size: ScreenSize) {
    guard let instant else { return }
    let earliest = max(commits.first?.instant ?? present, present - Self.length)
    self.instant = max(instant, earliest)
    draw(frame(at: max(instant, earliest), before: present, size: size))
  }

  /// Goes back to the present.
  func leave() {
    guard instant != nil else { return }
    instant = nil
    if let now { draw(now) }
  }

  private func frame(at instant: Duration, before present: Duration, size: ScreenSize) -> StageFrame
  {
    let stage = Stage()
    for commit in commits where commit.instant <= instant {
      stage.commit(commit.tree, transaction: commit.transaction, at: commit.instant)
    }
    let tenths = Int((present - instant) / .milliseconds(100))
    let note = Stage()
    note.commit(
      // The whole row, so that nothing of the key line is left beside it.
      Node.text(
        "\(String(repeating: " ", count: size.width >= 60 ? 2 : 1))\(tenths / 10).\(tenths % 10) s ago   ← → back and forth   Esc the present "
      )
      .foreground(Palette.tagText)
      .frame(width: Double(size.width), height: 1)
      .background(Palette.tag)
      .offset(y: Double(max(0, size.height - 1))),
      at: instant)
    return stage.frame(at: instant).overlaid(with: note.frame(at: instant))
  }
}
