// The options of the command line.

import Foundation

/// A reason for which the program ends, with its status.
struct Failure: Error, CustomStringConvertible {
  var status: Int32 = 64
  var description: String
}

/// The options of the command line.
struct Options {
  static let help = """
    gtk-home: the home screen of a word game in a window

      --data DIR       the folder of saved-games.json; else that of isowords-home
      --at SECONDS     the launch on virtual time, up to there; F8 goes on by 100 ms
      --picture FILE   with --at: write what the window shows as a PNG file, and end
      --record FILE    record every action and state
      --replay FILE    play a recording, of this program or of isowords-home
      --moving COUNT   let so many nodes move for five seconds, and tell how long frames take
      --help           this
    """

  var isHelp = false
  var data: String?
  var at: Duration?
  var picture: String?
  var record: String?
  var replay: String?
  var movingCount: Int?

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard name != "--help" else {
        isHelp = true
        continue
      }
      guard ["--data", "--at", "--picture", "--record", "--replay", "--moving"].contains(name)
      else {
        throw Failure(description: "unknown option '\(name)'; --help lists the options")
      }
      guard let value = rest.popFirst() else {
        throw Failure(description: "\(name) needs a value; --help lists the options")
      }
      switch name {
      case "--data": data = value
      case "--at": at = .seconds(try Self.number(value, name, in: 0...86_400))
      case "--picture": picture = value
      case "--record": record = value
      case "--replay": replay = value
      default: movingCount = Int(try Self.number(value, name, in: 1...100_000))
      }
    }
    if picture != nil, at == nil {
      throw Failure(description: "--picture needs an instant: --at SECONDS")
    }
    if let replay, let record, Self.isOneFile(replay, record) {
      throw Failure(
        description:
          "--record names the recording to replay, which would be lost; name another file")
    }
  }

  /// Whether two paths lead to one file.
  private static func isOneFile(_ path: String, _ other: String) -> Bool {
    var (file, otherFile) = (stat(), stat())
    return stat(path, &file) == 0 && stat(other, &otherFile) == 0
      && file.st_dev == otherFile.st_dev && file.st_ino == otherFile.st_ino
  }

  private static func number(
    _ text: String, _ name: String, in range: ClosedRange<Double>
  ) throws(Failure) -> Double {
    guard let number = Double(text), range.contains(number) else {
      throw Failure(
        description: "\(name) takes a number from \(Int(range.lowerBound)) to "
          + "\(Int(range.upperBound)), not '\(text)'")
    }
    return number
  }
}
