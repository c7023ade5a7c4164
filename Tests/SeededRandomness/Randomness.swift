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

  /// So many generators, times the factor in `RONDO_CHECKS`; or the one that `RONDO_SEED` names.
  ///
  /// A test does not loop over them itself: `forEachSeed` and `check` name the seed of a failure.
  static func runs(_ count: Int) -> some Sequence<Randomness> {
    let environment = ProcessInfo.processInfo.environment
    let given = environment["RONDO_SEED"].flatMap(UInt64.init)
    let factor = environment["RONDO_CHECKS"].flatMap(Int.init) ?? 1
    return (0..<(given == nil ? count * factor : 1)).lazy.map { _ in
      Randomness(seed: given ?? UInt64.random(in: 0...(.max)))
    }
  }

  /// A generator whose seed is the one in `RONDO_SEED`, or any. The test prints it on failure.
  public static func one() -> Randomness {
    let given = ProcessInfo.processInfo.environment["RONDO_SEED"].flatMap(UInt64.init)
    return Randomness(seed: given ?? UInt64.random(in: 0...(.max)))
  }

  /// The seeds of a test that has one as its argument: the first so many, times the factor in
  /// `RONDO_CHECKS`; or the one in `RONDO_SEED`.
  public static func seeds(_ count: Int) -> [Int] {
    let environment = ProcessInfo.processInfo.environment
    if let given = environment["RONDO_SEED"].flatMap(Int.init) { return [given] }
    return Array(0..<(count * (environment["RONDO_CHECKS"].flatMap(Int.init) ?? 1)))
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
