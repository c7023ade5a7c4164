// Helpers that the tests of the stage share.

import RondoStage

extension Duration {
  /// The instant of a frame at 60 Hz, in whole nanoseconds.
  static func frame(_ number: Int) -> Duration {
    .nanoseconds(16_666_667) * number
  }

  /// Half a second, in which a linear animation of one second comes half way.
  static let half = Duration.milliseconds(500)
}

extension Stage {
  /// The x coordinate at which the node with an id is shown at an instant.
  func x(_ id: some Hashable, at instant: Duration) -> Double? {
    frame(at: instant)[id]?.frame.x
  }

  /// The opacity with which the node with an id is shown at an instant.
  func opacity(_ id: some Hashable, at instant: Duration) -> Double? {
    frame(at: instant)[id]?.opacity
  }
}

extension Transaction {
  /// A linear animation of some seconds, whose value at half time is easy to know.
  static func linear(_ duration: Double = 1) -> Transaction {
    Transaction(animation: .linear(duration: duration))
  }
}

/// A log of events, in order.
final class Log {
  private(set) var entries: [String] = []

  func add(_ entry: String) {
    entries.append(entry)
  }
}
