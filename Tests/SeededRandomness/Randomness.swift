// Random numbers that a seed repeats.

import Foundation

/// A generator of random numbers that prints as its seed (SplitMix64).
///
/// Set `RONDO_SEED` to repeat a run.
public struct Randomness: RandomNumberGenerator, CustomStringConvertible, Sendable {
  public let seed: UInt64
  private var state: UInt64

  public init(seed: some BinaryInteger) {
    self.seed = UInt64(truncatingIfNeeded: seed)
    state = self.seed
  }

  public var description: String { "RONDO_SEED=\(seed)" }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The seed that `RONDO_SEED` names, if it does.
  public static let givenSeed =
    ProcessInfo.processInfo.environment["RONDO_SEED"].flatMap(UInt64.init)

  /// So many generators, and in the long form of a test ten times as many; or the one that
  /// `RONDO_SEED` names.
  ///
  /// A test does not loop over them itself: `forEachSeed` and `check` name the seed of a failure.
  static func runs(_ count: Int) -> some Sequence<Randomness> {
    (0..<(givenSeed == nil ? scaled(count) : 1)).lazy.map { _ in one() }
  }

  /// A generator whose seed is the one in `RONDO_SEED`, or any. The test prints it on failure.
  public static func one() -> Randomness {
    Randomness(seed: givenSeed ?? UInt64.random(in: 0...(.max)))
  }

  /// The seeds of a test that has one as its argument: the first so many, and in the long form ten
  /// times as many; or the one in `RONDO_SEED`.
  public static func seeds(_ count: Int) -> [UInt64] {
    if let givenSeed { return [givenSeed] }
    return (0..<scaled(count)).map { UInt64($0) }
  }

  private static func scaled(_ count: Int) -> Int { Soak.count(count, long: 10 * count) }

  public mutating func double(in range: ClosedRange<Double>) -> Double {
    .random(in: range, using: &self)
  }

  public mutating func int(in range: Range<Int>) -> Int {
    .random(in: range, using: &self)
  }

  public mutating func bool() -> Bool {
    .random(using: &self)
  }
}

extension Double {
  /// Whether the number is another one, to so many decimals of the larger of it and 1.
  public func isClose(to other: Double, within tolerance: Double = 1e-9) -> Bool {
    abs(self - other) <= tolerance * max(1, abs(self), abs(other))
  }
}
