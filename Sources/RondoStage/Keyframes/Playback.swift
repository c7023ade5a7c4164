// Keyframes and phases that play by themselves: once for each change of a trigger, or again and again.

import RondoAnimation

/// Keyframes or phases that a layer plays by itself.
struct Playback {
  /// The call that makes it.
  let label: String
  /// The value whose changes begin a run; `nil` for what begins when the node comes.
  let trigger: (any Equatable)?
  /// The body before the first run.
  let rest: Node
  /// Begins a run from what is to be seen of an earlier one.
  let begin: (_ earlier: Earlier?) -> Run

  struct Earlier {
    let run: Run
    /// Seconds since it has begun.
    let time: Double
  }

  struct Run {
    /// In seconds; infinite for one that repeats.
    let duration: Double
    /// The body at a time.
    let body: (_ time: Double) -> Node
    /// The value at a time. The next run goes on from it, if its type fits.
    let value: (_ time: Double) -> Any
  }
}

/// The place of what plays by itself.
final class PlaybackSlot: LayerSlot {
  private var playback: Playback
  private var run: (begin: Duration, run: Playback.Run)?
  /// The body that the last run has ended with.
  private var last: Playback.Run?

  init(_ playback: Playback) {
    self.playback = playback
  }

  override func begin(_ transaction: Transaction, at instant: Duration) -> AnimationSpan? {
    playback.trigger == nil && !transaction.reducesMotion ? start(at: instant) : nil
  }

  override func update(_ layer: Node.Layer, _ transaction: Transaction, at instant: Duration)
    -> ChangeOutcome
  {
    guard let playback = layer.playback else { return .unchanged }
    let hasChanged = playback.trigger.map { !$0.equals(self.playback.trigger) } ?? false
    self.playback = playback
    guard hasChanged, !transaction.reducesMotion else { return .unchanged }
    return start(at: instant).map { .animated($0) } ?? .moved(whileAnimating: false)
  }

  private func start(at instant: Duration) -> AnimationSpan? {
    let earlier = run.map { Playback.Earlier(run: $0.run, time: (instant - $0.begin).seconds) }
    let run = playback.begin(earlier ?? last.map { Playback.Earlier(run: $0, time: .infinity) })
    guard run.duration > 0 else {
      (self.run, last) = (nil, run)
      return nil
    }
    self.run = (instant, run)
    return AnimationSpan(begin: instant, duration: run.duration, logicalDuration: run.duration)
  }

  override func body(at instant: Duration) -> Node {
    run.map { $0.run.body(max(0, (instant - $0.begin).seconds)) } ?? bodyAtRest ?? playback.rest
  }

  override var bodyAtRest: Node? { last?.body(.infinity) }

  override func settle(at instant: Duration) -> Bool {
    guard let run else { return true }
    guard (instant - run.begin).seconds >= run.run.duration else { return false }
    (self.run, last) = (nil, run.run)
    return true
  }

  override var motion: Motion? {
    run.map { begin, run in
      Motion(
        property: String(playback.label.dropFirst().prefix { $0 != "(" }), from: "0 s",
        to: run.duration.isFinite ? "\(spelling(of: run.duration)) s" : "for ever",
        animation: .linear(duration: run.duration),
        span: AnimationSpan(begin: begin, duration: run.duration, logicalDuration: run.duration))
    }
  }
}

extension Equatable {
  fileprivate func equals(_ other: (any Equatable)?) -> Bool { (other as? Self) == self }
}

extension View {
  fileprivate func playing(_ type: Any.Type, _ playback: (Node) -> Playback) -> Node {
    var content = node
    let identity = content.identity
    content.identity = []
    var layer = Node(.layer(Node.Layer(playback(content), type: type, content: content)))
    layer.identity = identity
    return layer
  }
}

// MARK: - Phases

extension View {
  /// Shows the node in several phases one after another, again and again, from when it comes.
  ///
  /// ```swift
  /// Node.text("♥").phaseAnimator([1.0, 1.5]) { heart, size in
  ///   heart.scale(size)
  /// } animation: { _ in
  ///   .easeInOut(duration: 0.4)
  /// }
  /// ```
  ///
  /// What differs between two phases moves: effects and shapes that are in the same places. Each phase follows
  /// when the animation of the one before is logically complete.
  ///
  /// - Parameters:
  ///   - phases: The phases. Nothing plays if there is only one.
  ///   - content: The node in a phase.
  ///   - animation: The animation towards a phase; `nil` for at once.
  public func phaseAnimator<Phase: Equatable>(
    _ phases: some Sequence<Phase>,
    @NodeBuilder content: @escaping (_ node: Node, _ phase: Phase) -> Node,
    animation: @escaping (_ phase: Phase) -> Animation? = { _ in .default }
  ) -> Node {
    playing(Phases<Phase>.self) { node in
      let phases = Phases(Array(phases), node, content, animation)
      return phases.playback(label: ".phaseAnimator", trigger: nil)
    }
  }

  /// Shows the node in several phases one after another, and then in the first one again, when a value has
  /// changed.
  ///
  /// - Parameters:
  ///   - phases: The phases. The first one shows until the value changes.
  ///   - trigger: The value to watch.
  ///   - content: The node in a phase.
  ///   - animation: The animation towards a phase; `nil` for at once.
  public func phaseAnimator<Phase: Equatable>(
    _ phases: some Sequence<Phase>,
    trigger: some Equatable,
    @NodeBuilder content: @escaping (_ node: Node, _ phase: Phase) -> Node,
    animation: @escaping (_ phase: Phase) -> Animation? = { _ in .default }
  ) -> Node {
    playing(Phases<Phase>.self) { node in
      let phases = Phases(Array(phases), node, content, animation)
      return phases.playback(label: ".phaseAnimator(trigger: \(trigger))", trigger: trigger)
    }
  }
}

/// The phases of a node.
private struct Phases<Phase> {
  /// The greatest number of phases that are seen at once.
  private static var movingLimit: Int { 100 }

  private let phases: [Phase]
  private let node: Node
  private let content: (Node, Phase) -> Node
  /// The animations towards the phases.
  private let animations: [Animation?]
  /// The times at which they begin, from the first phase through all others and back.
  private var begins: [Double] = []
  /// Seconds until the first phase follows again.
  private var period = 0.0

  init(
    _ phases: [Phase], _ node: Node, _ content: @escaping (Node, Phase) -> Node,
    _ animation: (Phase) -> Animation?
  ) {
    self.phases = phases
    self.node = node
    self.content = content
    animations = phases.map(animation)
    for step in phases.indices {
      begins.append(period)
      period += animations[(step + 1) % phases.count]?.logicalDuration ?? 0
    }
  }

  func playback(label: String, trigger: (any Equatable)?) -> Playback {
    Playback(
      label: label, trigger: trigger, rest: body(phases.first),
      begin: { earlier in
        let start = earlier.map { $0.run.body($0.time) } ?? body(phases.first)
        let steps = trigger == nil ? Int.max : phases.count
        return Playback.Run(
          duration: duration(repeats: trigger == nil),
          body: { body(at: $0, from: start, steps: steps) }, value: { _ in () })
      })
  }

  private func duration(repeats: Bool) -> Double {
    guard phases.count > 1, period > 0 else { return 0 }
    guard !repeats else { return .infinity }
    return phases.indices.reduce(0) { max($0, begins[$1] + (animation(of: $1)?.duration ?? 0)) }
  }

  private func body(_ phase: Phase?) -> Node { phase.map { content(node, $0) } ?? node }

  /// The animation of a step, counted from the first.
  private func animation(of step: Int) -> Animation? { animations[(step + 1) % phases.count] }

  private func begin(of step: Int) -> Double {
    // A round with an animation that does not end is the only one.
    step < phases.count
      ? begins[step] : Double(step / phases.count) * period + begins[step % phases.count]
  }

  private func body(at time: Double, from start: Node, steps: Int) -> Node {
    guard time < .infinity, phases.count > 1, period > 0 else { return body(phases.first) }
    // The step that has begun last, at most one before the one that the quotient says.
    let rounds = Int(min((time / period).rounded(.down), 0x1p40))
    var step = min(rounds * phases.count + phases.count, steps - 1)
    while step > 0, begin(of: step) > time { step -= 1 }
    // Those before that can still be seen, the newest first. Of animations without an end there may be any number.
    var moving: [(phase: Phase, amount: Double)] = []
    var base: Node?
    while step >= 0, base == nil {
      let phase = phases[(step + 1) % phases.count]
      let sample = animation(of: step)?.sample(at: time - begin(of: step))
      if let sample, !sample.isFinished, moving.count < Self.movingLimit {
        moving.append((phase, sample.value))
      } else {
        base = body(phase)
      }
      step -= 1
    }
    return moving.reversed().reduce(base ?? start) {
      $0.blended(with: body($1.phase), amount: $1.amount)
    }
  }
}

// MARK: - Keyframes

extension View {
  /// Shows the node as keyframes say, again and again or once, from when it comes.
  ///
  /// ```swift
  /// Node.text("!").keyframeAnimator(initialValue: 0.0) { mark, height in
  ///   mark.offset(y: height)
  /// } keyframes: { _ in
  ///   CubicKeyframe(-3, duration: 0.2)
  ///   SpringKeyframe(0, spring: .bouncy)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - initialValue: The value at the beginning.
  ///   - repeating: Whether it begins again at its end.
  ///   - content: The node for a value.
  ///   - keyframes: The keyframes from a value on, see ``KeyframeTimeline``.
  public func keyframeAnimator<Value>(
    initialValue: Value,
    repeating: Bool = true,
    @NodeBuilder content: @escaping (_ node: Node, _ value: Value) -> Node,
    @KeyframesBuilder<Value> keyframes: @escaping (_ value: Value) -> some Keyframes<Value>
  ) -> Node {
    playing(KeyframeTimeline<Value>.self) { node in
      Playback(
        label: ".keyframeAnimator", trigger: nil, rest: content(node, initialValue),
        begin: { _ in
          let timeline = KeyframeTimeline(initialValue: initialValue) { keyframes(initialValue) }
          return timeline.run(repeats: repeating) { content(node, $0) }
        })
    }
  }

  /// Shows the node as keyframes say when a value has changed.
  ///
  /// A run that begins while another one plays goes on from the value of that one.
  ///
  /// - Parameters:
  ///   - initialValue: The value before the first run.
  ///   - trigger: The value to watch.
  ///   - content: The node for a value.
  ///   - keyframes: The keyframes from a value on, see ``KeyframeTimeline``.
  public func keyframeAnimator<Value>(
    initialValue: Value,
    trigger: some Equatable,
    @NodeBuilder content: @escaping (_ node: Node, _ value: Value) -> Node,
    @KeyframesBuilder<Value> keyframes: @escaping (_ value: Value) -> some Keyframes<Value>
  ) -> Node {
    playing(KeyframeTimeline<Value>.self) { node in
      Playback(
        label: ".keyframeAnimator(trigger: \(trigger))", trigger: trigger,
        rest: content(node, initialValue),
        begin: { earlier in
          let start = earlier.flatMap { $0.run.value($0.time) as? Value } ?? initialValue
          let timeline = KeyframeTimeline(initialValue: start) { keyframes(start) }
          return timeline.run(repeats: false) { content(node, $0) }
        })
    }
  }
}

extension KeyframeTimeline {
  fileprivate func run(repeats: Bool, _ body: @escaping (Value) -> Node) -> Playback.Run {
    func value(_ time: Double) -> Value {
      guard repeats, duration > 0, time.isFinite else { return self.value(time: time) }
      return self.value(time: time.truncatingRemainder(dividingBy: duration))
    }
    return Playback.Run(
      duration: repeats && duration > 0 ? .infinity : duration, body: { body(value($0)) },
      value: value)
  }
}
