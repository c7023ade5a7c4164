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
    /// The span that says when the change counts as made; `nil` to wait until nothing is under way any more.
    let span: AnimationSpan?
    /// The place in the order in which all waits of a stage have begun.
    let order: Int
  }

  /// Forgets what cannot be seen any more, and says whether nothing is under way.
  func settle(at instant: Duration) -> Bool { true }

  /// The animation that has not ended, if there is one.
  var motion: Motion? { nil }

  /// An animation of a slot that has not ended.
  struct Motion {
    let property: String
    let from: String
    let to: String
    let animation: Animation
    let span: AnimationSpan
  }
}

/// The outcome of an update.
enum ChangeOutcome {
  case unchanged
  /// Nothing that can move has changed.
  case jumped
  /// The part that can move has changed, without an animation.
  case moved(whileAnimating: Bool)
  case animated(AnimationSpan)
  /// The node would have moved, and fades instead.
  case faded(AnimationSpan)
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

  /// The value that shows at an instant; the value itself if there is none.
  func shown(at instant: Duration?) -> Value {
    guard let instant, let data = data?.value(at: instant) else { return value }
    var shown = value
    shown.animatableData = data
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

  /// The animation that has not ended, if there is one.
  func motion(_ property: String, _ describe: (Value) -> String) -> AnimatedSlot.Motion? {
    data?.inProgress.map { progress in
      var start = value
      start.animatableData = progress.start
      return AnimatedSlot.Motion(
        property: property, from: describe(start), to: describe(value),
        animation: progress.animation, span: progress.span)
    }
  }
}

/// A change that is not seen to move: what was there fades out, then what is there now fades in.
struct Crossfade<Value> {
  private(set) var old: Value
  /// 0 while the old value is there, 1 once the new one is.
  private var amount = AnimatedValue(0.0)
  /// The span of the newest fade.
  private var span: AnimationSpan?

  init(_ old: Value) {
    self.old = old
  }

  /// Begins to fade, from what can be seen.
  ///
  /// - Returns: The span of the fade at the end of which the new value is there. It may have begun before,
  ///   for a value that has never been seen.
  mutating func change(from value: Value, with animation: Animation, at instant: Duration)
    -> AnimationSpan?
  {
    let shown = amount.value(at: instant)
    if amount.isAnimating(at: instant) {
      // The first half is not over: the old value goes on going.
      guard shown >= 0.5 else { return span }
      amount = AnimatedValue(1 - min(shown, 1))
    } else {
      amount = AnimatedValue(0)
    }
    old = value
    span = amount.set(1, animation: animation, at: instant)
    return span
  }

  /// The old value if it is still to be seen, how opaque what is seen is, and how far the fade has come.
  func shown(at instant: Duration) -> (old: Value?, opacity: Double, amount: Double) {
    let amount = min(max(amount.value(at: instant), 0), 1)
    return amount < 0.5 ? (old, 1 - 2 * amount, amount) : (nil, 2 * amount - 1, amount)
  }

  /// Forgets what is over, and says whether nothing is under way.
  mutating func settle(at instant: Duration) -> Bool {
    amount.removeFinished(at: instant)
    return !amount.isAnimating(at: instant)
  }

  /// The animation that has not ended, if there is one.
  func motion(_ property: String, _ from: String, _ to: String) -> AnimatedSlot.Motion? {
    amount.inProgress.map {
      AnimatedSlot.Motion(
        property: property, from: from, to: to, animation: $0.animation, span: $0.span)
    }
  }
}

// MARK: - Effects

/// The place of an effect.
class EffectSlot: AnimatedSlot {
  /// Whether a change fades that would have moved. Asked for every frame, and so not left to generic code.
  final var isFading = false

  /// Takes over a new effect of the same type.
  func update(_ effect: any VisualEffect, _ transaction: Transaction, at instant: Duration)
    -> ChangeOutcome
  {
    .unchanged
  }

  /// Applies what shows of the effect at an instant, or what it is if there is none.
  func apply(at instant: Duration?, to appearance: inout Appearance) {}

  func accepts(_ effect: any VisualEffect) -> Bool { false }

  /// Whether an effect is the one that this place leads to.
  func leads(to effect: any VisualEffect) -> Bool { false }

  var label: String { "" }

  /// The place of an effect that has just come.
  static func make(_ effect: some VisualEffect) -> EffectSlot {
    TypedEffectSlot(effect)
  }
}

// The most common effects have code of their own, because every frame asks for each of them.
private final class TypedEffectSlot<E: VisualEffect>: EffectSlot {
  private var model: AnimatedModel<E>
  /// Set while a change fades that would have moved.
  private var fade: Crossfade<E>?

  init(_ effect: E) {
    model = AnimatedModel(effect)
  }

  override func accepts(_ effect: any VisualEffect) -> Bool { effect is E }

  override func leads(to effect: any VisualEffect) -> Bool { effect as? E == model.value }

  override var label: String { model.value.label }

  @specialized(where E == FrameEffect)
  @specialized(where E == OffsetEffect)
  @specialized(where E == OpacityEffect)
  @specialized(where E == ForegroundEffect)
  override func update(
    _ effect: any VisualEffect,
    _ transaction: Transaction,
    at instant: Duration
  ) -> ChangeOutcome {
    guard let effect = effect as? E else { return .unchanged }
    if let outcome = reduced(effect, transaction, at: instant) { return outcome }
    return model.update(effect, animation: transaction.animation, at: instant)
  }

  /// Takes over an effect without moving, if it would move and is not to.
  private func reduced(_ effect: E, _ transaction: Transaction, at instant: Duration)
    -> ChangeOutcome?
  {
    guard effect != model.value, let animation = transaction.animation, transaction.reducesMotion
    else { return nil }
    let old = model.shown(at: instant)
    let (before, after) = (old.place, effect.place)
    var middle = old
    middle.animatableData.interpolate(towards: effect.animatableData, amount: 0.5)
    guard before != after || middle.place != before else { return nil }
    model = AnimatedModel(effect)
    // A node that is back where it was has nothing to fade from.
    guard before != after else { return .moved(whileAnimating: false) }
    fade = fade ?? Crossfade(old)
    isFading = true
    return fade?.change(from: old, with: animation, at: instant).map { .faded($0) }
      ?? .moved(whileAnimating: false)
  }

  override var motion: Motion? {
    let property = String(label.drop { $0 == "." }.prefix { $0 != "(" })
    return fade?.motion(property, fade?.old.label ?? "", label)
      ?? model.motion(property, \.label)
  }

  @specialized(where E == FrameEffect)
  @specialized(where E == OffsetEffect)
  @specialized(where E == OpacityEffect)
  @specialized(where E == ForegroundEffect)
  override func apply(at instant: Duration?, to appearance: inout Appearance) {
    guard !isFading else { return applyFade(at: instant, to: &appearance) }
    model.shown(at: instant).apply(to: &appearance)
  }

  /// Kept out of the function above, which would look up the types of it each time.
  @inline(never)
  private func applyFade(at instant: Duration?, to appearance: inout Appearance) {
    guard let instant, let fade = fade?.shown(at: instant) else {
      return model.shown(at: instant).apply(to: &appearance)
    }
    (fade.old ?? model.shown(at: instant)).apply(to: &appearance)
    appearance.opacity *= fade.opacity
  }

  @specialized(where E == FrameEffect)
  @specialized(where E == OffsetEffect)
  @specialized(where E == OpacityEffect)
  @specialized(where E == ForegroundEffect)
  override func settle(at instant: Duration) -> Bool {
    if isFading, fade?.settle(at: instant) == true { (fade, isFading) = (nil, false) }
    return model.settle(at: instant) && !isFading
  }
}

extension VisualEffect {
  /// The place where the effect shows a square; its opacity and its colours are left out.
  fileprivate var place: Appearance {
    var appearance = Appearance()
    appearance.size = Size(width: 10, height: 10)
    apply(to: &appearance)
    appearance.opacity = 1
    (appearance.foreground, appearance.background, appearance.font) = (nil, nil, nil)
    return appearance
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

  /// Whether a shape is the one that this place leads to.
  func leads(to shape: any Shape) -> Bool { false }

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

  override func leads(to shape: any Shape) -> Bool { shape as? S == model.value }

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

  override var motion: Motion? { model.motion("shape") { "\($0)" } }

  override func settle(at instant: Duration) -> Bool {
    model.settle(at: instant)
  }
}

// MARK: - Modifiers

/// The place of a modifier of which a part moves.
class LayerSlot: AnimatedSlot {
  /// Takes over a new modifier of the same type, and the content that it is put around.
  func update(_ layer: Node.Layer, _ transaction: Transaction, at instant: Duration)
    -> ChangeOutcome
  {
    .unchanged
  }

  /// Begins what moves without a change, when the node has come.
  func begin(_ transaction: Transaction, at instant: Duration) -> AnimationSpan? { nil }

  /// The content with the modifier around it, as that shows at an instant.
  func body(at instant: Duration) -> Node { .empty }

  /// The content with the modifier around it while nothing moves, if that depends on what has moved.
  var bodyAtRest: Node? { nil }

  /// The opacity of the content while it fades in place of a movement; 1 otherwise.
  func opacity(at instant: Duration) -> Double { 1 }

  /// The place of a modifier that has just come; `nil` for one that cannot move.
  static func make(_ layer: Node.Layer) -> LayerSlot? {
    func typed(_ modifier: some NodeModifier & Animatable) -> LayerSlot {
      TypedLayerSlot(modifier, layer.content)
    }
    return layer.playback.map { PlaybackSlot($0) } ?? layer.animatable.map { typed($0) }
  }
}

private final class TypedLayerSlot<M: NodeModifier & Animatable>: LayerSlot {
  private var modifier: M
  private var content: Node
  private var data: AnimatedValue<M.AnimatableData>
  /// Set while a change fades that would have moved.
  private var fade: Crossfade<M.AnimatableData>?

  init(_ modifier: M, _ content: Node) {
    self.modifier = modifier
    self.content = content
    data = AnimatedValue(modifier.animatableData)
  }

  override func update(_ layer: Node.Layer, _ transaction: Transaction, at instant: Duration)
    -> ChangeOutcome
  {
    content = layer.content
    guard let modifier = layer.animatable as? M else { return .unchanged }
    self.modifier = modifier
    let new = modifier.animatableData
    guard new != data.model else { return .unchanged }
    if let animation = transaction.animation, transaction.reducesMotion {
      let old = data.value(at: instant)
      data = AnimatedValue(new)
      fade = fade ?? Crossfade(old)
      return fade?.change(from: old, with: animation, at: instant).map { .faded($0) }
        ?? .moved(whileAnimating: false)
    }
    let wasAnimating = data.isAnimating(at: instant)
    let span = data.set(new, animation: transaction.animation, at: instant)
    return span.map { .animated($0) } ?? .moved(whileAnimating: wasAnimating)
  }

  override func body(at instant: Duration) -> Node {
    body(for: fade?.shown(at: instant).old ?? data.value(at: instant))
  }

  private func body(for data: M.AnimatableData) -> Node {
    shown(data).body(content: content).node
  }

  private func shown(_ data: M.AnimatableData) -> M {
    var shown = modifier
    shown.animatableData = data
    return shown
  }

  override func opacity(at instant: Duration) -> Double { fade?.shown(at: instant).opacity ?? 1 }

  override func settle(at instant: Duration) -> Bool {
    if fade?.settle(at: instant) == true { fade = nil }
    data.removeFinished(at: instant)
    return !data.isAnimating(at: instant) && fade == nil
  }

  override var motion: Motion? {
    let (property, to) = ("\(M.self)", "\(modifier)")
    if let fade { return fade.motion(property, "\(shown(fade.old))", to) }
    return data.inProgress.map { progress in
      Motion(
        property: property, from: "\(shown(progress.start))", to: to,
        animation: progress.animation, span: progress.span)
    }
  }
}

// MARK: - Text

/// A text that fades into another one: first it goes, then the other one comes.
final class TextSlot: AnimatedSlot {
  private var fade: Crossfade<String>
  private var new: String
  /// The direction in which texts roll by: 1 for up, -1 for down, 0 for neither.
  private var direction = 0.0

  init(_ old: String) {
    fade = Crossfade(old)
    new = old
  }

  /// Begins to fade into another text, from what can be seen.
  ///
  /// - Returns: The span of the fade at the end of which that text is there.
  func change(
    from old: String, to new: String, direction: Double, with animation: Animation,
    at instant: Duration
  ) -> AnimationSpan? {
    self.new = new
    self.direction = direction
    return fade.change(from: old, with: animation, at: instant)
  }

  /// The old text if it is still to be seen, how opaque what is seen is, and how far it is below its place.
  func shown(at instant: Duration) -> (old: String?, opacity: Double, shift: Double) {
    let (old, opacity, amount) = fade.shown(at: instant)
    return (old, opacity, direction * (old == nil ? 1 - amount : -amount))
  }

  override func settle(at instant: Duration) -> Bool { fade.settle(at: instant) }

  override var motion: Motion? { fade.motion("text", fade.old, new) }
}

// MARK: - Matched geometry

/// The distance at which a node is shown from its place, because it is matched with another one.
final class GeometrySlot: AnimatedSlot {
  typealias Offset = AnimatableVector<SIMD4<Double>>

  private var offset: AnimatedValue<Offset>

  init(_ offset: Offset) {
    self.offset = AnimatedValue(offset)
  }

  /// The offset of a node that takes over the motion of another one.
  ///
  /// - Parameters:
  ///   - other: The offset of the other node, with what is under way.
  ///   - shift: The way from the place of this node to that of the other one.
  init(continuing other: GeometrySlot, shiftedBy shift: Offset) {
    offset = other.offset
    offset.set(offset.model + shift)
  }

  /// The distance at which the node is shown from its place.
  func offset(at instant: Duration) -> Offset { offset.value(at: instant) }

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

  override var motion: Motion? {
    offset.inProgress.map { progress in
      func spell(_ offset: Offset) -> String {
        var rect = Rect()
        rect.animatableData = offset
        return "\(rect)"
      }
      return Motion(
        property: "matchedGeometry", from: spell(progress.start), to: spell(offset.model),
        animation: progress.animation, span: progress.span)
    }
  }

  override func settle(at instant: Duration) -> Bool {
    offset.removeFinished(at: instant)
    return !offset.isAnimating(at: instant)
  }
}
