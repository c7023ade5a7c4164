// `@ObservableState` and its parts: expansions and diagnostics.

import Testing

// C10
struct ObservableStateMacroTests {
  @Test("Stored variables are tracked; constants, computed and static ones are left alone")
  func structure() throws {
    try expectExpansion(
      of: "ObservableState",
      in: """
        @ObservableState
        struct State {
          var count = 0
          let id: Int
          private(set) var name: String
          var isEmpty: Bool { count == 0 }
          static var initial = State(id: 0)
          lazy var cache = [Int]()
          @ObservationStateIgnored
          var log: [String] = []
          @Presents
          var alert: Alert?
          @Shared(.inMemory("user"))
          var user: String?
          func f() {}
        }
        """,
      to: #"""
        struct State {
          @ObservationStateTracked
          var count = 0
          let id: Int
          @ObservationStateTracked
          private(set) var name: String
          var isEmpty: Bool { count == 0 }
          static var initial = State(id: 0)
          lazy var cache = [Int]()
          @ObservationStateIgnored
          var log: [String] = []
          @Presents
          var alert: Alert?
          @Shared(.inMemory("user"))
          var user: String?
          func f() {}

          @available(swift, deprecated: 99)
          var _$observationRegistrar = _Rondo.ObservationStateRegistrar()

          @available(swift, deprecated: 99)
          var _$id: _Rondo.ObservableStateID {
            _$observationRegistrar.id
          }

          @available(swift, deprecated: 99)
          mutating func _$willModify() {
            _$observationRegistrar._$willModify()
          }

          static var _$layout: _Rondo.StateLayout<Self> {
            var layout = _Rondo.StateLayout<Self>(registrar: \Self._$observationRegistrar)
            layout.add(\Self.count, \Self._count)
            layout.add(\Self.name, \Self._name)
            layout.add(\Self.$alert, \Self._alert, observedAs: \Self.alert)
            return layout
          }

          static func _$names(_ note: (Swift.AnyKeyPath, Swift.String) -> Swift.Void) {
            note(\Self.count, "count")
            note(\Self.name, "name")
            note(\Self.isEmpty, "isEmpty")
            note(\Self.alert, "alert")
            note(\Self.$alert, "$alert")
            note(\Self.user, "user")
            note(\Self.$user, "$user")
          }
        }

        extension State: _Rondo.ObservableState {
        }
        """#)
  }

  @Test("A tracked variable reports to the registrar")
  func tracking() throws {
    try expectExpansion(
      of: "ObservableState", "ObservationStateTracked", "ObservationStateIgnored",
      in: """
        @ObservableState
        public struct State {
          public var count: Int = 0
        }
        """,
      to: #"""
        public struct State {
          public var count: Int {
            @storageRestrictions(initializes: _count)
            init(initialValue) {
              _count = initialValue
            }
            get {
              _$observationRegistrar.access(self, keyPath: \.count)
              return _count
            }
            set {
              _$observationRegistrar.mutate(
                self, keyPath: \.count, &_count, newValue, _$isIdentityEqual)
            }
            _modify {
              let oldValue = _$observationRegistrar.willModify(
                self, keyPath: \.count, &_count)
              defer {
                _$observationRegistrar.didModify(
                  self, keyPath: \.count, &_count, oldValue, _$isIdentityEqual)
              }
              yield &_count
            }
          }

          private var _count: Int = 0

          @available(swift, deprecated: 99)
          var _$observationRegistrar = _Rondo.ObservationStateRegistrar()

          @available(swift, deprecated: 99)
          public var _$id: _Rondo.ObservableStateID {
            _$observationRegistrar.id
          }

          @available(swift, deprecated: 99)
          public mutating func _$willModify() {
            _$observationRegistrar._$willModify()
          }

          public static var _$layout: _Rondo.StateLayout<Self> {
            var layout = _Rondo.StateLayout<Self>(registrar: \Self._$observationRegistrar)
            layout.add(\Self.count, \Self._count)
            return layout
          }

          public static func _$names(_ note: (Swift.AnyKeyPath, Swift.String) -> Swift.Void) {
            note(\Self.count, "count")
          }
        }

        extension State: _Rondo.ObservableState {
        }
        """#)
  }

  @Test("Observers of a variable move to its storage")
  func observers() throws {
    try expectExpansion(
      of: "ObservationStateTracked",
      in: """
        struct State {
          @ObservationStateTracked
          var name: String {
            didSet { trim() }
          }
        }
        """,
      to: #"""
        struct State {
          var name: String {
            didSet { trim() }
              @storageRestrictions(initializes: _name)
              init(initialValue) {
                _name = initialValue
              }

              get {
                _$observationRegistrar.access(self, keyPath: \.name)
                return _name
              }

              set {
                _$observationRegistrar.mutate(
                  self, keyPath: \.name, &_name, newValue, _$isIdentityEqual)
              }
          }

          @ObservationStateIgnored private var _name: String {
            didSet { trim() }
          }
        }
        """#)
  }

  @Test("An enum is identified by its case and the state in it")
  func cases() throws {
    try expectExpansion(
      of: "ObservableState",
      in: """
        @ObservableState
        public enum State {
          case loading
          case list(List.State)
          case detail(state: Detail.State)
          case failed(Int, String)
          #if DEBUG
          case debug(Debug.State)
          #endif
        }
        """,
      to: """
        public enum State {
          case loading
          case list(List.State)
          case detail(state: Detail.State)
          case failed(Int, String)
          #if DEBUG
          case debug(Debug.State)
          #endif

          @available(swift, deprecated: 99)
          public var _$id: _Rondo.ObservableStateID {
            switch self {
            case .loading: return _Rondo.ObservableStateID._$inert._$tag(0)
            case .list(let v0): return ._$id(for: v0)._$tag(1)
            case .detail(let v0): return ._$id(for: v0)._$tag(2)
            case .failed: return _Rondo.ObservableStateID._$id(for: ())._$tag(3)
            #if DEBUG
            case .debug(let v0): return ._$id(for: v0)._$tag(4)
            #endif
            }
          }

          @available(swift, deprecated: 99)
          public mutating func _$willModify() {
            switch self {
            case .loading: break
            case .list(var v0):
              _Rondo.willModify(&v0)
              self = .list(v0)
            case .detail(var v0):
              _Rondo.willModify(&v0)
              self = .detail(state: v0)
            case .failed: break
            #if DEBUG
            case .debug(var v0):
              _Rondo.willModify(&v0)
              self = .debug(v0)
            #endif
            }
          }
        }

        extension State: _Rondo.ObservableState {
        }
        """)
  }

  @Test("Classes and actors are no values")
  func reference() throws {
    try expectExpansion(
      of: "ObservableState",
      in: """
        @ObservableState
        final class State {
        }
        @ObservableState
        actor Model {
        }
        """,
      diagnostics: [
        """
        1:1: error: '@ObservableState' is for values: 'State' is a class. Make it a struct \
        or an enum.
        """,
        """
        4:1: error: '@ObservableState' is for values: 'Model' is an actor. Make it a struct \
        or an enum.
        """,
      ])
  }

  @Test("Variables that share a declaration cannot have accessors")
  func several() throws {
    try expectExpansion(
      of: "ObservableState",
      in: """
        @ObservableState
        struct State {
          var x = 0, y = 0
          var (width, height) = (0, 0)
        }
        """,
      diagnostics: [
        """
        3:3: error: '@ObservableState' cannot observe several variables of one declaration. \
        Give each its own 'var'.
        """,
        """
        4:3: error: '@ObservableState' cannot observe several variables of one declaration. \
        Give each its own 'var'.
        """,
      ])
  }

  @Test("The attributes of observable classes are not those of states")
  func observationIgnored() throws {
    try expectExpansion(
      of: "ObservableState",
      in: """
        @ObservableState
        struct State {
          @ObservationIgnored var cache = 0
        }
        """,
      diagnostics: [
        """
        3:3: error: '@ObservationIgnored' is for '@Observable' classes. Use \
        '@ObservationStateIgnored' instead.
        """
      ],
      fixed: """
        @ObservableState
        struct State {
          @ObservationStateIgnored var cache = 0
        }
        """)
  }

  @Test("`@Presents` takes the place of the property wrapper")
  func presentationState() throws {
    try expectExpansion(
      of: "ObservableState",
      in: """
        @ObservableState
        struct State {
          @PresentationState var destination: Destination.State?
        }
        """,
      diagnostics: [
        """
        3:3: error: '@PresentationState' hides the variable from '@ObservableState'. Use \
        '@Presents' instead.
        """
      ],
      fixed: """
        @ObservableState
        struct State {
          @Presents var destination: Destination.State?
        }
        """)
  }

  @Test("Only stored variables can be tracked")
  func trackedConstant() throws {
    try expectExpansion(
      of: "ObservationStateTracked",
      in: """
        struct State {
          @ObservationStateTracked let id = 0
        }
        """,
      diagnostics: [
        """
        2:3: error: '@ObservationStateTracked' is for a stored variable of a structure. \
        Remove it.
        """
      ])
  }
}
