// The same move under several transactions, with what arrives inside the tree.

import RondoStage

/// Five bars make the same move. Each says which animation has arrived at it.
public final class Transactions: StageExample {
  public static let name = "transactions"
  public static let summary = "who wins: explicit, implicit and disabled animations"
  public static let size = (width: 76, height: 10)
  public static let duration = Duration.seconds(5)
  public static let highlights: [Duration] = [0, 1_000, 1_500, 3_000].map { .milliseconds($0) }

  /// The animation that arrived last at each bar.
  private var arrived = [String](repeating: "", count: 5)
  private let stage = Stage()
  private var hasMoved = false

  public init() {
    stage.commit(tree(0), at: .zero)
    arrived = [String](repeating: "", count: 5)
    stage.commit(tree(0), at: .zero)
  }

  public func frame(at instant: Duration) -> StageFrame {
    if instant >= .seconds(1), !hasMoved {
      hasMoved = true
      withAnimation(.linear(duration: 2)) { stage.commit(tree(20), at: .seconds(1)) }
      // The probes have been asked by the commit; their answers are shown by the next one.
      stage.commit(tree(20), at: .seconds(1))
    }
    stage.advance(to: instant)
    return stage.frame(at: instant)
  }

  private func tree(_ x: Double) -> Node {
    Node.group {
      bar(0, "withAnimation(.linear(duration: 2))", x) { $0 }
      bar(1, "… over .animation(.linear(duration: 1))", x) {
        $0.animation(.linear(duration: 1))
      }
      bar(2, "… over .animation(nil)", x) { $0.animation(nil) }
      bar(3, "… over .animation(nil), disabled", x) {
        $0.animation(nil).transaction { $0.disablesAnimations = true }
      }
      bar(4, "… over .transaction { $0.animation = nil }", x) {
        $0.transaction { $0.animation = nil }.animation(.linear)
      }
    }
  }

  private func bar(
    _ index: Int,
    _ label: String,
    _ x: Double,
    _ modify: (Node) -> Node
  ) -> Node {
    let move = modify(
      Node.text("━━▶").foreground(.green).offset(x: x, y: 0).transaction { [weak self] in
        guard let self, !$0.isEmpty else { return }
        arrived[index] = $0.animation?.description ?? "nil"
      }
    )
    return Node.group {
      Node.text("\(label) \(arrived[index].isEmpty ? "" : "→ ")\(arrived[index])")
        .foreground(.gray)
      move.offset(x: 0, y: 1)
    }.offset(x: 0, y: Double(index) * 2)
  }
}
