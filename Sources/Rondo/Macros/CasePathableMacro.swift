// `@CasePathable`.

#if RONDO_MACROS

  /// Gives an enum case paths, so that its cases can be named as properties are: `\.child`.
  ///
  /// ```swift
  /// @CasePathable
  /// enum Action {
  ///   case child(Child.Action)
  ///   case renamed(from: String, to: String)
  ///   case reset
  /// }
  ///
  /// action[case: \.child]                       // Child.Action?
  /// action.is(\.reset)                          // Bool
  /// Action.allCasePaths.child.embed(.tapped)    // Action.child(.tapped)
  /// ```
  ///
  /// Several values come as one tuple, with the labels of the case. Add `@dynamicMemberLookup` to the
  /// enum to read a case's value as a member: `state.loaded`.
  ///
  /// The enum gets a structure `AllCasePaths` with one ``AnyCasePath`` for each case, a static
  /// property `allCasePaths`, and a conformance to ``CasePathable`` and ``CasePathIterable``. Cases
  /// whose names are overloaded cannot be told apart and are an error.
  @attached(
    member,
    names: named(AllCasePaths), named(allCasePaths), named(_$Element), named(_$Iterator),
    named(_$Root))
  @attached(extension, conformances: CasePathable, CasePathIterable)
  public macro CasePathable() = #externalMacro(module: "RondoMacros", type: "CasePathableMacro")

#endif
