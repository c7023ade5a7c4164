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

  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE || errno == EIO {
        // `EIO` is the error of a terminal that has been hung up.
        return didFail(nil)
      } else if errno == EAGAIN {
        // Another program has made the terminal one that nobody waits for. Its room comes back.
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&output, 1, -1)
      } else if errno != EINTR {
        return didFail(.last)
      }
    }
  }
}
