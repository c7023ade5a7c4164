// The instants and lengths of time of dispatch queues: whole nanoseconds that never overflow.

import Dispatch

extension DispatchQueue: SchedulerTypes {
  /// An instant of the clock that dispatch queues go by: nanoseconds since the machine started.
  ///
  /// Arithmetic stops at the ends of the range, some 292 years away, and never traps.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// Nanoseconds since the clock's zero; negative before it.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
      self.nanoseconds = nanoseconds
    }

    /// Creates an instant from Dispatch's own; `.distantFuture` becomes the last instant there is.
    public init(_ dispatchTime: DispatchTime) {
      nanoseconds = Int64(clamping: dispatchTime.uptimeNanoseconds)
    }

    /// The instant as Dispatch has it, which knows none before its zero.
    public var dispatchTime: DispatchTime {
      guard nanoseconds < .max else { return .distantFuture }
      return DispatchTime(uptimeNanoseconds: UInt64(clamping: nanoseconds))
    }

    public func distance(to other: Self) -> Stride {
      Stride(nanoseconds: other.nanoseconds.subtractingSaturating(nanoseconds))
    }

    public func advanced(by stride: Stride) -> Self {
      Self(nanoseconds: nanoseconds.addingSaturating(stride.nanoseconds))
    }

    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.nanoseconds < rhs.nanoseconds
    }
  }
}

extension DispatchQueue.SchedulerTimeType {
  /// A length of time in whole nanoseconds. As a literal it counts seconds: `0.5` is half of one.
  public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Hashable, Codable,
    Comparable, ExpressibleByFloatLiteral
  {
    /// The length in nanoseconds.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
      self.nanoseconds = nanoseconds
    }

    /// Creates a length of time from Dispatch's own; `.never` becomes the longest there is.
    public init(_ timeInterval: DispatchTimeInterval) {
      switch timeInterval {
      case .seconds(let s): self = .seconds(s)
      case .milliseconds(let ms): self = .milliseconds(ms)
      case .microseconds(let us): self = .microseconds(us)
      case .nanoseconds(let ns): self = .nanoseconds(ns)
      case .never: nanoseconds = .max
      @unknown default: nanoseconds = .max
      }
    }

    /// The length as Dispatch has it.
    public var timeInterval: DispatchTimeInterval { .nanoseconds(Int(clamping: nanoseconds)) }

    /// The length without its sign, in nanoseconds.
    public var magnitude: Int { Int(clamping: nanoseconds.magnitude) }

    public init(integerLiteral seconds: Int) { self = .seconds(seconds) }

    public init(floatLiteral seconds: Double) { self = .seconds(seconds) }

    public init?<Source: BinaryInteger>(exactly seconds: Source) {
      guard let whole = Int64(exactly: seconds) else { return nil }
      let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
      guard !overflow else { return nil }
      nanoseconds = product
    }

    public init(_ duration: Duration) { nanoseconds = Int64(nanosecondsIn: duration) }

    public var duration: Duration { .nanoseconds(nanoseconds) }
  }
}

extension DispatchQueue.SchedulerTimeType.Stride {
  public static func seconds(_ s: Int) -> Self {
    Self(nanoseconds: Int64(s).multipliedSaturating(by: 1_000_000_000))
  }

  public static func seconds(_ s: Double) -> Self {
    Self(nanoseconds: Int64(nanosecondsIn: s))
  }

  public static func milliseconds(_ ms: Int) -> Self {
    Self(nanoseconds: Int64(ms).multipliedSaturating(by: 1_000_000))
  }

  public static func microseconds(_ us: Int) -> Self {
    Self(nanoseconds: Int64(us).multipliedSaturating(by: 1_000))
  }

  public static func nanoseconds(_ ns: Int) -> Self {
    Self(nanoseconds: Int64(ns))
  }

  public static func + (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: lhs.nanoseconds.addingSaturating(rhs.nanoseconds))
  }

  public static func - (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: lhs.nanoseconds.subtractingSaturating(rhs.nanoseconds))
  }

  /// The product of two numbers of seconds, as the literals are: `stride * 2` is twice the stride.
  public static func * (lhs: Self, rhs: Self) -> Self {
    let (high, low) = lhs.nanoseconds.multipliedFullWidth(by: rhs.nanoseconds)
    let product = Int128(high) << 64 | Int128(low)
    return Self(nanoseconds: Int64(clamping: product / 1_000_000_000))
  }

  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }
}
