// `@Reducer` on structures: expansions and diagnostics.

import Testing

// C10
struct ReducerMacroTests {
  @Test("A feature gets its conformance, its actions case paths, its body the builder")
  func feature() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        struct Feature {
          struct State {
          }
          enum Action {
          }
          var body: some ReducerOf<Self> {
            EmptyReducer()
          }
        }
        """,
      to: """
        struct Feature {
          struct State {
          }
          @CasePathable
          enum Action {
          }
          @_Rondo.ReducerBuilder<Self.State, Self.Action>
          var body: some ReducerOf<Self> {
            EmptyReducer()
          }
        }

        extension Feature: _Rondo.Reducer {
        }
        """)
  }

  @Test("A state of cases gets case paths and members, too")
  func enumState() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        struct Feature {
          enum State {
          }
          enum Action {
          }
          var body: some Reducer<State, Action> {
            EmptyReducer()
          }
        }
        """,
      to: """
        struct Feature {
          @CasePathable @dynamicMemberLookup
          enum State {
          }
          @CasePathable
          enum Action {
          }
          @_Rondo.ReducerBuilder<State, Action>
          var body: some Reducer<State, Action> {
            EmptyReducer()
          }
        }

        extension Feature: _Rondo.Reducer {
        }
        """)
  }

  @Test("What is there is not added again")
  func alreadyThere() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        struct Feature {
          @CasePathable
          @dynamicMemberLookup
          enum State {
          }
          enum Action: CasePathable {
          }
          @ReducerBuilder<State, Action>
          var body: some ReducerOf<Self> {
            EmptyReducer()
          }
        }
        """,
      to: """
        struct Feature {
          @CasePathable
          @dynamicMemberLookup
          enum State {
          }
          enum Action: CasePathable {
          }
          @ReducerBuilder<State, Action>
          var body: some ReducerOf<Self> {
            EmptyReducer()
          }
        }

        extension Feature: _Rondo.Reducer {
        }
        """)
  }

  @Test("The builder has the types that the body names")
  func otherTypes() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        struct Feature {
          var body: some ReducerOf<Base<Int>> {
            Base()
          }
        }
        @Reducer
        struct Numbers {
          var body: Reduce<Int, Bool> {
            Reduce { _, _ in .none }
          }
        }
        """,
      to: """
        struct Feature {
          @_Rondo.ReducerBuilder<Base<Int>.State, Base<Int>.Action>
          var body: some ReducerOf<Base<Int>> {
            Base()
          }
        }
        struct Numbers {
          @_Rondo.ReducerBuilder<Int, Bool>
          var body: Reduce<Int, Bool> {
            Reduce { _, _ in .none }
          }
        }

        extension Feature: _Rondo.Reducer {
        }

        extension Numbers: _Rondo.Reducer {
        }
        """)
  }

  @Test("A structure without anything is an empty feature to start from")
  func empty() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        public struct Feature {
        }
        """,
      to: """
        public struct Feature {

          @ObservableState
          public struct State: Swift.Codable, Swift.Equatable, Swift.Hashable, Swift.Sendable {
            public init() {}
          }

          public enum Action: Swift.Equatable, Swift.Hashable, Swift.Sendable {}

          public let body = _Rondo.EmptyReducer<State, Action>()
        }

        extension Feature: _Rondo.Reducer {
        }
        """)
  }

  @Test("Types that are there are kept")
  func onlyTypes() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        struct Feature {
          typealias State = Int
          enum Action {
            case tapped
          }
        }
        """,
      to: """
        struct Feature {
          typealias State = Int
          @CasePathable
          enum Action {
            case tapped
          }

          let body = _Rondo.EmptyReducer<State, Action>()
        }

        extension Feature: _Rondo.Reducer {
        }
        """)
  }

  @Test("A feature may implement `reduce(into:action:)` instead")
  func reduceMethod() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @available(macOS 99, *)
        @Reducer
        struct Feature {
          func reduce(into state: inout Int, action: Bool) -> Effect<Bool> {
            .none
          }
        }
        """,
      to: """
        @available(macOS 99, *)
        struct Feature {
          func reduce(into state: inout Int, action: Bool) -> Effect<Bool> {
            .none
          }
        }

        @available(macOS 99, *)
        extension Feature: _Rondo.Reducer {
        }
        """)
  }

  @Test("Types that are made conform to what is asked for")
  func conformancesOfStructure() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer(state: .equatable, action: .sendable, .codable)
        struct Feature {
        }
        """,
      to: """
        struct Feature {

          @ObservableState
          struct State: Swift.Codable, Swift.Equatable, Swift.Hashable, Swift.Sendable {
            init() {}
          }

          enum Action: Swift.Equatable, Swift.Hashable, Swift.Sendable, Swift.Codable {}

          let body = _Rondo.EmptyReducer<State, Action>()
        }

        extension Feature: _Rondo.Reducer {
        }
        """)
  }

  @Test("A method would keep the body from running")
  func both() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        struct Feature {
          func reduce(into state: inout Int, action: Bool) -> Effect<Bool> {
            .none
          }
          var body: some Reducer<Int, Bool> {
            Reduce(reduce)
          }
        }
        """,
      diagnostics: [
        """
        3:8: error: A reducer has a 'body' or this method, which wins: 'body' would never \
        run. Remove one of them, or rename the method and use it in a 'Reduce'.
        """
      ])
  }

  @Test("A reducer is a value")
  func reference() throws {
    try expectExpansion(
      of: "Reducer",
      in: """
        @Reducer
        final class Feature {
        }
        """,
      diagnostics: [
        """
        1:1: error: '@Reducer' is for values: 'Feature' is not one. Make it a struct, or an \
        enum whose cases hold features.
        """
      ])
  }
}
