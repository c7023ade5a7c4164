// Key paths as they are written.

/// A key path as it is written: `\State.name`.
///
/// The name of a variable that is computed is not in a key path. Observable states know theirs.
package func text(of keyPath: AnyKeyPath) -> String {
  let text = "\(keyPath)"
  guard let end = text.firstIndex(of: "."), text.contains("<computed ") else { return text }
  // Equal key paths of a generic type may print different addresses.
  let root = type(of: keyPath).rootType
  if let name = names(of: root).first(where: { $0.variable == keyPath })?.name {
    return text[..<end] + ".\(name)"
  }
  return text[..<end] + written(text[end...], from: root)
}

/// The part of a key path that begins with a point, in the names that a type gives it.
private func written(_ path: Substring, from root: Any.Type) -> String {
  guard path.contains("<computed ") else { return String(path) }
  for (variable, name) in names(of: root) {
    let text = "\(variable)"
    guard let start = text.firstIndex(of: "."), path.hasPrefix(text[start...]) else { continue }
    var rest = path.dropFirst(text[start...].count)
    var value = type(of: variable).valueType
    var mark = ""
    if let first = rest.first, "?!".contains(first) {
      mark = String(rest.removeFirst())
      value = (value as? any OptionalType.Type)?.wrapped ?? value
    }
    guard rest.isEmpty || rest.first == "." else { continue }
    return ".\(name)\(mark)\(written(rest, from: value))"
  }
  return String(path)
}

private func names(of type: Any.Type) -> [(variable: AnyKeyPath, name: String)] {
  var names: [(AnyKeyPath, String)] = []
  (type as? any ObservableState.Type)?._$names { names.append(($0, $1)) }
  return names
}

private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
