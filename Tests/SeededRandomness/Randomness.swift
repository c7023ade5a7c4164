// Random numbers that a seed repeats, for tests of properties: every run prints its seed when it fails.

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

  /// So many generators, or the one that `RONDO_SEED` names.
  public static func runs(_ count: Int) -> [Randomness] {
    if let seed = ProcessInfo.processInfo.environment["RONDO_SEED"].flatMap(UInt64.init) {
      return [Randomness(seed: seed)]
    }
    return (0..<count).map { _ in Randomness(seed: UInt64.random(in: 0...(.max))) }
  }

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
