// The weather that the simulated services live in: how slow they are, and which of them fail.

import Synchronization

/// The latency of each source, and whether it fails.
///
/// Latencies that are not fixed are drawn. Every source has a generator of its own, so that the
/// *n*-th answer of a source takes the same time whatever the others do meanwhile.
public final class Conditions: Sendable {
  /// The sources that fail, from now on.
  public var failing: Set<Source> {
    get { failures.withLock { $0 } }
    set { failures.withLock { $0 = newValue } }
  }

  private let failures: Mutex<Set<Source>>
  private let fixed: [Source: Duration]
  private let speed: Double
  private let generators: Mutex<[Source: SplitMix64]>

  /// Conditions that follow from a seed.
  ///
  /// - Parameters:
  ///   - seed: Where the drawn latencies start from.
  ///   - latencies: The latencies that are fixed instead.
  ///   - failing: The sources that fail.
  ///   - speed: How fast the waiting goes by; 0.1 makes everything take ten times as long.
  ///     Positive and finite.
  public init(
    seed: UInt64 = 0,
    latencies: [Source: Duration] = [:],
    failing: Set<Source> = [],
    speed: Double = 1
  ) {
    precondition(speed > 0 && speed.isFinite, "The speed is positive and finite, not \(speed).")
    failures = Mutex(failing)
    self.speed = speed
    fixed = latencies
    var seeds = SplitMix64(seed: seed)
    generators = Mutex(
      Dictionary(
        uniqueKeysWithValues: Source.allCases.map { ($0, SplitMix64(seed: seeds.next())) }
      )
    )
  }

  /// The latency of the next answer of a source, in whole milliseconds unless it is fixed or the
  /// speed is not one.
  public func latency(of source: Source) -> Duration {
    let latency =
      fixed[source]
      ?? .milliseconds(
        generators.withLock { Int.random(in: source.typicalMilliseconds, using: &$0[source]!) }
      )
    return paced(latency)
  }

  /// A duration at the speed of this simulation.
  public func paced(_ duration: Duration) -> Duration {
    speed == 1 ? duration : duration / speed
  }
}

extension Source {
  /// The usual latency of the source.
  fileprivate var typicalMilliseconds: ClosedRange<Int> {
    switch self {
    // A disk in no hurry, so that it is seen that others wait for it.
    case .files: 60...60
    case .authentication: 80...160
    case .server: 60...240
    case .matches: 150...350
    }
  }
}
