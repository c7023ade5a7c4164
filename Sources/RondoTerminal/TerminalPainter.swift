// From canvases to a terminal: only the cells that have changed are written.

import Foundation
import RondoStage

/// Paints canvases on the terminal behind standard output.
@MainActor
final class TerminalPainter {
  /// Takes the reason when nothing can be written any more; `nil` if the terminal has gone.
  var didFail: (TerminalFailure?) -> Void = { _ in }

  private let ability: ColorAbility

  /// The canvas that the terminal shows; `nil` for anything.
  private(set) var shown: Canvas?

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
    // Terminals that know this pair of sequences show the changes between them in one go.
    write("\u{1b}[?2026h" + frame + "\u{1b}[?2026l")
  }

  /// Paints everything anew the next time.
  func forget() {
    shown = nil
  }

  private func write(_ text: String) {
    let error = TerminalDevice.write(text) { TerminalDevice.waitsOn }
    switch error {
    case 0: break
    case EAGAIN: forget()
    // `EIO` is the error of a terminal that has been hung up.
    case EPIPE, EIO: didFail(nil)
    default: didFail(.system(String(cString: strerror(error))))
    }
  }
}
