// `@ViewAction(for:)`.

#if RONDO_MACROS

  /// Lets a view send those actions of a feature that are the view's, and points out where it sends
  /// others.
  ///
  /// ```swift
  /// enum Action: ViewAction {
  ///   case loaded([Item])
  ///   case view(View)
  ///
  ///   enum View { case refreshTapped }
  /// }
  ///
  /// @ViewAction(for: List.self)
  /// struct ListView {
  ///   let store: StoreOf<List>
  ///
  ///   func key(_ key: Character) {
  ///     if key == "r" { send(.refreshTapped) }  // instead of store.send(.view(.refreshTapped))
  ///   }
  /// }
  /// ```
  ///
  /// The type needs a property `store`, and gets its conformance to ``ViewActionSending``.
  ///
  /// - Parameter reducer: The feature that the view shows.
  @attached(extension, conformances: ViewActionSending)
  public macro ViewAction<R: Reducer>(for reducer: R.Type) =
    #externalMacro(module: "RondoMacros", type: "ViewActionMacro")
  where R.Action: ViewAction

#endif
