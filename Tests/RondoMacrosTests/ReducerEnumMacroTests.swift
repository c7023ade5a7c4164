// `@Reducer` on enums: expansions and diagnostics.

import Testing

// C10
struct ReducerEnumMacroTests {
  @Test("Cases of features, one with a reducer of its own")
  func features() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        enum Destination {
          case edit(EditItem)
          case filter(Search.Filter = Search.Filter(mode: .simple))
        }
        """,
      to: #"""
        enum Destination {
          case edit(EditItem)
          case filter(Search.Filter = Search.Filter(mode: .simple))

          @dynamicMemberLookup
          enum State:
            _Rondo.CaseReducerState,
            _Rondo.ObservableState,
            nonisolated _Rondo.CasePathable,
            nonisolated _Rondo.CasePathIterable
          {
            case edit(EditItem.State)
            case filter(Search.Filter.State)

            typealias StateReducer = Destination

            @available(swift, deprecated: 99)
            var _$id: _Rondo.ObservableStateID {
              switch self {
              case .edit(let v0): return ._$id(for: v0)._$tag(0)
              case .filter(let v0): return ._$id(for: v0)._$tag(1)
              }
            }

            @available(swift, deprecated: 99)
            mutating func _$willModify() {
              switch self {
              case .edit(var v0):
                _Rondo.willModify(&v0)
                self = .edit(v0)
              case .filter(var v0):
                _Rondo.willModify(&v0)
                self = .filter(v0)
              }
            }

            nonisolated struct AllCasePaths:
              _Rondo.CasePathReflectable, Swift.Sendable, Swift.Sequence
            {
              var edit: _Rondo.AnyCasePath<State, EditItem.State> {
              ⋮
              var filter: _Rondo.AnyCasePath<State, Search.Filter.State> {
              ⋮

            nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }
          }

          enum Action:
            nonisolated _Rondo.CasePathable,
            nonisolated _Rondo.CasePathIterable
          {
            case edit(EditItem.Action)
            case filter(Search.Filter.Action)

            nonisolated struct AllCasePaths:
              _Rondo.CasePathReflectable, Swift.Sendable, Swift.Sequence
            {
              var edit: _Rondo.AnyCasePath<Action, EditItem.Action> {
              ⋮
              var filter: _Rondo.AnyCasePath<Action, Search.Filter.Action> {
              ⋮

            nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }
          }

          @_Rondo.ReducerBuilder<Self.State, Self.Action>
          static var body: _Rondo.ReducerBuilder<Self.State, Self.Action>._Sequence<
            _Rondo.Scope<Self.State, Self.Action, EditItem>,
            _Rondo.Scope<Self.State, Self.Action, Search.Filter>
          > {
            _Rondo.Scope(state: \Self.State.Cases.edit, action: \Self.Action.Cases.edit) {
              EditItem()
            }
            _Rondo.Scope(state: \Self.State.Cases.filter, action: \Self.Action.Cases.filter) {
              Search.Filter(mode: .simple)
            }
          }

          enum CaseScope {
            case edit(_Rondo.StoreOf<EditItem>)
            case filter(_Rondo.StoreOf<Search.Filter>)
          }

          @MainActor
          static func scope(
            _ store: _Rondo.Store<Self.State, Self.Action>
          ) -> CaseScope {
            switch store.state {
            case .edit: return .edit(store.scope(state: \.edit, action: \.edit)!)
            case .filter: return .filter(store.scope(state: \.filter, action: \.filter)!)
            }
          }
        }

        extension Destination: _Rondo.CaseReducer, _Rondo.Reducer {
        }
        """#)
  }

  @Test("Alerts and dialogs, plain values, and nothing at all")
  func values() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        enum Destination {
          case alert(AlertState<Alert>)
          case dialog(ConfirmationDialogState<Never>)
          @ReducerCaseEphemeral
          case toast(Toast)
          @ReducerCaseIgnored
          case share(Item)
          case meeting(Meeting, in: Room)
          case help

          enum Alert {
            case confirmed
          }
        }
        """,
      to: #"""
        enum Destination {
          case alert(AlertState<Alert>)
          case dialog(ConfirmationDialogState<Never>)
          @ReducerCaseEphemeral
          case toast(Toast)
          @ReducerCaseIgnored
          case share(Item)
          case meeting(Meeting, in: Room)
          case help

          enum Alert {
            case confirmed
          }

          @dynamicMemberLookup
          enum State:
            _Rondo.CaseReducerState,
            _Rondo.ObservableState,
            nonisolated _Rondo.CasePathable,
            nonisolated _Rondo.CasePathIterable
          {
            case alert(AlertState<Alert>)
            case dialog(ConfirmationDialogState<Never>)
            case toast(Toast)
            case share(Item)
            case meeting(Meeting, in: Room)
            case help

            typealias StateReducer = Destination

            @available(swift, deprecated: 99)
            var _$id: _Rondo.ObservableStateID {
              switch self {
              case .alert(let v0): return ._$id(for: v0)._$tag(0)
              case .dialog(let v0): return ._$id(for: v0)._$tag(1)
              case .toast(let v0): return ._$id(for: v0)._$tag(2)
              case .share(let v0): return ._$id(for: v0)._$tag(3)
              case .meeting: return _Rondo.ObservableStateID._$id(for: ())._$tag(4)
              case .help: return _Rondo.ObservableStateID._$inert._$tag(5)
              }
            }

            ⋮
          }

          enum Action:
            nonisolated _Rondo.CasePathable,
            nonisolated _Rondo.CasePathIterable
          {
            case alert(Alert)
            case dialog(Never)
            case toast(Toast.Action)
            case share(Swift.Never)
            case meeting(Swift.Never)
            case help(Swift.Never)

            ⋮
          }

          @_Rondo.ReducerBuilder<Self.State, Self.Action>
          static var body: _Rondo.EmptyReducer<Self.State, Self.Action> {
            _Rondo.EmptyReducer<Self.State, Self.Action>()
          }

          enum CaseScope {
            case alert(AlertState<Alert>)
            case dialog(ConfirmationDialogState<Never>)
            case toast(Toast)
            case share(Item)
            case meeting(Meeting, in: Room)
            case help
          }

          @MainActor
          static func scope(
            _ store: _Rondo.Store<Self.State, Self.Action>
          ) -> CaseScope {
            switch store.state {
            case .alert(let v0): return .alert(v0)
            case .dialog(let v0): return .dialog(v0)
            case .toast(let v0): return .toast(v0)
            case .share(let v0): return .share(v0)
            case .meeting(let v0, let v1): return .meeting(v0, in: v1)
            case .help: return .help
            }
          }
        }

        extension Destination: _Rondo.CaseReducer, _Rondo.Reducer {
        }
        """#)
  }

  @Test("Members are seen where the enum is, and conform to what is asked for")
  func accessAndConformances() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer(state: .equatable, .sendable, action: .equatable)
        public enum Path {
          case detail(Detail<Int>)
        }
        """,
      to: #"""
        public enum Path {
          case detail(Detail<Int>)

          @dynamicMemberLookup
          public enum State:
            _Rondo.CaseReducerState,
            _Rondo.ObservableState,
            Swift.Equatable,
            Swift.Sendable,
            nonisolated _Rondo.CasePathable,
            nonisolated _Rondo.CasePathIterable
          {
            case detail(Detail<Int>.State)

            public typealias StateReducer = Path

            @available(swift, deprecated: 99)
            public var _$id: _Rondo.ObservableStateID {
              switch self {
              case .detail(let v0): return ._$id(for: v0)._$tag(0)
              }
            }

            @available(swift, deprecated: 99)
            public mutating func _$willModify() {
              switch self {
              case .detail(var v0):
                _Rondo.willModify(&v0)
                self = .detail(v0)
              }
            }

            ⋮
          }

          public enum Action:
            Swift.Equatable,
            nonisolated _Rondo.CasePathable,
            nonisolated _Rondo.CasePathIterable
          {
            case detail(Detail<Int>.Action)

            ⋮
          }

          @_Rondo.ReducerBuilder<Self.State, Self.Action>
          public static var body: _Rondo.Scope<Self.State, Self.Action, Detail<Int>> {
            _Rondo.Scope(state: \Self.State.Cases.detail, action: \Self.Action.Cases.detail) {
              Detail<Int>()
            }
          }

          public enum CaseScope {
            case detail(_Rondo.StoreOf<Detail<Int>>)
          }

          @MainActor
          public static func scope(
            _ store: _Rondo.Store<Self.State, Self.Action>
          ) -> CaseScope {
            switch store.state {
            case .detail: return .detail(store.scope(state: \.detail, action: \.detail)!)
            }
          }
        }

        extension Path: _Rondo.CaseReducer, _Rondo.Reducer {
        }
        """#)
  }

  @Test("Cases stay in their `#if`; indirect enums stay indirect")
  func conditionalCases() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        indirect enum Path {
          case detail(Detail)
          #if DEBUG
          case debug(Debug)
          case alert(AlertState<Never>)
          #endif
        }
        """,
      to: #"""
        indirect enum Path {
          case detail(Detail)
          #if DEBUG
          case debug(Debug)
          case alert(AlertState<Never>)
          #endif

          @dynamicMemberLookup
          indirect enum State:
            _Rondo.CaseReducerState,
            _Rondo.ObservableState,
            nonisolated _Rondo.CasePathable,
            nonisolated _Rondo.CasePathIterable
          {
            case detail(Detail.State)
            #if DEBUG
            case debug(Debug.State)
            case alert(AlertState<Never>)
            #endif

            typealias StateReducer = Path

            ⋮
          }

          indirect enum Action:
            nonisolated _Rondo.CasePathable,
            nonisolated _Rondo.CasePathIterable
          {
            case detail(Detail.Action)
            #if DEBUG
            case debug(Debug.Action)
            case alert(Never)
            #endif

            ⋮
          }

          @_Rondo.ReducerBuilder<Self.State, Self.Action>
          static var body: _Rondo.Reduce<Self.State, Self.Action> {
            _Rondo.ReducerBuilder<Self.State, Self.Action>.buildLimitedAvailability(
              _Rondo.CombineReducers {
                _Rondo.Scope(state: \Self.State.Cases.detail, action: \Self.Action.Cases.detail) {
                  Detail()
                }
                #if DEBUG
                _Rondo.Scope(state: \Self.State.Cases.debug, action: \Self.Action.Cases.debug) {
                  Debug()
                }
                #endif
              }
            )
          }

          enum CaseScope {
            case detail(_Rondo.StoreOf<Detail>)
            #if DEBUG
            case debug(_Rondo.StoreOf<Debug>)
            case alert(AlertState<Never>)
            #endif
          }

          @MainActor
          static func scope(
            _ store: _Rondo.Store<Self.State, Self.Action>
          ) -> CaseScope {
            switch store.state {
            case .detail: return .detail(store.scope(state: \.detail, action: \.detail)!)
            #if DEBUG
            case .debug: return .debug(store.scope(state: \.debug, action: \.debug)!)
            case .alert(let v0): return .alert(v0)
            #endif
            }
          }
        }

        extension Path: _Rondo.CaseReducer, _Rondo.Reducer {
        }
        """#)
  }

  @Test("A choice of nothing")
  func noCases() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        enum Destination {
        }
        """,
      to: """
        enum Destination {

          @dynamicMemberLookup
          enum State:
            _Rondo.CaseReducerState,
            _Rondo.ObservableState,
            nonisolated _Rondo.CasePathable,
            nonisolated _Rondo.CasePathIterable
          {
            typealias StateReducer = Destination

            @available(swift, deprecated: 99)
            var _$id: _Rondo.ObservableStateID {
              switch self {
              }
            }

            @available(swift, deprecated: 99)
            mutating func _$willModify() {
              switch self {
              }
            }

            ⋮
          }

          enum Action:
            nonisolated _Rondo.CasePathable,
            nonisolated _Rondo.CasePathIterable
          {
            ⋮
          }

          @_Rondo.ReducerBuilder<Self.State, Self.Action>
          static var body: _Rondo.EmptyReducer<Self.State, Self.Action> {
            _Rondo.EmptyReducer<Self.State, Self.Action>()
          }

          enum CaseScope {}

          @MainActor
          static func scope(
            _ store: _Rondo.Store<Self.State, Self.Action>
          ) -> CaseScope {
            switch store.state {
            }
          }
        }

        extension Destination: _Rondo.CaseReducer, _Rondo.Reducer {
        }
        """)
  }

  @Test("State that goes away is one value")
  func unclear() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        enum Destination {
          @ReducerCaseEphemeral
          case toast(Int, Int)
        }
        """,
      diagnostics: [
        """
        4:8: error: '@ReducerCaseEphemeral' is for a case of one value, the state that goes \
        away. Put the values of 'toast' into one.
        """
      ])
  }
}
