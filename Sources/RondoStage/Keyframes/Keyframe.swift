// The kinds of keyframes, and the way through several of them.

import RondoAnimation

/// A keyframe of a track.
public protocol KeyframeTrackContent<Value> {
  /// The type of the property.
  associatedtype Value: Animatable

  /// The keyframe, or several in order.
  var steps: [KeyframeStep<Value>] { get }
}

/// A keyframe of any kind.
public struct KeyframeStep<Value: Animatable> {
  enum Kind {
    case linear(UnitCurve)
    case cubic(start: Value?, end: Value?)
    case spring(Spring, start: Value?)
    case move
  }

  let target: Value
  let duration: Double
  let kind: Kind

  init(_ target: Value, duration: Double, _ kind: Kind) {
    self.target = target
    self.duration = duration.isFinite ? max(0, duration) : 0
    self.kind = kind
  }
}

/// A keyframe that is reached at an even pace, or by a curve.
public struct LinearKeyframe<Value: Animatable>: KeyframeTrackContent {
  public let steps: [KeyframeStep<Value>]

  /// A keyframe.
  ///
  /// - Parameters:
  ///   - to: The value at the end.
  ///   - duration: Seconds from the keyframe before.
  ///   - timingCurve: The pace.
  public init(_ to: Value, duration: Double, timingCurve: UnitCurve = .linear) {
    steps = [KeyframeStep(to, duration: duration, .linear(timingCurve))]
  }
}

/// A keyframe that is reached by a cubic curve, which goes on smoothly from the keyframe before and into the
/// one behind it: cubic keyframes in a row are a Catmull-Rom spline. At its ends, a track is at rest.
public struct CubicKeyframe<Value: Animatable>: KeyframeTrackContent {
  public let steps: [KeyframeStep<Value>]

  /// A keyframe.
  ///
  /// - Parameters:
  ///   - to: The value at the end.
  ///   - duration: Seconds from the keyframe before.
  ///   - startVelocity: The velocity at the beginning, per second; `nil` for that of the keyframe before.
  ///   - endVelocity: The velocity at the end, per second; `nil` for one that goes on smoothly.
  public init(
    _ to: Value, duration: Double, startVelocity: Value? = nil, endVelocity: Value? = nil
  ) {
    steps = [KeyframeStep(to, duration: duration, .cubic(start: startVelocity, end: endVelocity))]
  }
}

/// A keyframe that a spring pulls to.
public struct SpringKeyframe<Value: Animatable>: KeyframeTrackContent {
  public let steps: [KeyframeStep<Value>]

  /// A keyframe.
  ///
  /// - Parameters:
  ///   - to: The value at the end.
  ///   - duration: Seconds from the keyframe before; `nil` for the time in which the spring comes to rest. A
  ///     keyframe behind one that is shorter goes on from where the spring is.
  ///   - spring: The spring.
  ///   - startVelocity: The velocity at the beginning, per second; `nil` for that of the keyframe before.
  public init(
    _ to: Value, duration: Double? = nil, spring: Spring = Spring(), startVelocity: Value? = nil
  ) {
    steps = [
      KeyframeStep(
        to, duration: duration ?? spring.settlingDuration, .spring(spring, start: startVelocity))
    ]
  }
}

/// A keyframe that is there at once.
public struct MoveKeyframe<Value: Animatable>: KeyframeTrackContent {
  public let steps: [KeyframeStep<Value>]

  /// A keyframe.
  ///
  /// - Parameter to: The value.
  public init(_ to: Value) {
    steps = [KeyframeStep(to, duration: 0, .move)]
  }
}

// MARK: - The way

/// The way of a property through its keyframes.
struct KeyframePath<Value: Animatable> {
  typealias Data = Value.AnimatableData

  private struct Segment {
    let begin: Double
    let step: KeyframeStep<Value>
    let start: Data
    /// Per second.
    let startVelocity: Data
    let endVelocity: Data

    var target: Data { step.target.animatableData }

    func data(after time: Double) -> Data {
      let part = time / step.duration
      switch step.kind {
      case .move: return target
      case .linear(let curve):
        return start.interpolated(towards: target, amount: curve.value(at: part))
      case .spring(let spring, _):
        return start
          + spring.value(target: target - start, initialVelocity: startVelocity, time: time)
      case .cubic:
        // The cubic polynomial with these values and velocities at its ends.
        let (square, cube) = (part * part, part * part * part)
        let pull = startVelocity.scaled(by: (cube - 2 * square + part) * step.duration)
        let push = endVelocity.scaled(by: (cube - square) * step.duration)
        return start.interpolated(towards: target, amount: 3 * square - 2 * cube) + pull + push
      }
    }
  }

  private let initialValue: Value
  private var segments: [Segment] = []
  private(set) var duration = 0.0

  init(_ steps: [KeyframeStep<Value>], from initialValue: Value) {
    self.initialValue = initialValue
    var (start, velocity) = (initialValue.animatableData, Data.zero)
    for (index, step) in steps.enumerated() {
      let next = index + 1 < steps.count ? steps[index + 1] : nil
      let (first, last) = step.velocities(from: start, arriving: velocity, before: next)
      let segment = Segment(
        begin: duration, step: step, start: start, startVelocity: first, endVelocity: last)
      segments.append(segment)
      duration += step.duration
      velocity = last
      // A spring may not be at its target yet.
      start = step.duration > 0 ? segment.data(after: step.duration) : segment.target
      if step.isExact { start = segment.target }
    }
  }

  func value(at time: Double) -> Value {
    guard time > 0 || duration == 0, let last = segments.last else { return initialValue }
    guard time < duration else { return last.step.target }
    let segment =
      segments.first { time < $0.begin + $0.step.duration } ?? last
    var value = segment.step.target
    value.animatableData = segment.data(after: time - segment.begin)
    return value
  }
}

extension KeyframeStep {
  fileprivate typealias Data = Value.AnimatableData

  /// Whether the value at the end is the target, to the last bit.
  fileprivate var isExact: Bool {
    if case .spring = kind { false } else { true }
  }

  /// The velocities at the beginning and at the end, per second.
  ///
  /// - Parameters:
  ///   - start: The value at the beginning.
  ///   - velocity: The velocity at the end of the keyframe before.
  ///   - next: The keyframe behind.
  fileprivate func velocities(
    from start: Data, arriving velocity: Data, before next: KeyframeStep?
  ) -> (start: Data, end: Data) {
    let change = target.animatableData - start
    guard duration > 0 else { return (.zero, .zero) }
    switch kind {
    case .move:
      return (.zero, .zero)
    case .linear(let curve):
      let pace = change.scaled(by: 1 / duration)
      return (pace.scaled(by: curve.velocity(at: 0)), pace.scaled(by: curve.velocity(at: 1)))
    case .spring(let spring, let given):
      let first = given?.animatableData ?? velocity
      return (first, spring.velocity(target: change, initialVelocity: first, time: duration))
    case .cubic(let given, let end):
      return (
        given?.animatableData ?? velocity,
        end?.animatableData ?? next?.velocity(arrivingFrom: change, in: duration, at: target)
          ?? .zero
      )
    }
  }

  /// The velocity at the beginning of this keyframe, behind a cubic one.
  private func velocity(arrivingFrom change: Data, in time: Double, at start: Value) -> Data {
    let own = target.animatableData - start.animatableData
    switch kind {
    case .move: return .zero
    case .linear(let curve):
      return duration > 0 ? own.scaled(by: curve.velocity(at: 0) / duration) : .zero
    case .spring(_, let given): return given?.animatableData ?? .zero
    case .cubic(let given, _):
      return given?.animatableData ?? (change + own).scaled(by: 1 / (time + duration))
    }
  }
}
