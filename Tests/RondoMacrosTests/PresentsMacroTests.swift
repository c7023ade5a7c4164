// `@Presents`: expansions and diagnostics.

import Testing

// C10
struct PresentsMacroTests {
  @Test("The optional, its presentation, and the storage of both")
  func presentation() throws {
    try expectExpansion(
      of: "Presents",
      in: """
        @ObservableState
        struct State {
          @Presents var destination: Destination.State?
        }
        """,
      to: #"""
        @ObservableState
        struct State {
          var destination: Destination.State? {
            @storageRestrictions(initializes: _destination)
            init(initialValue) {
              _destination = _Rondo.PresentationState(wrappedValue: initialValue)
            }
            get {
              _$observationRegistrar.access(self, keyPath: \.destination)
              return _destination.wrappedValue
            }
            set {
              _$observationRegistrar.mutate(
                self, keyPath: \.destination, &_destination.wrappedValue, newValue, _$isIdentityEqual)
            }
            _modify {
              let oldValue = _$observationRegistrar.willModify(
                self, keyPath: \.destination, &_destination.wrappedValue)
              defer {
                _$observationRegistrar.didModify(
                  self, keyPath: \.destination, &_destination.wrappedValue, oldValue, _$isIdentityEqual)
              }
              yield &_destination.wrappedValue
            }
          }

          var $destination: _Rondo.PresentationState<Destination.State> {
            get {
              _$observationRegistrar.access(self, keyPath: \.destination)
              return _destination.projectedValue
            }
            set {
              _$observationRegistrar.mutate(
                self, keyPath: \.destination, &_destination.projectedValue, newValue,
                _$isIdentityEqual)
            }
          }

          @ObservationStateIgnored private var _destination =
            _Rondo.PresentationState<Destination.State>(wrappedValue: nil)
        }
        """#)
  }

  @Test("The presentation is seen where the variable is, and starts with its value")
  func accessAndInitialValue() throws {
    try expectExpansion(
      of: "Presents",
      in: """
        @ObservableState
        public struct State {
          @Presents public var alert: Optional<Alert> = Alert()
        }
        """,
      to: #"""
        @ObservableState
        public struct State {
          public var alert: Optional<Alert> {
            @storageRestrictions(initializes: _alert)
            init(initialValue) {
              _alert = _Rondo.PresentationState(wrappedValue: initialValue)
            }
            ⋮
          }

          public var $alert: _Rondo.PresentationState<Alert> {
            ⋮
          }

          @ObservationStateIgnored private var _alert =
            _Rondo.PresentationState<Alert>(wrappedValue: Alert())
        }
        """#)
  }

  @Test("What is presented can be absent")
  func notOptional() throws {
    try expectExpansion(
      of: "Presents",
      in: """
        @ObservableState
        struct State {
          @Presents var destination: Destination.State
        }
        """,
      diagnostics: [
        """
        3:30: error: '@Presents' needs an optional: 'destination' is 'nil' while nothing is \
        presented.
        """
      ],
      fixed: """
        @ObservableState
        struct State {
          @Presents var destination: Destination.State?
        }
        """)
  }

  @Test("The type must be written")
  func noType() throws {
    try expectExpansion(
      of: "Presents",
      in: """
        @ObservableState
        struct State {
          @Presents var destination = Destination.State()
        }
        """,
      diagnostics: [
        """
        3:17: error: '@Presents' needs the variable's type to be written: 'var destination: \
        Child.State?'.
        """
      ])
  }

  @Test("A constant cannot be dismissed")
  func constant() throws {
    try expectExpansion(
      of: "Presents",
      in: """
        @ObservableState
        struct State {
          @Presents let destination: Destination.State?
        }
        """,
      diagnostics: [
        """
        3:3: error: '@Presents' is for a stored variable: '@Presents var destination: \
        Destination.State?'.
        """
      ])
  }

  @Test("The structure has to be observable")
  func notObservable() throws {
    try expectExpansion(
      of: "Presents",
      in: """
        struct State {
          @Presents var destination: Destination.State?
        }
        """,
      diagnostics: [
        """
        2:3: error: '@Presents' reports to '@ObservableState'. Add that to the structure, or \
        use '@PresentationState' for a state that is not observed.
        """
      ])
  }
}
