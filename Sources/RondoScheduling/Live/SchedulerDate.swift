// The instants and lengths of time of operation queues and run loops: dates and seconds.

import Foundation

/// An instant of the calendar, for the schedulers that use it as their time.
///
/// Its arithmetic is that of floating-point numbers: it rounds, and never traps.
public struct SchedulerDate: Strideable, Hashable, Codable, Sendable {
  /// The instant as a date of Foundation.
  public var date: Date

  /// Creates an instant.
  public init(_ date: Date) {
    self.date = date
  }

  public func distance(to other: Self) -> Stride {
    Stride(clamping: other.date.timeIntervalSince(date))
  }

  public func advanced(by stride: Stride) -> Self {
    Self(date.addingTimeInterval(stride.timeInterval))
  }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.date < rhs.date
  }
}

extension SchedulerDate {
  /// A length of time in seconds. As a literal it counts seconds, too: `0.5` is half of one.
  public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Hashable, Codable,
    Comparable, ExpressibleByFloatLiteral
  {
    /// The length in seconds.
    public var timeInterval: TimeInterval

    /// Creates a length of time from seconds. A value that is not a number is reported,
    /// and becomes zero.
    public init(_ timeInterval: TimeInterval) {
      self.timeInterval = checkedSeconds(timeInterval)
    }

    fileprivate init(clamping timeInterval: TimeInterval) {
      self.timeInterval = timeInterval.clampedToFinite
    }

    /// The length without its sign, in seconds.
    public var magnitude: TimeInterval { timeInterval.magnitude }

    public init(integerLiteral seconds: Int) { self.init(Double(seconds)) }

    public init(floatLiteral seconds: Double) { self.init(seconds) }

    public init?<Source: BinaryInteger>(exactly seconds: Source) {
      guard let seconds = Double(exactly: seconds) else { return nil }
      self.init(seconds)
    }

    public init(_ duration: Duration) { self.init(duration / .seconds(1)) }

    public var duration: Duration { Duration(clampingSeconds: timeInterval) }

    public static func + (lhs: Self, rhs: Self) -> Self {
      Self(clamping: lhs.timeInterval + rhs.timeInterval)
    }

    public static func - (lhs: Self, rhs: Self) -> Self {
      Self(clamping: lhs.timeInterval - rhs.timeInterval)
    }

    /// The product of two numbers of seconds. A literal is one, too: `stride * 2` is twice the
    /// stride.
    public static func * (lhs: Self, rhs: Self) -> Self {
      Self(clamping: lhs.timeInterval * rhs.timeInterval)
    }

    public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

    public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.timeInterval < rhs.timeInterval
    }
  }
}

extension SchedulerDate.Stride {
  public static func seconds(_ s: Int) -> Self { Self(Double(s)) }

  public static func seconds(_ s: Double) -> Self { Self(s) }

  public static func milliseconds(_ ms: Int) -> Self { Self(Double(ms) / 1e3) }

  public static func microseconds(_ us: Int) -> Self { Self(Double(us) / 1e6) }

  public static func nanoseconds(_ ns: Int) -> Self { Self(Double(ns) / 1e9) }
}
