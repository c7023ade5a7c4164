// An effect: a value that describes work and the values it will answer with.

/// A description of work that answers with any number of outputs over time, and then ends.
///
/// A reducer returns one for every action; its outputs are the actions that come back:
///
/// ```swift
/// case .refreshTapped:
///   return .run { send in
///     await send(.loaded(try await client.load()))
///   } catch: { error, send in
///     await send(.failed("\(error)"))
///   }
///   .cancellable(id: CancelID.load, cancelInFlight: true)
/// ```
///
/// An effect is a small immutable tree. Making one does nothing: a ``Store`` starts it when a
/// reducer returns it, and without a store `sink` and
/// `assign` do. The same value may be started any number of times.
///
/// `Output` is an action inside a feature. A client may as well return an `Effect<SavedGames>`,
/// which the feature ``map(_:)``s into its actions. Errors are values: a failing effect's output is
/// a `Result`, or it handles the error itself.
///
/// ``none`` is the identity of ``merge(_:)-(Effect<Output>...)`` and of ``concatenate(_:)-(Effect<Output>...)``,
/// and both are associative. A tree may be 100,000 nodes deep on either side.
public struct Effect<Output>: @unchecked Sendable {
  // @unchecked: nodes are immutable, except for `releaseChildren`, which runs in their `deinit`.
  // The code that makes a node gives away the values that the node holds.

  /// The root of the tree; `nil` is the effect that does nothing.
  @usableFromInline
  let node: EffectNode?

  @usableFromInline
  init(node: EffectNode?) {
    self.node = node
  }

  /// An effect that does nothing and ends at once.
  @inlinable
  public static var none: Self { Self(node: nil) }

  /// Whether this is ``none``.
  @inlinable
  public var isNone: Bool { node == nil }
}

extension Effect {
  /// An effect that answers with one value at once.
  ///
  /// In a store, the action is handled right after the one in progress and whatever was queued
  /// before it. It is part of the same synchronous change, so it carries the transaction of the
  /// action it answers, under what ``animation(_:)`` says.
  @inlinable
  public static func send(_ output: Output) -> Self {
    Self(node: SendNode(output))
  }

  /// An effect that answers with one value at once, shown with an animation.
  public static func send(_ output: Output, animation: Animation?) -> Self {
    send(output).animation(animation)
  }
}

extension Effect: CustomStringConvertible {
  /// The tree as text: `concatenate(send(saved), merge(run "server", run "matches"))`.
  ///
  /// Complexity: O(*n*) in the number of nodes, in constant stack.
  public var description: String {
    guard let node else { return "none" }
    var text = ""
    var pieces: [Piece] = [.node(node)]
    while let piece = pieces.popLast() {
      switch piece {
      case .text(let string):
        text += string
      case .node(let node):
        text += node.label
        let children = node.children
        guard !children.isEmpty else { continue }
        pieces.append(.text(")"))
        for (index, child) in children.enumerated().reversed() {
          pieces.append(.node(child))
          pieces.append(.text(index == 0 ? "(" : ", "))
        }
      }
    }
    return text
  }

  private enum Piece {
    case text(String)
    case node(EffectNode)
  }
}
