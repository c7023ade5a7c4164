// Why a commit animated what it did: the transaction at every node, and what was made of it.

import RondoAnimation

/// Why a commit animated what it did.
///
/// It prints as a tree: for every node the transaction that arrived, what each modifier made of it
/// from the outermost to the innermost, and for every value why it moved or did not.
public struct Explanation: CustomStringConvertible, Sendable {
  /// The lines, indented by depth.
  public private(set) var lines: [String] = []
  private var depth = 0

  /// All lines.
  public var description: String { lines.joined(separator: "\n") }

  mutating func enter(_ node: Node, _ transaction: Transaction) {
    add(node.content.label)
    depth += 1
    add("arrived: \(transaction)")
  }

  mutating func note(_ line: @autoclosure () -> String) {
    add(line())
  }

  mutating func leave() {
    depth -= 1
  }

  private mutating func add(_ line: String) {
    lines.append(String(repeating: "  ", count: depth) + line)
  }
}
