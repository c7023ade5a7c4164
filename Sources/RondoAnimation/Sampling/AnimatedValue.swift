// A value that is one thing and shows another, until its animations are over.

/// A value whose presentation lags behind its model.
///
/// Setting it changes the model at once. What shows moves there by the animation, and goes on from
/// where it is when the value is set again on the way:
///
/// ```swift
/// var x = AnimatedValue(0.0)
/// x.set(100, animation: .linear(duration: 1), at: .zero)
/// x.model                             // 100
/// x.value(at: .milliseconds(250))     // 25
/// x.set(0, animation: .linear(duration: 1), at: .milliseconds(500))
/// x.value(at: .milliseconds(750))     // 56.25
/// x.value(at: .milliseconds(1_500))   // 0
/// ```
///
/// Numbers, pairs of numbers and vectors of four, such as rectangles and colours, have code of their own.
/// Other types go through code for all types, which takes many times as long.
///
/// It is a plain value without a clock. Instants are durations since any origin that stays the same,
/// and reading one is pure: whether the instants before have been read makes no difference.
///
/// A spring takes over the value and the velocity that it finds. A curve knows no velocity; it fades
/// over from the motion that it finds, which goes on beneath it: with the progress f of the new
/// curve, `old(t) + (target − old(t))·f`.
///
/// That is also what a spring that is set again adds up to: the effects of both, as long as they are the same
/// spring. Another spring goes on from value and velocity.
///
/// An animation without an end is stopped by the next change of the value. A change without an
/// animation stops it at once, and the model shows. An animation that ends takes over from it as
/// from any other. Another animation without an end takes over where the value is, and the one
/// before it stands still.
///
/// A custom animation may go on in the place of one of its own type, see
/// ``CustomAnimation/shouldMerge(previous:value:time:context:)``.
public struct AnimatedValue<Value: VectorArithmetic> {
  /// The value itself. The presentation is there when nothing is animating.
  public private(set) var model: Value

  /// The value that shows beneath the motions.
  private var base: Value

  /// The animations in progress, the oldest first. Each builds on what the ones before it show.
  private var motions: [Motion] = []

  /// When the newest animation runs; `nil` where there is none.
  ///
  /// It is asked again and again, for every value of every frame. To look into `motions` for it would take
  /// unspecialized code many times as long.
  private var newest: Course?

  /// A value that shows what it is.
  public init(_ model: Value) {
    self.model = model
    self.base = model
  }

  /// Sets the value without an animation: the model moves.
  ///
  /// A presentation that is on its way moves along by as much, and what was left of its way goes on
  /// to decay.
  public mutating func set(_ newValue: Value) {
    let shift = newValue - model
    model = newValue
    if newest?.isEndless == true { removeMotions() }
    base = motions.isEmpty ? newValue : base + shift
    for index in motions.indices {
      motions[index].shift(by: shift)
    }
    // Shifting rounds; what shows in the end is the model.
    if let last = motions.indices.last { motions[last].target = newValue }
  }

  /// Sets the value, to be shown with an animation from an instant on.
  ///
  /// Setting what the value is already does nothing.
  ///
  /// - Parameters:
  ///   - newValue: What the value is from now on.
  ///   - animation: How it is shown; `nil` is ``set(_:)``.
  ///   - instant: When the animation begins.
  /// - Returns: When the animation will be over, and when it will count as complete; `nil` if none
  ///   has begun.
  @discardableResult
  @specialized(where Value == Double)
  @specialized(where Value == AnimatablePair<Double, Double>)
  @specialized(where Value == AnimatableVector<SIMD4<Double>>)
  public mutating func set(
    _ newValue: Value,
    animation: Animation?,
    at instant: Duration
  ) -> AnimationSpan? {
    guard newValue != model else { return nil }
    guard let animation else {
      set(newValue)
      return nil
    }
    removeFinished(at: instant)
    if let span = merge(animation, to: newValue, at: instant) { return span }
    let motion = Motion(of: self, to: newValue, animation: animation, at: instant)
    if motion.isEndless, motion.takeover == nil {
      // Nothing ever hides what is beneath it, so motions would pile up there.
      base = value(at: instant)
      removeMotions()
    }
    model = newValue
    guard motion.duration > 0, !(motion.isEndless && motion.repeatsNothing(over: base)) else {
      removeMotions()
      base = newValue
      return nil
    }
    newest = Course(begin: instant, duration: motion.duration, isAlone: motions.isEmpty)
    motions.append(motion)
    return AnimationSpan(
      begin: instant,
      duration: motion.duration,
      logicalDuration: min(motion.duration, animation.form.logicalDuration)
    )
  }

  /// The value that shows at an instant.
  ///
  /// Complexity: O(*n*) in the number of animations that have taken over from one another and are
  /// not over.
  @specialized(where Value == Double)
  @specialized(where Value == AnimatablePair<Double, Double>)
  @specialized(where Value == AnimatableVector<SIMD4<Double>>)
  public func value(at instant: Duration) -> Value {
    guard newest != nil else { return model }
    // Not `reduce`, whose closures and iterators unspecialized code has to look up each time.
    var value = base
    for index in 0..<motions.count {
      value = motions[index].value(over: value, at: instant)
    }
    return value
  }

  /// The velocity of the value that shows at an instant, per second.
  public func velocity(at instant: Duration) -> Value {
    presentation(at: instant).velocity
  }

  /// Whether an animation is in progress at an instant.
  public func isAnimating(at instant: Duration) -> Bool {
    newest.map { !$0.isFinished(at: instant) } ?? false
  }

  /// Forgets the animations that cannot be seen any more at an instant or later.
  @specialized(where Value == Double)
  @specialized(where Value == AnimatablePair<Double, Double>)
  @specialized(where Value == AnimatableVector<SIMD4<Double>>)
  public mutating func removeFinished(at instant: Duration) {
    guard let newest, !newest.isAlone || newest.isFinished(at: instant),
      let index = motions.lastIndex(where: { $0.hides(at: instant) })
    else { return }
    if motions[index].isFinished(at: instant) {
      base = motions[index].target
      motions.removeFirst(index + 1)
    } else {
      motions.removeFirst(index)
    }
    if motions.isEmpty {
      self.newest = nil
    } else {
      self.newest?.isAlone = motions.count == 1
    }
  }

  /// Lets a custom animation go on in the place of the newest one, if it wants to.
  private mutating func merge(
    _ animation: Animation, to newValue: Value, at instant: Duration
  ) -> AnimationSpan? {
    guard case .custom(let custom) = animation.form.base, let last = motions.indices.last,
      motions[last].isMergeable(with: animation)
    else { return nil }
    var motion = motions[last]
    let beneath = motions[..<last].reduce(base) { $1.value(over: $0, at: instant) }
    let elapsed = (instant - motion.begin).seconds
    let merge = Motion.Merge(
      previous: motion.animation, value: motion.target - beneath, time: elapsed)
    motion.animation = animation
    motion.merges.append(merge)
    var context = AnimationContext<Value>()
    guard motion.merges.count == motion.merge(into: &context) else { return nil }
    motion.target = newValue
    motion.duration = custom.base.duration(of: newValue - beneath, from: elapsed, context)
    guard motion.duration > elapsed else { return nil }
    motions[last] = motion
    model = newValue
    newest = Course(begin: motion.begin, duration: motion.duration, isAlone: motions.count == 1)
    let rest = motion.duration - elapsed
    return AnimationSpan(begin: instant, duration: rest, logicalDuration: rest)
  }

  private mutating func removeMotions() {
    motions = []
    newest = nil
  }

  /// The newest animation in progress, and the value that it has begun at.
  package var inProgress: (animation: Animation, span: AnimationSpan, start: Value)? {
    motions.last.map { motion in
      let span = AnimationSpan(
        begin: motion.begin, duration: motion.duration,
        logicalDuration: min(motion.duration, motion.animation.form.logicalDuration))
      return (motion.animation, span, value(at: motion.begin))
    }
  }

  /// The value and its velocity.
  fileprivate func presentation(at instant: Duration) -> (value: Value, velocity: Value) {
    motions.reduce((base, .zero)) { $1.presentation(over: $0, at: instant) }
  }
}

extension AnimatedValue: Sendable where Value: Sendable {}
extension AnimatedValue.Motion: Sendable where Value: Sendable {}
extension AnimatedValue.Motion.Takeover: Sendable where Value: Sendable {}
extension AnimatedValue.Motion.Merge: Sendable where Value: Sendable {}

/// When an animation runs.
private struct Course: Hashable, Sendable {
  let begin: Duration
  /// Seconds.
  let duration: Double
  /// Whether there is no older animation beneath it.
  var isAlone: Bool

  var isEndless: Bool { duration == .infinity }

  func isFinished(at instant: Duration) -> Bool { (instant - begin).seconds >= duration }
}

/// From when to when an animation runs.
public struct AnimationSpan: Hashable, Sendable {
  /// When it begins.
  public var begin: Duration

  /// Seconds until it is over; infinite if it does not end.
  public var duration: Double

  /// Seconds until its change counts as made.
  public var logicalDuration: Double

  package init(begin: Duration, duration: Double, logicalDuration: Double) {
    (self.begin, self.duration, self.logicalDuration) = (begin, duration, logicalDuration)
  }
}

// MARK: - One animation in progress

extension AnimatedValue {
  /// One animation on its way to a target, over whatever shows beneath it.
  fileprivate struct Motion {
    var animation: Animation
    let begin: Duration
    /// Seconds.
    var duration: Double
    var target: Value
    /// The animations that the custom one has replaced, the oldest first.
    var merges: [Merge] = []
    /// The state in which a spring has taken over; `nil` for a curve.
    var takeover: Takeover?

    struct Takeover {
      /// Seconds since `begin`, which is later with a delay.
      let time: Double
      var value: Value
      let velocity: Value
    }

    /// A custom animation that another one has taken the place of.
    struct Merge {
      let previous: Animation
      /// The whole change of it.
      let value: Value
      /// Seconds since `begin`.
      let time: Double
    }

    init(of animated: AnimatedValue, to target: Value, animation: Animation, at instant: Duration) {
      self.animation = animation
      self.begin = instant
      self.target = target
      guard animation.form.hasMomentum else {
        let change = target - animated.value(at: instant)
        duration = animation.form.duration(of: change, velocity: .zero)
        return
      }
      let leadIn = min(animation.form.leadIn, 0x1p30)
      let found = animated.presentation(at: instant + .seconds(leadIn))
      takeover = Takeover(time: leadIn, value: found.value, velocity: found.velocity)
      duration = animation.form.duration(of: target - found.value, velocity: found.velocity)
    }

    mutating func shift(by offset: Value) {
      target += offset
      takeover?.value += offset
    }

    /// Whether an animation is of the same type of custom animations, and neither has modifiers.
    func isMergeable(with other: Animation) -> Bool {
      guard case .custom(let custom) = animation.form.base,
        case .custom(let theirs) = other.form.base
      else { return false }
      return type(of: custom.base) == type(of: theirs.base) && animation.form.modifiers.isEmpty
        && other.form.modifiers.isEmpty
    }

    /// Lets each animation in turn write what it merges with into a context.
    ///
    /// - Returns: How many merge before one does not.
    func merge(into context: inout AnimationContext<Value>) -> Int {
      for (index, merge) in merges.enumerated() {
        let next = index + 1 < merges.count ? merges[index + 1].previous : animation
        guard
          next.base.shouldMerge(
            previous: merge.previous, value: merge.value, time: merge.time, context: &context)
        else { return index }
      }
      return merges.count
    }

    /// The context that the custom animation is asked with. It is made anew from what has merged, so that no question
    /// changes the answer to another one.
    private var context: AnimationContext<Value> {
      var context = AnimationContext<Value>()
      if !merges.isEmpty { _ = merge(into: &context) }
      return context
    }

    var isEndless: Bool { duration == .infinity }

    /// Whether there is no way to the target, and no velocity: nothing would ever be seen of it.
    func repeatsNothing(over base: Value) -> Bool {
      guard let takeover else { return base == target }
      return takeover.value == target && takeover.velocity == .zero
    }

    func isFinished(at instant: Duration) -> Bool {
      (instant - begin).seconds >= duration
    }

    /// Whether nothing shows of what is beneath.
    func hides(at instant: Duration) -> Bool {
      let time = (instant - begin).seconds
      return time >= duration || takeover.map { time >= $0.time } ?? false
    }

    func value(over beneath: Value, at instant: Duration) -> Value {
      let time = (instant - begin).seconds
      guard time < duration else { return target }
      guard let takeover else {
        guard merges.isEmpty else {
          return beneath + animation.form.part(of: target - beneath, at: time, context)
        }
        return beneath + animation.form.part(of: target - beneath, at: time)
      }
      guard time >= takeover.time else { return beneath }
      let response = animation.form.response(at: time)
      return takeover.value
        + (target - takeover.value).scaled(by: response.value)
        + takeover.velocity.scaled(by: response.velocityResponse)
    }

    func presentation(
      over beneath: (value: Value, velocity: Value),
      at instant: Duration
    ) -> (value: Value, velocity: Value) {
      let time = (instant - begin).seconds
      let value = value(over: beneath.value, at: instant)
      guard time < duration else { return (value, .zero) }
      guard let takeover else {
        let context = context
        let fading = beneath.velocity - animation.form.part(of: beneath.velocity, at: time, context)
        return (
          value, fading + animation.form.speed(of: target - beneath.value, at: time, context)
        )
      }
      guard time >= takeover.time else { return beneath }
      let response = animation.form.response(at: time)
      let velocity =
        (target - takeover.value).scaled(by: response.velocity)
        + takeover.velocity.scaled(by: response.velocityResponseRate)
      return (value, velocity)
    }
  }
}
