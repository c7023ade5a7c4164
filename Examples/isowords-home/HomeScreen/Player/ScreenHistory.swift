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
  ///   - height: The number of rows: the last one says what is looked at.
  func scrub(by step: Duration, at present: Duration, height: Int) {
    let target = (instant ?? present) - step
    guard target < present else { return leave() }
    instant = target
    redraw(at: present, height: height)
  }

  /// Draws the instant that is looked at again, or the earliest one that is kept.
  func redraw(at present: Duration, height: Int) {
    guard let instant else { return }
    let earliest = max(commits.first?.instant ?? present, present - Self.length)
    self.instant = max(instant, earliest)
    draw(frame(at: max(instant, earliest), before: present, height: height))
  }

  /// Goes back to the present.
  func leave() {
    guard instant != nil else { return }
    instant = nil
    if let now { draw(now) }
  }

  private func frame(at instant: Duration, before present: Duration, height: Int) -> StageFrame {
    let stage = Stage()
    for commit in commits where commit.instant <= instant {
      stage.commit(commit.tree, transaction: commit.transaction, at: commit.instant)
    }
    let tenths = Int((present - instant) / .milliseconds(100))
    let note = Stage()
    note.commit(
      Node.text(" \(tenths / 10).\(tenths % 10) s ago   ← → back and forth   Esc the present ")
        .foreground(Palette.tagText).background(Palette.tag)
        .offset(x: 1, y: Double(max(0, height - 1))),
      at: instant)
    return stage.frame(at: instant).overlaid(with: note.frame(at: instant))
  }
}
