// Changes of a state as the statements of a closure.

import RondoRecording

/// The statements that make the changes of a commit, for the closure of a `send` or `receive`.
///
/// A property of the state is given its new value as a whole. That is right whatever the types are:
/// a recording does not tell optionals, and so not where a `?` has to stand. Only elements of
/// collections and of stacks are written to by themselves.
struct ChangeCode {
  /// A statement that writes a value, or lets it be written under the lock of a shared member.
  struct Statement {
    var target: String
    /// The code between the target and the value.
    var link = " = "
    var code: Code
    var end = ""
  }

  private let changes: [RecordedChange]
  private let old: RecordedNode
  private let state: RecordedNode
  private let style: CodeStyle
  /// The count of parts of each property that have changed.
  private let parts: [String: Int]
  /// The lists that have got elements at their ends, and have not changed otherwise.
  private let appended: Set<String>

  /// The statements that write shared values.
  private var sharedStatements: [Statement] = []
  private var others: [Statement] = []
  /// Whether the state is made anew as a whole.
  private var isWhole = false
  /// The places that are written to.
  private var done: Set<[String]> = []
  /// The shared values that are written.
  private var shared: Set<RecordedNode.Child> = []
  /// The shared members that have a local constant.
  private var locals: Set<String> = []

  /// The case of the state that the statements are about, where it is an enum: they stand in a closure of its
  /// own.
  private(set) var stateCase: String?

  var statements: [Statement] { sharedStatements + (isWhole ? [whole] : others) }

  /// - Parameters:
  ///   - changes: The changes.
  ///   - state: The state after them.
  ///   - old: The state before them.
  ///   - appends: Whether elements that are new at the end of a list are appended, which is short but right only
  ///     where the closure gets the state before the changes. Otherwise the list is written as a whole.
  init(
    _ changes: [RecordedChange], old: RecordedNode, state: RecordedNode,
    _ style: CodeStyle = CodeStyle(), appends: Bool = true
  ) {
    guard style.stateIsCasePathable, let name = state.case, old.case == name,
      let part = Self.part(of: state),
      let oldPart = Self.part(of: old),
      changes.allSatisfy({ $0.path.count > 1 && $0.path[0] == "0" })
    else {
      self.init(plain: changes, old: old, state: state, style, appends: appends)
      return
    }
    let inside = changes.map {
      var change = $0
      change.path.removeFirst()
      return change
    }
    var style = style
    style.state = "$0"
    self.init(plain: inside, old: oldPart, state: part, style, appends: appends)
    stateCase = name
  }

  private init(
    plain changes: [RecordedChange], old: RecordedNode, state: RecordedNode, _ style: CodeStyle,
    appends: Bool
  ) {
    self.changes = changes
    self.old = old
    self.state = state
    var style = style
    style.shared = state.children.filter { $0.node.isShared && $0.name.isName }
    self.style = style
    parts = Dictionary(
      grouping: changes.filter { !$0.path.isEmpty }.map { $0.path.prefix(2) }, by: \.[0]
    ).mapValues { Set($0).count }
    appended = Set(
      Dictionary(grouping: changes.filter { !$0.path.isEmpty }, by: \.path[0]).filter {
        appends && Self.isAppended($0.value, to: old[$0.key], state[$0.key])
      }.keys.filter { $0.isName && style.canSet($0, of: state) })
    let sorted = changes.sorted { $0.path.count < $1.path.count }
    // Members that write a shared value come before those that only read it.
    for change in sorted where !reads(change) { add(change) }
    for change in sorted where reads(change) { add(change) }
  }

  /// The state of the child that a case of an enum carries, and nothing else.
  private static func part(of state: RecordedNode) -> RecordedNode? {
    guard state.children.count == 1, let part = state["0"], part.kind == .struct,
      part.type?.split(separator: ".").last == "State"
    else { return nil }
    return part
  }

  /// Whether changes put elements behind the last one of a list, and nothing else.
  private static func isAppended(
    _ changes: [RecordedChange], to old: RecordedNode?, _ new: RecordedNode?
  ) -> Bool {
    guard let old, let new, old.kind == .collection, new.kind == .collection, !new.isShared,
      !old.isOptional, !new.isOptional, !old.children.isEmpty
    else { return false }
    return changes.enumerated().allSatisfy { index, change in
      change.path.count == 2 && change.old == nil && change.new != nil
        && change.path[1] == "\(old.children.count + index)"
    }
  }

  /// The statement that makes the state anew.
  private var whole: Statement { Statement(target: style.state, code: state.code(style)) }

  private mutating func add(_ change: RecordedChange) {
    // A state that is an enum has no properties.
    guard let property = change.path.first, let node = state[property], state.kind != .enum else {
      isWhole = true
      return
    }
    if let (path, value) = sharedPart(change, state) {
      addShared(value, at: path)
      return
    }
    guard property.isName else {
      others.append(Statement(target: "$0", code: .placeholder(property)))
      return
    }
    if appended.contains(property), let new = change.new {
      let code = Code.group("(", [(nil, new.code(style))], ")")
      others.append(Statement(target: "$0.\(property).append", link: "", code: code))
      return
    }
    guard let (path, target) = target(of: change, in: property), done.insert(path).inserted else {
      return
    }
    add(path.count == 1 ? node : state[path], to: target)
  }

  /// Adds a shared value. All holders have the same one, so it is written once, and first: by the state itself where
  /// that is one of them.
  private mutating func addShared(_ value: RecordedNode, at path: [String]) {
    var member = RecordedNode.Child(path[path.count - 1], value)
    member.node.isReader = false
    member.node.isKeyed = false
    let isWritten =
      value.isReader
      ? shared.contains { $0.node == member.node } : !shared.insert(member).inserted
    guard !isWritten else { return }
    guard !value.isReader, member.name.isName, let place = place(path.dropLast()) else {
      let code = Code.placeholder("\(path.joined(separator: ".")), which is shared")
      return sharedStatements.append(Statement(target: "$0", code: code))
    }
    sharedStatements.append(write(value, at: path, "\(place).$\(member.name)"))
  }

  /// The code that reaches a value in the state; `nil` where it is not known.
  private func place(_ path: ArraySlice<String>) -> String? {
    var (code, node) = ("$0", state)
    for name in path {
      guard let part = node[name] else { return nil }
      switch node.kind {
      case .struct where name.isName: code += ".\(name)"
      case .collection where Int(name) != nil: code += "[\(name)]"
      case .dictionary where name.isStackID: code += "[id: \(name.dropFirst())]?"
      case .enum where node.children.count == 1 && node.case?.isName == true:
        code += "[case: \\.\(node.case ?? "")]?"
      default: return nil
      }
      if part.isOptional { code += "?" }
      node = part
    }
    return code
  }

  /// Whether a change is one of a shared value that the state only reads.
  private func reads(_ change: RecordedChange) -> Bool {
    sharedPart(change, state)?.value.isReader == true
  }

  /// The place that is written to for a change; `nil` where that is the state as a whole, or a test cannot write
  /// to it.
  private mutating func target(
    of change: RecordedChange, in property: String
  ) -> (path: [String], target: String)? {
    let (path, target) =
      element(change, isAlone: parts[property] == 1, in: old, state)
      ?? ([property], "$0.\(property)")
    // A value whose member cannot be set is made anew.
    guard let around = state[path.dropLast()], let member = path.last,
      !style.canSet(member, of: around)
    else { return (path, target) }
    guard style.canMake(around, with: member) else {
      let name = "\(path.joined(separator: ".")), which a test cannot set"
      if done.insert(path).inserted {
        others.append(Statement(target: "$0", code: .placeholder(name)))
      }
      return nil
    }
    guard path.count > 1 else {
      isWhole = true
      return nil
    }
    // The element of a list, or of a stack.
    let index = path[1].hasPrefix("#") ? "id: \(path[1].dropFirst())" : path[1]
    return (Array(path.prefix(2)), "$0.\(property)[\(index)]")
  }

  /// Adds the statement that writes a value; `nil` is one, too.
  private mutating func add(_ value: RecordedNode?, to target: String) {
    guard target.contains("?") else {
      others.append(Statement(target: target, code: value?.code(style) ?? .text("nil")))
      return
    }
    // The state is being written to when the value is made, so that it must not be read there.
    let code = value?.code(style).inline ?? ""
    for member in style.shared
    where code.contains("$0.$\(member.name)") && locals.insert(member.name).inserted {
      others.append(Statement(target: "let \(member.name)", code: .text("$0.$\(member.name)")))
    }
    var local = style
    local.sharedPrefix = ""
    others.append(Statement(target: target, code: value?.code(local) ?? .text("nil")))
  }

  /// The statement that writes a shared value: the only member that has changed, or all of it.
  private func write(
    _ value: RecordedNode, at path: [String], _ place: String
  ) -> Statement {
    let members = Set(
      changes.filter { $0.path.starts(with: path) }.map { $0.path.dropFirst(path.count) })
    let lock = "\(place).withLock { $0"
    if let member = members.first, members.count == 1, member.count == 1, value.kind == .struct,
      let name = member.first, name.isName, let new = value[name]
    {
      return Statement(target: "\(lock).\(name)", code: new.code(style), end: " }")
    }
    return Statement(target: lock, code: value.unsharedCode(style), end: " }")
  }

  /// The first part on the way to a change that is shared.
  private func sharedPart(
    _ change: RecordedChange, _ state: RecordedNode
  ) -> (path: [String], value: RecordedNode)? {
    for count in change.path.indices.map({ $0 + 1 }) {
      let path = Array(change.path[..<count])
      if let node = state[path], node.isShared { return (path, node) }
    }
    return nil
  }

  /// The place of the smallest part around a change that can be written to by itself.
  ///
  /// - Parameter isAlone: Whether no other element of the property has changed.
  private func element(
    _ change: RecordedChange, isAlone: Bool, in old: RecordedNode, _ new: RecordedNode
  ) -> (path: [String], target: String)? {
    guard change.path.count > 1, let before = old[change.path[0]], let after = new[change.path[0]],
      !before.isOptional, !after.isOptional
    else { return nil }
    let (property, name) = (change.path[0], change.path[1])
    guard change.path.dropFirst(2).allSatisfy({ $0 == "0" || $0.isName }) else { return nil }
    // An element of a stack: `$0.path[id: 0]`, and a property of one:
    // `$0.path[id: 0, case: \.detail]?.name`.
    if after.kind == .dictionary || before.kind == .dictionary,
      name.isStackID
    {
      let id = name.dropFirst()
      if change.path.count > 3, change.path[2] == "0", let detail = after[name]?.case,
        detail.isName, after[name]?["0"]?.kind == .struct
      {
        return (
          Array(change.path[...3]),
          "$0.\(property)[id: \(id), case: \\.\(detail)]?.\(change.path[3])"
        )
      }
      return ([property, name], "$0.\(property)[id: \(id)]")
    }
    // A property of an element of an array, where that is all. Its id cannot be written to.
    guard isAlone, change.path.count == 2 || change.path[2] != "id", after.kind == .collection,
      before.children.count == after.children.count,
      change.path.count > 2, Int(name) != nil, let element = after[name], element.kind == .struct,
      !element.isOptional, before[name]?.type == element.type
    else { return nil }
    return (Array(change.path[...2]), "$0.\(property)[\(name)].\(change.path[2])")
  }
}
