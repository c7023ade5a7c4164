// An action as the names of its cases: `\.path[id: 0].credentials.emailChecked.success`.

import RondoRecording

/// The case path of an action, for actions that are not `Equatable`; where none leads to it, the function that makes
/// its case: `Door.Action.opened`.
struct CasePathCode {
  private(set) var path = "\\"
  /// The value at the end of the path, if it has one that can be compared.
  private(set) var value: Code?

  private let style: CodeStyle
  /// Whether it is shown, and not code: ids are then written as in changes of the state.
  private let isShown: Bool

  /// - Parameter type: The name of the type of the action.
  init(_ action: RecordedNode, of type: String, _ style: CodeStyle = CodeStyle()) {
    self.style = style
    isShown = false
    if !action.isCasePathable {
      path = type.isTypeName ? type : Code.placeholder(type).inline
    }
    add(action)
  }

  private init(shown action: RecordedNode) {
    style = CodeStyle()
    isShown = true
    add(action)
  }

  /// The path in a line that people read: `.rows[id: 3].toggled`.
  static func shown(_ action: RecordedNode) -> String {
    String(CasePathCode(shown: action).path.dropFirst())
  }

  private mutating func add(_ node: RecordedNode) {
    guard let name = node.case, name.isName else {
      // A case that carries nothing.
      let text = node.value ?? ""
      let code =
        text.isCaseName ? ".\(String(text.dropFirst()).behindPoint)" : Code.placeholder(text).inline
      path += isShown ? text : code
      return
    }
    path += ".\(isShown ? name : name.behindPoint)"
    guard let payload = node.children.first?.node, node.children.count == 1 else { return }
    guard isShown || node.isCasePathable else {
      if payload.isEquatable { value = payload.code(style) }
      return
    }
    if name == "failure", node.type?.hasPrefix("Result") == true { return }
    let type = payload.type ?? ""
    if payload.case == "element", let id = payload["id"], let action = payload["action"] {
      path += "[id: \(isShown ? id.summary(limit: 40) : id.code(style).inline)]"
      return add(action)
    }
    if payload.case == "presented", let action = payload.children.first?.node {
      // The action of what is presented is named behind the name of the place.
      return add(action)
    }
    // An enum of actions has names for its cases; that of another enum is a value.
    let isAction =
      type.contains("Action") || name == "delegate" || payload.value == ".dismiss"
      || !payload.isEquatable && payload.isCase
    if isShown
      ? payload.isCase
      : payload.isCasePathable && (isAction || type.hasPrefix("Result"))
    {
      return add(payload)
    }
    // An older recording does not tell whether an error is one of any type, which is not `Equatable`.
    let isOfAnyError =
      style.errorCases.contains(name)
      || payload.isCase && payload.kind == nil && payload.type != nil
    if !isShown, payload.isEquatable, !isOfAnyError { value = payload.code(style) }
  }
}
