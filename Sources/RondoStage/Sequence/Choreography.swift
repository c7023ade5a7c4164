// Steps one after another and at the same time, as a value.

import RondoAnimation

/// Steps one after another and at the same time.
///
/// It is a value, and can be nested at will:
///
/// ```swift
/// let entrance = Choreography.sequence(
///   .parallel(.step(duration: 1) { … }, .step(duration: 3) { … }),
///   .step(duration: 0.3) { … }
/// )
/// entrance.duration  // 3.3
/// ```
public struct Choreography {
  indirect enum Form {
    /// Begins at an instant of the performer that it names, or of the one that performs it.
    case step(duration: Double, of: Performer?, begin: @MainActor (Duration) -> Void)
    case sequence([Choreography])
    case parallel([Choreography])
  }

  let form: Form

  /// One step.
  ///
  /// - Parameters:
  ///   - duration: In seconds. What is not positive and finite takes no time; what is longer than
  ///     some 35,000 years takes those.
  ///   - begin: What happens when the step begins, at an instant since the performer's beginning.
  public static func step(
    duration: Double = 0.3,
    begin: @escaping @MainActor (_ instant: Duration) -> Void
  ) -> Choreography {
    step(duration: duration, of: nil, begin: begin)
  }

  static func step(
    duration: Double, of performer: Performer?, begin: @escaping @MainActor (Duration) -> Void
  ) -> Choreography {
    let duration = duration.isFinite ? min(max(0, duration), 0x1p40) : 0
    return Choreography(form: .step(duration: duration, of: performer, begin: begin))
  }

  /// One after another. An empty one takes no time.
  public static func sequence(_ parts: [Choreography]) -> Choreography {
    Choreography(form: .sequence(parts))
  }

  /// One after another.
  public static func sequence(_ parts: Choreography...) -> Choreography {
    sequence(parts)
  }

  /// At the same time, until the longest has ended. An empty one takes no time.
  public static func parallel(_ parts: [Choreography]) -> Choreography {
    Choreography(form: .parallel(parts))
  }

  /// At the same time, until the longest has ended.
  public static func parallel(_ parts: Choreography...) -> Choreography {
    parallel(parts)
  }

  /// The duration of the whole, in seconds.
  public var duration: Double {
    switch form {
    case .step(let duration, _, _): duration
    case .sequence(let parts): parts.reduce(0) { $0 + $1.duration }
    case .parallel(let parts): parts.reduce(0) { max($0, $1.duration) }
    }
  }
}
