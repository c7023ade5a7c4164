// Taking the value out of a case of an enum, given the function that puts it in.

/// Extracts the value that a case carries, by reflection: `CaseExtraction(Action.loaded)`. A
/// closure names a nested case: `CaseExtraction { Action.editor(.loaded($0)) }`.
struct CaseExtraction<Payload, Root> {
  private let embed: (Payload) -> Root

  init(_ embed: @escaping (Payload) -> Root) {
    self.embed = embed
  }

  /// The value that `root` carries, if it is of the case.
  func extract(from root: Root) -> Payload? {
    extract(from: root, as: embed)
  }

  /// - Parameter embed: Returns the part that the function puts in the place of `value`; `nil` if
  ///   it puts none there.
  private func extract(from value: Any, as embed: (Payload) -> Any?) -> Payload? {
    guard let name = caseName(of: value), let inner = associatedValue(of: value) else { return nil }
    // Only the function knows its case. The value that it makes of the payload shows the case.
    if let payload = payload(inner), embed(payload).flatMap(caseName) == name { return payload }
    return extract(from: inner) { payload in
      guard let other = embed(payload), caseName(of: other) == name else { return nil }
      return associatedValue(of: other)
    }
  }

  private func associatedValue(of value: Any) -> Any? {
    guard let child = Mirror(reflecting: value).children.first else { return nil }
    if child.value is Payload { return child.value }
    // A labelled single value is reflected as a tuple of one.
    let inner = Mirror(reflecting: child.value)
    return inner.displayStyle == .tuple && inner.children.count == 1
      ? inner.children.first?.value : child.value
  }

  private func payload(_ value: Any) -> Payload? {
    value as? Payload ?? retupled(value)
  }

  /// The same tuple without the labels that a case has and `Payload` has not.
  private func retupled(_ value: Any) -> Payload? {
    let values = Mirror(reflecting: value).children.map(\.value)
    func pair<First, Second>(_ first: First, _ second: Second) -> Payload? {
      (first, second) as? Payload
    }
    func triple<First, Second, Third>(
      _ first: First, _ second: Second, _ third: Third
    ) -> Payload? {
      (first, second, third) as? Payload
    }
    func open<First, Second>(_ first: First, _ second: Second) -> Payload? {
      guard values.count == 3 else { return pair(first, second) }
      func third<Third>(_ third: Third) -> Payload? { triple(first, second, third) }
      return _openExistential(values[2], do: third)
    }
    guard values.count == 2 || values.count == 3 else { return nil }
    func first<First>(_ first: First) -> Payload? {
      func second<Second>(_ second: Second) -> Payload? { open(first, second) }
      return _openExistential(values[1], do: second)
    }
    return _openExistential(values[0], do: first)
  }
}

/// The name of the case of an enum value; `nil` for a value of another kind.
func caseName(of value: Any) -> String? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum else { return nil }
  // A case that carries nothing has no child. Then its description is its name, unless the type has
  // a description of its own. That description has to be different for each case.
  return mirror.children.first?.label ?? "\(value)"
}
