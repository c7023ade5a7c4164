// The animations of a stage that have not ended.

import RondoAnimation

/// A value that is under way on a stage.
///
/// ```swift
/// for animation in stage.animations { print(animation) }
/// // text "Hello": offset from .offset(x: 0, y: 0) to .offset(x: 8, y: 0), .snappy
/// ```
public struct StageAnimation: CustomStringConvertible {
  /// The content of the node, as its tree's description shows it.
  public let node: String

  /// The id that the program has given the node.
  public let id: AnyHashable?

  /// The name of the property that moves: the modifier, `shape`, `text`, `transition` or `matchedGeometry`.
  public let property: String

  /// The value that showed when the animation began.
  public let from: String

  /// The value that shows when it is over.
  public let to: String

  /// The animation.
  public let animation: Animation

  /// From when to when it runs.
  public let span: AnimationSpan

  /// The time until it is over; `nil` if it does not end.
  ///
  /// - Parameter instant: An instant of the stage.
  public func timeLeft(at instant: Duration) -> Duration? {
    guard span.duration < 0x1p40 else { return nil }
    return max(.zero, span.begin + .seconds(span.duration) - instant)
  }

  /// The node, what moves, and the animation.
  public var description: String { "\(node): \(property) from \(from) to \(to), \(animation)" }
}

extension Stage {
  /// The animations that have not ended at the last ``advance(to:)`` or commit, back to front.
  ///
  /// Complexity: O(*n*) in the number of nodes.
  public var animations: [StageAnimation] {
    nodes.flatMap { node in
      node.animatedSlots.filter(\.isActive).compactMap { slot in
        slot.motion.map { motion in
          StageAnimation(
            node: node.node.content.label, id: node.node.explicitID, property: motion.property,
            from: motion.from, to: motion.to, animation: motion.animation, span: motion.span)
        }
      }
    }
  }

  /// Taps on what is seen at a place: runs what the node there does on a tap, or the nearest one around it that
  /// does something.
  ///
  /// - Parameters:
  ///   - point: The place, in cells.
  ///   - instant: When. What moves is where it shows.
  /// - Returns: Whether there was something to do.
  @discardableResult
  public func tap(at point: Point, instant: Duration) -> Bool {
    var actions: [Int: () -> Void] = [:]
    for node in nodes { actions[node.serial] = node.tapAction }
    guard !actions.isEmpty else { return false }
    var hit: (() -> Void)?
    var around: [(() -> Void)?] = []
    for node in frame(at: instant).nodes {
      around.removeLast(max(0, around.count - node.depth))
      around.append(actions[node.track] ?? around.last ?? nil)
      guard node.opacity > 0, node.appearance.covers(point) else { continue }
      // A node without an action lets the tap through.
      if let action = around.last ?? nil { hit = action }
    }
    hit?()
    return hit != nil
  }
}

extension Appearance {
  /// Whether a point is inside of the frame, turned as it is.
  fileprivate func covers(_ point: Point) -> Bool {
    // A node that is scaled to a line or a point is hit nowhere.
    guard transform.a * transform.d != transform.b * transform.c else { return false }
    let inside = transform.inverted().apply(point)
    return inside.x >= 0 && inside.x < size.width && inside.y >= 0 && inside.y < size.height
  }
}
