// A place in the stage's tree where something can be under way.

import RondoAnimation

/// A place in the stage's tree where something can be under way.
class AnimatedSlot {
  /// The completions that wait for what is under way here. Each is held once.
  var waits: [Wait] = []

  /// Whether the stage looks after this slot.
  var isActive = false

  /// Whether the node has gone.
  var isDisposed = false

  /// A completion that waits for this slot.
  struct Wait {
    let completion: AnimationCompletion
    /// What says when the change counts as made; `nil` to wait until nothing is under way any more.
    let span: AnimationSpan?
    /// The place in the order in which all waits of a stage have begun.
    let order: Int
  }

  /// Forgets what cannot be seen any more, and says whether nothing is under way.
  func settle(at instant: Duration) -> Bool { true }
}

/// What has come of an update.
enum ChangeOutcome {
  case unchanged
  /// Nothing that can move has changed.
  case jumped
  /// What can move has changed, without an animation.
  case moved(whileAnimating: Bool)
  case animated(AnimationSpan)
}

/// A value of which a part moves.
struct AnimatedModel<Value: Animatable & Equatable> {
  private(set) var value: Value
  /// `nil` while the value is what shows.
  private var data: AnimatedValue<Value.AnimatableData>?

  init(_ value: Value) {
    self.value = value
  }

  mutating func update(
    _ newValue: Value,
    animation: Animation?,
    at instant: Duration
  ) -> ChangeOutcome {
    guard newValue != value else { return .unchanged }
    let (old, new) = (value.animatableData, newValue.animatableData)
    value = newValue
    guard new != old else { return .jumped }
    guard animation != nil || data != nil else { return .moved(whileAnimating: false) }
    var data = self.data ?? AnimatedValue(old)
    let span = data.set(new, animation: animation, at: instant)
    self.data = data.isAnimating(at: instant) ? data : nil
    return span.map { .animated($0) } ?? .moved(whileAnimating: self.data != nil)
  }

  /// What shows at an instant; the value itself if there is none.
  func shown(at instant: Duration?) -> Value {
    guard let data, let instant else { return value }
    var shown = value
    shown.animatableData = data.value(at: instant)
    return shown
  }

  mutating func settle(at instant: Duration) -> Bool {
    guard data?.isAnimating(at: instant) == true else {
      data = nil
      return true
    }
    data?.removeFinished(at: instant)
    return false
  }
}

// MARK: - Effects

/// The place of an effect.
class EffectSlot: AnimatedSlot {
  /// Takes over a new effect of the same type.
  func update(_ effect: any VisualEffect, animation: Animation?, at instant: Duration)
    -> ChangeOutcome
  {
    .unchanged
  }

  /// Applies what shows of the effect at an instant, or what it is if there is none.
  func apply(at instant: Duration?, to appearance: inout Appearance) {}

  func accepts(_ effect: any VisualEffect) -> Bool { false }

  var label: String { "" }

  /// The place of an effect that has just come.
  static func make(_ effect: some VisualEffect) -> EffectSlot {
    TypedEffectSlot(effect)
  }
}

private final class TypedEffectSlot<E: VisualEffect>: EffectSlot {
  private var model: AnimatedModel<E>

  init(_ effect: E) {
    model = AnimatedModel(effect)
  }

  override func accepts(_ effect: any VisualEffect) -> Bool { effect is E }

  override var label: String { model.value.label }

  override func update(
    _ effect: any VisualEffect,
    animation: Animation?,
    at instant: Duration
  ) -> ChangeOutcome {
    guard let effect = effect as? E else { return .unchanged }
    return model.update(effect, animation: animation, at: instant)
  }

  override func apply(at instant: Duration?, to appearance: inout Appearance) {
    model.shown(at: instant).apply(to: &appearance)
  }

  override func settle(at instant: Duration) -> Bool {
    model.settle(at: instant)
  }
}

// MARK: - Shapes

/// The place of a shape.
class ShapeSlot: AnimatedSlot {
  /// Takes over a new shape of the same type.
  func update(_ shape: any Shape, animation: Animation?, at instant: Duration) -> ChangeOutcome {
    .unchanged
  }

  /// The shape as it shows at an instant, or as it is if there is none.
  func shape(at instant: Duration?) -> any Shape { Rectangle() }

  func accepts(_ shape: any Shape) -> Bool { false }

  static func make(_ shape: some Shape) -> ShapeSlot {
    TypedShapeSlot(shape)
  }
}

private final class TypedShapeSlot<S: Shape>: ShapeSlot {
  private var model: AnimatedModel<S>

  init(_ shape: S) {
    model = AnimatedModel(shape)
  }

  override func accepts(_ shape: any Shape) -> Bool { shape is S }

  override func update(
    _ shape: any Shape,
    animation: Animation?,
    at instant: Duration
  ) -> ChangeOutcome {
    guard let shape = shape as? S else { return .unchanged }
    return model.update(shape, animation: animation, at: instant)
  }

  override func shape(at instant: Duration?) -> any Shape {
    model.shown(at: instant)
  }

  override func settle(at instant: Duration) -> Bool {
    model.settle(at: instant)
  }
}

// MARK: - Matched geometry

/// How far a node is shown from where it is, because it is matched with another one.
final class GeometrySlot: AnimatedSlot {
  typealias Offset = AnimatableVector<SIMD4<Double>>

  private var offset: AnimatedValue<Offset>

  init(_ offset: Offset) {
    self.offset = AnimatedValue(offset)
  }

  func update(_ target: Offset, animation: Animation?, at instant: Duration) -> AnimationSpan? {
    offset.set(target, animation: animation, at: instant)
  }

  func apply(at instant: Duration?, to appearance: inout Appearance) {
    let vector = (instant.map { offset.value(at: $0) } ?? offset.model).vector
    appearance.move(x: vector[0], y: vector[1])
    let scale = appearance.scale
    if scale.x != 0 { appearance.size.width += vector[2] / scale.x }
    if scale.y != 0 { appearance.size.height += vector[3] / scale.y }
  }

  /// Where the offset leads in the end.
  var model: Offset { offset.model }

  override func settle(at instant: Duration) -> Bool {
    offset.removeFinished(at: instant)
    return !offset.isAnimating(at: instant)
  }
}
