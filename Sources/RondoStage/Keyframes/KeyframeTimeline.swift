// A value over time, by the values that it has at certain times.

import RondoAnimation

/// A value over time, by the values that it has at certain times.
///
/// ```swift
/// struct Values {
///   var angle = Angle.zero
///   var scale = 1.0
/// }
///
/// let timeline = KeyframeTimeline(initialValue: Values()) {
///   KeyframeTrack(\.angle) {
///     CubicKeyframe(.degrees(30), duration: 0.25)
///     CubicKeyframe(.degrees(0), duration: 0.5)
///   }
///   KeyframeTrack(\.scale) {
///     LinearKeyframe(1.5, duration: 0.5)
///     SpringKeyframe(1, duration: 0.75, spring: .bouncy)
///   }
/// }
/// timeline.duration            // 1.25
/// timeline.value(time: 0.25)   // turned by 30 degrees, and half as large again
/// ```
///
/// It is a plain value without a clock. Of two tracks of the same property the later one wins.
public struct KeyframeTimeline<Value> {
  private let initialValue: Value
  private let courses: [KeyframeCourse<Value>]

  /// A timeline that begins with a value.
  ///
  /// - Parameters:
  ///   - initialValue: The value at the beginning.
  ///   - content: Tracks of its properties, or keyframes of the whole value.
  public init(
    initialValue: Value,
    @KeyframesBuilder<Value> content: () -> some Keyframes<Value>
  ) {
    self.initialValue = initialValue
    courses = content().courses(from: initialValue)
    duration = courses.reduce(0) { max($0, $1.duration) }
  }

  /// Seconds until the longest track has come to its end.
  public let duration: Double

  /// The value at a time. Before the beginning it is the initial one; behind the end of a track its
  /// property is as the last keyframe says.
  ///
  /// - Parameter time: Seconds since the beginning.
  public func value(time: Double) -> Value {
    courses.reduce(into: initialValue) { $1.apply(time, &$0) }
  }

  /// The value at a part of the duration.
  ///
  /// - Parameter progress: 0 for the beginning, 1 for the end.
  public func value(progress: Double) -> Value { value(time: progress * duration) }
}

/// Tracks of keyframes: a ``KeyframeTrack``, or several in a builder.
public protocol Keyframes<Value> {
  /// The type of the value that the tracks change.
  associatedtype Value

  /// The course of each property from a value on.
  func courses(from initialValue: Value) -> [KeyframeCourse<Value>]
}

/// The course of one property.
public struct KeyframeCourse<Value> {
  let duration: Double
  let apply: (_ time: Double, inout Value) -> Void
}

/// Keyframes of one property, one after another.
public struct KeyframeTrack<Root, Value: Animatable>: Keyframes {
  private let keyPath: WritableKeyPath<Root, Value>
  private let steps: [KeyframeStep<Value>]

  /// A track of a property.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - content: Its keyframes.
  public init(
    _ keyPath: WritableKeyPath<Root, Value>,
    @KeyframeTrackContentBuilder<Value> content: () -> [KeyframeStep<Value>]
  ) {
    self.keyPath = keyPath
    steps = content()
  }

  /// A track of the whole value.
  ///
  /// - Parameter content: Its keyframes.
  public init(
    @KeyframeTrackContentBuilder<Root> content: () -> [KeyframeStep<Root>]
  ) where Root == Value {
    self.init(\.self, content: content)
  }

  public func courses(from initialValue: Root) -> [KeyframeCourse<Root>] {
    let path = KeyframePath(steps, from: initialValue[keyPath: keyPath])
    return [
      KeyframeCourse(duration: path.duration) { [keyPath] time, root in
        root[keyPath: keyPath] = path.value(at: time)
      }
    ]
  }
}

/// Several tracks.
public struct KeyframeTracks<Value>: Keyframes {
  let make: (Value) -> [KeyframeCourse<Value>]

  public func courses(from initialValue: Value) -> [KeyframeCourse<Value>] { make(initialValue) }
}

/// Collects tracks, or keyframes of the whole value.
@resultBuilder
public enum KeyframesBuilder<Value> {
  /// A track, or several.
  public static func buildExpression(_ keyframes: some Keyframes<Value>) -> KeyframeTracks<Value> {
    KeyframeTracks { keyframes.courses(from: $0) }
  }

  /// All tracks. Of two of the same property the later one wins.
  public static func buildBlock(_ parts: KeyframeTracks<Value>...) -> KeyframeTracks<Value> {
    KeyframeTracks { value in parts.flatMap { $0.make(value) } }
  }

  /// The tracks as they are.
  public static func buildFinalResult(_ tracks: KeyframeTracks<Value>) -> KeyframeTracks<Value> {
    tracks
  }
}

extension KeyframesBuilder where Value: Animatable {
  /// A keyframe of the whole value.
  public static func buildExpression(
    _ keyframe: some KeyframeTrackContent<Value>
  ) -> [KeyframeStep<Value>] { keyframe.steps }

  /// The keyframes in order.
  public static func buildBlock(_ parts: [KeyframeStep<Value>]...) -> [KeyframeStep<Value>] {
    parts.flatMap(\.self)
  }

  /// The keyframes of a loop, in order.
  public static func buildArray(_ parts: [[KeyframeStep<Value>]]) -> [KeyframeStep<Value>] {
    parts.flatMap(\.self)
  }

  /// A track of the whole value.
  public static func buildFinalResult(
    _ steps: [KeyframeStep<Value>]
  ) -> KeyframeTrack<Value, Value> { KeyframeTrack { steps } }
}

/// Collects the keyframes of a track.
@resultBuilder
public enum KeyframeTrackContentBuilder<Value: Animatable> {
  /// A keyframe.
  public static func buildExpression(
    _ keyframe: some KeyframeTrackContent<Value>
  ) -> [KeyframeStep<Value>] { keyframe.steps }

  /// Keyframes that are a list already.
  public static func buildExpression(_ steps: [KeyframeStep<Value>]) -> [KeyframeStep<Value>] {
    steps
  }

  /// The keyframes in order.
  public static func buildBlock(_ parts: [KeyframeStep<Value>]...) -> [KeyframeStep<Value>] {
    parts.flatMap(\.self)
  }

  /// The keyframes of an `if`, or none.
  public static func buildOptional(_ part: [KeyframeStep<Value>]?) -> [KeyframeStep<Value>] {
    part ?? []
  }

  /// The keyframes of the first branch.
  public static func buildEither(first part: [KeyframeStep<Value>]) -> [KeyframeStep<Value>] {
    part
  }

  /// The keyframes of the second branch.
  public static func buildEither(second part: [KeyframeStep<Value>]) -> [KeyframeStep<Value>] {
    part
  }

  /// The keyframes of a loop, in order.
  public static func buildArray(_ parts: [[KeyframeStep<Value>]]) -> [KeyframeStep<Value>] {
    parts.flatMap(\.self)
  }
}
