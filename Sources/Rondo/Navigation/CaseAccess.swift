// The value of a case of what is presented or of an element of a stack, to be changed there.

extension Optional {
  /// The value of a case, `nil` in another one. Writing `nil` to it makes the whole `nil`.
  ///
  /// When the enum is in another case, or there is none, nothing is changed, and this is reported.
  package subscript<Case>(changing path: AnyCasePath<Wrapped, Case>) -> Case? {
    get { flatMap(path.extract(from:)) }
    _modify {
      var value = self[changing: path]
      let isInCase = value != nil
      yield &value
      if isInCase {
        self = value.map(path.embed)
      } else {
        let found = map { "is in another one: \(summary(of: $0))" } ?? "is 'nil'"
        reportIssue(
          """
          A case of \(Wrapped.self) whose value is a \(Case.self) was to be changed, but the enum \
          \(found). It was left as it is.
          """)
      }
    }
  }
}

extension PresentationState {
  /// The value of a case of what is presented, by its name: `$destination[case: \.edit]?.title = ""`.
  ///
  /// Writing `nil` dismisses it. When another case is presented, or nothing, this is reported.
  public subscript<Case>(
    case keyPath: CaseName<State, Case>
  ) -> Case? where State: CasePathable {
    get { wrappedValue[changing: AnyCasePath(keyPath)] }
    _modify { yield &wrappedValue[changing: AnyCasePath(keyPath)] }
  }
}

extension StackState {
  /// The value of a case of the element with an id, by its name:
  /// `path[id: 0, case: \.detail]?.isFavorite = true`.
  ///
  /// Writing `nil` removes the element. When it is in another case, or not there, this is reported.
  public subscript<Case>(
    id id: StackElementID, case keyPath: CaseName<Element, Case>
  ) -> Case? where Element: CasePathable {
    get { self[id: id][changing: AnyCasePath(keyPath)] }
    _modify { yield &self[id: id][changing: AnyCasePath(keyPath)] }
  }
}
