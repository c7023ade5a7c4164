// Changes of a state as the statements of a closure.

import RondoRecording

/// The statements that make the changes of a commit, for the closure of a `send` or `receive`.
///
/// A property of the state is given its new value as a whole. That is right whatever the types are:
/// a recording does not tell optionals, and so not where a `?` has to stand. Only elements of
/// collections and of stacks are written to by themselves.
struct ChangeCode {
  private(set) var statements: [(target: String, code: Code)] = []

  /// - Parameters:
  ///   - changes: The changes.
  ///   - state: The state after them.
  ///   - old: The state before them.
  init(_ changes: [RecordedChange], old: RecordedNode, state: RecordedNode) {
    var done: Set<[String]> = []
    for change in changes {
      guard let property = change.path.first, let node = state[property] else {
        statements.append(("$0", state.code))
        continue
      }
      guard let (path, target) = element(change, in: old, state) else {
        if done.insert([property]).inserted { statements.append(("$0.\(property)", node.code)) }
        continue
      }
      guard done.insert(path).inserted else { continue }
      statements.append((target, state[path]?.code ?? .text("nil")))
    }
  }

  /// The place of the smallest part around a change that can be written to by itself.
  private func element(
    _ change: RecordedChange, in old: RecordedNode, _ new: RecordedNode
  ) -> (path: [String], target: String)? {
    guard change.path.count > 1, let before = old[change.path[0]], let after = new[change.path[0]]
    else { return nil }
    let (property, name) = (change.path[0], change.path[1])
    // An element of a stack: `$0.path[id: 0]`.
    if after.kind == .dictionary || before.kind == .dictionary, name.hasPrefix("#") {
      return ([property, name], "$0.\(property)[id: \(name.dropFirst())]")
    }
    // A property of an element of an array, where none was inserted or removed.
    guard after.kind == .collection, before.children.count == after.children.count,
      change.path.count > 2, let element = after[name], element.kind == .struct,
      before[name]?.type == element.type
    else { return nil }
    return (Array(change.path[...2]), "$0.\(property)[\(name)].\(change.path[2])")
  }
}
