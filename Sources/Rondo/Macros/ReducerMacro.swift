// `@Reducer` and the attributes of its cases.

#if RONDO_MACROS

  /// Makes a structure a feature, or an enum a choice of features.
  ///
  /// ## A structure
  ///
  /// ```swift
  /// @Reducer
  /// struct Counter {
  ///   @ObservableState
  ///   struct State: Equatable { var count = 0 }
  ///   enum Action { case increment, decrement }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce { state, action in
  ///       switch action {
  ///       case .increment: state.count += 1
  ///       case .decrement: state.count -= 1
  ///       }
  ///       return .none
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// The structure gets its conformance to ``Reducer``. `Action`, and a `State` that is an enum,
  /// become ``CasePathable``, and `body` a ``ReducerBuilder``. A structure that has neither `body`
  /// nor `reduce(into:action:)` also gets the missing parts of an empty feature, as a place to
  /// start.
  ///
  /// ## An enum
  ///
  /// ```swift
  /// @Reducer
  /// enum Destination {
  ///   case edit(EditItem)
  ///   case filter(Filter = Filter(mode: .simple))
  ///   case alert(AlertState<Alert>)
  ///   @ReducerCaseIgnored
  ///   case share(Item)
  ///
  ///   enum Alert { case deleteConfirmed }
  /// }
  /// ```
  ///
  /// Each case holds a feature, of which one is present at a time: the destinations of a screen, or
  /// the elements of a stack. The enum gets `State` and `Action` with the same cases, a `body` that
  /// runs the feature that is present, and `scope(_:)`, which turns a store of the enum into one of
  /// the case's feature. The default value of a case is the reducer to run. Alerts and dialogs are
  /// known to be state without a reducer; cases with no value, or several, hold values.
  ///
  /// Add conformances of the generated types in extensions, `extension Destination.State: Equatable
  /// {}`, or see ``Reducer(state:action:)``.
  @attached(
    member,
    names: named(State), named(Action), named(init), named(body), named(CaseScope), named(scope))
  @attached(memberAttribute)
  @attached(extension, conformances: Reducer, CaseReducer)
  public macro Reducer() = #externalMacro(module: "RondoMacros", type: "ReducerMacro")

  /// Makes an enum a choice of features, as ``Reducer()`` does, whose generated types conform to
  /// protocols.
  ///
  /// ```swift
  /// @Reducer(state: .equatable, .sendable, action: .sendable)
  /// enum Path {
  ///   case detail(Detail)
  ///   case settings(Settings)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The protocols that `State` conforms to.
  ///   - action: The protocols that `Action` conforms to.
  @attached(
    member,
    names: named(State), named(Action), named(init), named(body), named(CaseScope), named(scope))
  @attached(memberAttribute)
  @attached(extension, conformances: Reducer, CaseReducer)
  public macro Reducer(
    state: _SynthesizedConformance..., action: _SynthesizedConformance...
  ) = #externalMacro(module: "RondoMacros", type: "ReducerMacro")

  /// A protocol that the compiler can implement for a generated type.
  public struct _SynthesizedConformance: Sendable {
    public static let codable = Self()
    public static let decodable = Self()
    public static let encodable = Self()
    public static let equatable = Self()
    public static let hashable = Self()
    public static let sendable = Self()
  }

  /// Says of a case of an enum of features that it holds values and no feature.
  ///
  /// ```swift
  /// @ReducerCaseIgnored
  /// case share(Item)
  /// ```
  @attached(peer)
  public macro ReducerCaseIgnored() = #externalMacro(module: "RondoMacros", type: "MarkerMacro")

  /// Marks a case of an enum of features: it holds state that goes away with the first action.
  ///
  /// Cases that hold an `AlertState` or a `ConfirmationDialogState` need not be marked. The actions
  /// are those of the state's one generic argument, or of its member `Action`.
  @attached(peer)
  public macro ReducerCaseEphemeral() = #externalMacro(module: "RondoMacros", type: "MarkerMacro")

#endif
