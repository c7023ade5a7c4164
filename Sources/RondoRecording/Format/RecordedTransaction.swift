// A transaction in a recording.

import RondoAnimation

/// The transaction of a commit, with its animation as a curve.
public struct RecordedTransaction: Decodable, Equatable, Sendable {
  /// The text of the transaction: `untagged`, `.default`, …
  public var name: String
  /// Whether anything is set in the transaction.
  public var tagged: Bool
  /// The course of the change; `nil` where it is not animated.
  public var animation: Animation?

  /// The course of a change over time.
  public struct Animation: Decodable, Equatable, Sendable {
    /// The call that makes the animation, such as `.easeInOut(duration: 0.2)`.
    public var curve: String
    /// The seconds until it is over; `nil` where it never ends.
    public var duration: Double?
    /// The part of the change that is made, at equal steps from the start to the duration. Of an
    /// animation without end it is the first second.
    public var samples: [Double]
  }
}

extension RecordedTransaction {
  /// A transaction as it is recorded.
  public init(_ transaction: Transaction) {
    self.init(
      name: transaction.description, tagged: !transaction.isEmpty,
      animation: transaction.animation.map(Animation.init))
  }
}

extension RecordedTransaction.Animation {
  private static let sampleCount = 33

  init(_ animation: RondoAnimation.Animation) {
    let duration = animation.duration
    let span = duration.isFinite ? duration : 1
    let samples = (0..<Self.sampleCount).map { step in
      let time = span * Double(step) / Double(Self.sampleCount - 1)
      return rounded(animation.sample(at: time).value)
    }
    self.init(
      curve: animation.description,
      duration: duration.isFinite ? RecordingLine.seconds(duration) : nil,
      samples: samples)
  }
}

/// A number with six decimals at most; zero in place of one that is not finite.
func rounded(_ number: Double) -> Double {
  guard number.isFinite else { return 0 }
  return abs(number) < 1e12 ? (number * 1e6).rounded() / 1e6 : number
}
