// The text of `--help`.

import RondoHomeFeature

extension Options {
  static var helpText: String {
    let width = all.map(\.usage.count).max() ?? 0
    let lines = all.map { option in
      "  " + option.usage.padding(to: width) + "  " + option.summary
    }
    let sources = Source.allCases.map(\.rawValue).joined(separator: ", ")
    return """
      isowords-home: the home screen of a word game, in a terminal.

      USAGE: isowords-home [OPTIONS]

      \(lines.joined(separator: "\n"))

      SOURCE is one of: \(sources).

      On a terminal it is an animated screen; ? shows the keys, q ends it. Elsewhere,
      and with --format, --virtual-time or a file to write, it is a log that ends when
      the launch has finished. A line of the log is an action, or some that came
      together: when, with which tag, on which scheduler it was received or from which
      it came, and what it changed; the state always changes on the main thread.
      The last line, onDisappear, is the program's own end. Behind it stands what the
      launch has started: what ran when, and behind what.
      Colours are left out where NO_COLOR is set; then only numbers and bars move.

      A tag, such as [.default], says that a change is to be shown with an animation.
      A scheduler such as mainQueue.animation() gives it to the answers received on
      it: so the cards of the matches slide in, and the card of the saved game, whose
      answer is untagged, is just there. Turns of others and a new day come on plain
      mainQueue: they are untagged, and what is loaded because of them is not.

      FILES: saved-games.json in DIR; without --data in $XDG_DATA_HOME/isowords-home
      or ~/.local/share/isowords-home, and an example game as long as there is none.
      A damaged one is never overwritten.

      EXIT STATUS: 0; 64 if the options are wrong; 65 if a replay differs; 70 if a
      simulation finds something wrong; 74 if files cannot be read or written.


      """
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
