// `@ObservableState` and its helper macros.

#if RONDO_MACROS

  /// Makes a feature's state observable field by field.
  ///
  /// ```swift
  /// @ObservableState
  /// struct State: Equatable {
  ///   var count = 0
  ///   var name = ""
  ///   @Presents var destination: Destination.State?
  ///   @ObservationStateIgnored var cache: [Int: String] = [:]
  /// }
  /// ```
  ///
  /// An observer that reads `store.count` is woken when `count` changes, not when `name` does. What
  /// is constant, computed or static is left as it is.
  ///
  /// An enum is observed as its cases are: an observer is woken when the case changes, or the
  /// identity of the state in it.
  ///
  /// Each variable is moved to a private one, `_count`, and gets accessors that tell the state's
  /// registrar; the type gets the registrar, an identity, and a conformance to ``ObservableState``.
  /// A variable has to be declared alone to be given accessors, not as in `var a = 0, b = 0`.
  @attached(extension, conformances: ObservableState)
  @attached(
    member,
    names: named(_$id), named(_$observationRegistrar), named(_$willModify), named(_$layout),
    named(_$names))
  @attached(memberAttribute)
  public macro ObservableState() =
    #externalMacro(module: "RondoMacros", type: "ObservableStateMacro")

  /// Observes one variable of a state. ``ObservableState()`` adds it to all variables to observe.
  @attached(accessor, names: named(init), named(get), named(set), named(_modify))
  @attached(peer, names: prefixed(_))
  public macro ObservationStateTracked() =
    #externalMacro(module: "RondoMacros", type: "ObservationStateTrackedMacro")

  /// Leaves one variable of an observable state unobserved: its changes notify no observer.
  @attached(accessor, names: named(willSet))
  public macro ObservationStateIgnored() =
    #externalMacro(module: "RondoMacros", type: "ObservationStateIgnoredMacro")

  /// Holds the state of a child that is presented now and then, in an observable state.
  ///
  /// ```swift
  /// @ObservableState
  /// struct State {
  ///   @Presents var destination: Destination.State?
  /// }
  ///
  /// Reduce { state, action in … }
  ///   .ifLet(\.$destination, action: \.destination)
  /// ```
  ///
  /// The variable is `nil` while nothing is presented. With a dollar sign before its name it is the
  /// ``PresentationState`` itself, which reducers compose by.
  @attached(accessor, names: named(init), named(get), named(set), named(_modify))
  @attached(peer, names: prefixed(`$`), prefixed(_))
  public macro Presents() = #externalMacro(module: "RondoMacros", type: "PresentsMacro")

#endif
