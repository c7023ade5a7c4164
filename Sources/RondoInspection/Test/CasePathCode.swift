// An action as the names of its cases: `\.path[id: 0].credentials.emailChecked.success`.

import RondoRecording

/// The case path of an action, for actions that are not `Equatable`.
struct CasePathCode {
  private(set) var path = "\\"
  /// The value at the end of the path, if it has one that can be compared.
  private(set) var value: Code?

  init(_ action: RecordedNode) {
    add(action)
  }

  private mutating func add(_ node: RecordedNode) {
    guard let name = node.case else {
      // A case that carries nothing.
      path += node.value ?? ""
      return
    }
    path += ".\(name)"
    guard let payload = node.children.first?.node, node.children.count == 1 else { return }
    if name == "failure", node.type?.hasPrefix("Result") == true { return }
    let type = payload.type ?? ""
    if payload.case == "element", let id = payload["id"], let action = payload["action"] {
      path += "[id: \(id.code.inline)]"
      return add(action)
    }
    if payload.case == "presented", let action = payload.children.first?.node {
      return addNested(action)
    }
    if type.contains("Action") || type.hasPrefix("Result") { return add(payload) }
    value = payload.code
  }

  private mutating func addNested(_ action: RecordedNode) {
    // The action of what is presented is named behind the name of the place.
    action.kind == nil ? path += action.value ?? "" : add(action)
  }
}
