// Modifiers of nodes.

import RondoAnimation

extension View {
  /// Puts an effect of your own around the node.
  public func effect(_ effect: some VisualEffect) -> Node {
    modified(by: .effect(effect))
  }

  /// Fades the node: 0 for invisible, 1 for opaque.
  public func opacity(_ opacity: Double) -> Node {
    effect(OpacityEffect(animatableData: opacity))
  }

  /// Moves the node, in cells.
  public func offset(x: Double = 0, y: Double = 0) -> Node {
    effect(OffsetEffect(animatableData: AnimatablePair(x, y)))
  }

  /// Scales the node about its centre.
  public func scale(_ factor: Double) -> Node {
    scale(x: factor, y: factor)
  }

  /// Scales the node about its centre, differently in the two directions.
  public func scale(x: Double, y: Double) -> Node {
    effect(ScaleEffect(animatableData: AnimatablePair(x, y)))
  }

  /// Turns the node clockwise about the centre of its frame. A group without a frame is turned about
  /// its origin.
  ///
  /// In a terminal a cell counts as a square: a quarter turn of a line of text is a column.
  public func rotation(degrees: Double) -> Node {
    effect(RotationEffect(animatableData: degrees))
  }

  /// Places the node in the one around it, and gives it an extent, in cells.
  public func frame(x: Double = 0, y: Double = 0, width: Double, height: Double) -> Node {
    effect(FrameEffect(frame: Rect(x: x, y: y, width: width, height: height)))
  }

  /// Colours the glyphs inside that have no colour yet.
  public func foreground(_ color: Color) -> Node {
    effect(ForegroundEffect(color: color))
  }

  /// Colours what is behind the glyphs of the node.
  public func background(_ color: Color) -> Node {
    effect(BackgroundEffect(color: color))
  }

  /// Names a typeface for the text inside that has none yet. A change of it jumps.
  public func font(_ name: String) -> Node {
    effect(FontEffect(name: name))
  }

  /// Runs something once, after the first commit that has the node in it. What it changes therefore
  /// animates.
  public func onAppear(_ action: @escaping () -> Void) -> Node {
    modified(by: .onAppear(action))
  }

  /// Runs something when the node is tapped, see ``Stage/tap(at:instant:)``.
  ///
  /// - Parameter action: What to do.
  public func onTapGesture(perform action: @escaping () -> Void) -> Node {
    modified(by: .tap(action))
  }

  /// Draws the node over those of its siblings that have a smaller number, and beneath those with a larger
  /// one. Without it the number is 0. Of equal numbers the later sibling is drawn over the earlier one. A
  /// change of it jumps.
  ///
  /// - Parameter value: The number.
  public func zIndex(_ value: Double) -> Node {
    modified(by: .zIndex(value.isNaN ? 0 : value))
  }

  /// Describes how the node comes into a container that is shown already, and how it leaves it.
  ///
  /// It causes nothing by itself: the commit has to be animated. Without it a node fades.
  public func transition(_ transition: AnyTransition) -> Node {
    modified(by: .transition(transition))
  }

  /// Says that nodes are one thing in several places.
  ///
  /// A node that comes while the one with the same id goes starts from where that one is. A node
  /// that is not a source is shown where the source is.
  ///
  /// - Parameters:
  ///   - id: What the nodes have in common.
  ///   - isSource: Whether this node decides where the thing is.
  public func matchedGeometry(id: some Hashable, isSource: Bool = true) -> Node {
    modified(by: .matchedGeometry(GeometryMatch(id: AnyHashable(id), isSource: isSource)))
  }

  func modified(by modifier: Node.Modifier) -> Node {
    var node = node
    node.modifiers.append(modifier)
    return node
  }
}

// MARK: - Transactions

extension View {
  /// Changes the transaction of every commit for the node and the modifiers before this one.
  ///
  /// Transactions come from the root: of two such modifiers the outer one runs first, and the inner
  /// one has the last word. A closure that only reads is a probe.
  ///
  /// ```swift
  /// node.transaction { $0.animation = .linear }
  /// ```
  public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> Node {
    modified(by: .transaction(label: ".transaction", transform))
  }

  /// Animates every change of the node and of the modifiers before this one, unless the commit
  /// disables animations.
  ///
  /// - Parameter animation: The animation; `nil` makes every change jump.
  public func animation(_ animation: Animation?) -> Node {
    modified(
      by: .transaction(label: ".animation(\(animation.label))", Node.implicit(animation))
    )
  }

  /// Animates the changes of those commits in which a value changes, unless the commit disables
  /// animations.
  ///
  /// The first commit with the node in it changes nothing.
  ///
  /// - Parameters:
  ///   - animation: The animation; `nil` makes the changes jump.
  ///   - value: The value to watch.
  public func animation(_ animation: Animation?, value: some Equatable) -> Node {
    modified(
      by: .onChange(
        label: ".animation(\(animation.label), value: \(value))",
        of: value,
        Node.implicit(animation)
      )
    )
  }

}

extension Node {
  /// An implicit animation is this transformation of the transaction, and nothing else.
  static func implicit(_ animation: Animation?) -> (inout Transaction) -> Void {
    { transaction in
      guard !transaction.disablesAnimations else { return }
      transaction.animation = animation
    }
  }
}

extension Animation? {
  var label: String { map(\.description) ?? "nil" }
}
