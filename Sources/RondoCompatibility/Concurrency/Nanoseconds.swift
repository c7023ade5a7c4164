// Units of time as integers, which Dispatch has on other platforms.

#if !canImport(Darwin)

  /// The nanoseconds in a second: `try await Task.sleep(nanoseconds: NSEC_PER_SEC)`.
  public let NSEC_PER_SEC: UInt64 = 1_000_000_000

  /// The nanoseconds in a millisecond.
  public let NSEC_PER_MSEC: UInt64 = 1_000_000

  /// The nanoseconds in a microsecond.
  public let NSEC_PER_USEC: UInt64 = 1_000

  /// The microseconds in a second.
  public let USEC_PER_SEC: UInt64 = 1_000_000

#endif
