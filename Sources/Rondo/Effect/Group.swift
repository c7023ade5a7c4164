// `merge` and `concatenate`: the two ways of putting effects together.

extension Effect {
  /// Runs effects side by side.
  ///
  /// They are started left to right, each one fully (all that it answers at once is queued) before
  /// the next. The whole ends when all have. ``none`` is the identity, and merging is associative.
  public static func merge(_ effects: Self...) -> Self {
    merge(effects)
  }

  /// Runs effects side by side. See ``merge(_:)-(Effect<Output>...)``.
  public static func merge(_ effects: some Sequence<Self>) -> Self {
    Self(node: GroupNode.make(.merge, effects.compactMap(\.node)))
  }

  /// Runs effects one after another.
  ///
  /// Each is started when the one before it has ended, also when that one was cancelled by its id.
  /// When the whole is cancelled, no later effect is started. ``none`` is the identity, and
  /// concatenation is associative.
  public static func concatenate(_ effects: Self...) -> Self {
    concatenate(effects)
  }

  /// Runs effects one after another. See ``concatenate(_:)-(Effect<Output>...)``.
  public static func concatenate(_ effects: some Sequence<Self>) -> Self {
    Self(node: GroupNode.make(.concatenate, effects.compactMap(\.node)))
  }

  /// Runs this effect and another side by side, this one started first.
  public func merge(with other: Self) -> Self {
    .merge([self, other])
  }

  /// Runs another effect when this one has ended.
  public func concatenate(with other: Self) -> Self {
    .concatenate([self, other])
  }

  /// Runs another effect before this one.
  public func prepend(_ other: Self) -> Self {
    .concatenate([other, self])
  }

  /// Answers with some values before this effect is started.
  public func prepend(_ outputs: Output...) -> Self {
    .concatenate(outputs.map(Self.send) + [self])
  }
}

extension Effect {
  /// This effect, started after another one.
  @inlinable
  @inline(__always)
  func after(_ first: Self) -> Self {
    first.isNone ? self : first.merge(with: self)
  }
}

final class GroupNode: EffectNode {
  enum Order: String {
    case merge, concatenate
  }

  let order: Order
  private(set) var members: [EffectNode]

  /// The simplest node for these members: none for none, the member itself for a single one.
  static func make(_ order: Order, _ members: [EffectNode]) -> EffectNode? {
    members.count < 2 ? members.first : GroupNode(order, members)
  }

  private init(_ order: Order, _ members: [EffectNode]) {
    self.order = order
    self.members = members
  }

  deinit {
    dismantle()
  }

  override var label: String { order.rawValue }
  override var isLeaf: Bool { false }
  override var children: [EffectNode] { members }

  override func releaseChildren(into nodes: inout [EffectNode]) {
    nodes.append(contentsOf: members)
    members = []
  }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    switch order {
    case .merge:
      // Every frame counts its children, so a merge needs no frame of its own.
      parent.expectChild(members.count - 1)
      for member in members {
        interpreter.push(member, under: parent)
      }
    case .concatenate:
      let frame = ConcatenateFrame(members, under: parent)
      interpreter.push(members[0], under: frame)
    }
  }
}

/// Runs the members of a concatenation, one at a time.
final class ConcatenateFrame: Frame {
  private let members: [EffectNode]
  private var next = 1

  override var step: Int? { next }

  init(_ members: [EffectNode], under parent: Frame) {
    self.members = members
    super.init(under: parent)
  }

  override func startsMore(_ interpreter: Interpreter) -> Bool {
    guard next < members.count else { return false }
    expectChild()
    interpreter.push(members[next], under: self)
    next += 1
    return true
  }
}
