// From canvases to a terminal: only what has changed is written.

import Foundation
import HomeScreen
import RondoStage

/// Paints canvases on the terminal behind standard output.
@MainActor
final class TerminalPainter {
  /// What to do when nothing can be written any more.
  var didFail: (ScreenRun.End) -> Void = { _ in }

  private let ability: ColorAbility

  /// What the terminal shows; `nil` for anything.
  private var shown: Canvas?

  init(ability: ColorAbility) {
    self.ability = ability
  }

  /// Shows a canvas in place of the one before.
  func draw(_ canvas: Canvas) {
    var frame = canvas.ansi(from: shown, ability: ability)
    guard !frame.isEmpty else { return }
    if shown?.width != canvas.width || shown?.height != canvas.height {
      frame = "\u{1b}[0m\u{1b}[2J" + frame
    }
    shown = canvas
    // Terminals that know this pair of sequences show what is between them in one go.
    write("\u{1b}[?2026h" + frame + "\u{1b}[?2026l")
  }

  /// Paints everything anew the next time.
  func forget() {
    shown = nil
  }

  /// Writes the last canvas as text, for when the screen has gone.
  func leavePicture() {
    guard let shown else { return }
    write(shown.text + "\n")
  }

  private func write(_ text: String) {
    do throws(Output.Failure) {
      try Output.standard.write(text)
    } catch {
      switch error {
      case .closed: didFail(.quit)
      case .failed(let reason): didFail(.failed("cannot write to the terminal: \(reason)"))
      }
    }
  }
}
