// `@CasePathable`: expansions and diagnostics.

import Testing

// C10
struct CasePathableMacroTests {
  @Test("A case without values, with one, with several, with labels")
  func values() throws {
    try expectExpansion(
      of: "CasePathable",
      in: """
        @CasePathable
        enum Action {
          case reset
          case set(Int)
          case rename(to: String)
          case move(Int, to: Int)
        }
        """,
      to: #"""
        enum Action {
          case reset
          case set(Int)
          case rename(to: String)
          case move(Int, to: Int)

          nonisolated struct AllCasePaths:
            _Rondo.CasePathReflectable, Swift.Sendable, Swift.Sequence
          {
            var reset: _Rondo.AnyCasePath<Action, Swift.Void> {
              _Rondo.casePath(
                embed: { _ in .reset },
                extract: { if case .reset = $0 { () } else { nil } }
              )
            }
            var set: _Rondo.AnyCasePath<Action, Int> {
              _Rondo.casePath(
                embed: Action.set,
                extract: { if case .set(let v0) = $0 { v0 } else { nil } }
              )
            }
            var rename: _Rondo.AnyCasePath<Action, String> {
              _Rondo.casePath(
                embed: Action.rename,
                extract: { if case .rename(let v0) = $0 { v0 } else { nil } }
              )
            }
            var move: _Rondo.AnyCasePath<Action, (Int, to: Int)> {
              _Rondo.casePath(
                embed: { .move($0.0, to: $0.1) },
                extract: { if case .move(let v0, let v1) = $0 { (v0, v1) } else { nil } }
              )
            }

            subscript(root: Action) -> Swift.PartialKeyPath<Self> {
              if case .reset = root { return \.reset }
              if case .set = root { return \.set }
              if case .rename = root { return \.rename }
              if case .move = root { return \.move }
              return \.self
            }

            func makeIterator() -> Swift.IndexingIterator<[Swift.PartialKeyPath<Self>]> {
              [\.reset, \.set, \.rename, \.move].makeIterator()
            }
          }

          nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }
        }

        extension Action: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable {
        }
        """#)
  }

  @Test("Names that a sequence of case paths has itself")
  func namesOfSequences() throws {
    try expectExpansion(
      of: "CasePathable",
      in: """
        @CasePathable
        enum Root {
          case loaded([Element], then: Root)
        }
        """,
      to: #"""
        enum Root {
          case loaded([Element], then: Root)

          nonisolated struct AllCasePaths:
            _Rondo.CasePathReflectable, Swift.Sendable, Swift.Sequence
          {
            var loaded: _Rondo.AnyCasePath<_$Root, ([_$Element], then: _$Root)> {
              _Rondo.casePath(
                embed: { .loaded($0.0, then: $0.1) },
                extract: { if case .loaded(let v0, let v1) = $0 { (v0, v1) } else { nil } }
              )
            }

            subscript(root: _$Root) -> Swift.PartialKeyPath<Self> {
              if case .loaded = root { return \.loaded }
              return \.self
            }

            ⋮

          typealias _$Element = Element

          typealias _$Root = Root
        }

        extension Root: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable {
        }
        """#)
  }

  @Test("Members are seen where the enum is")
  func access() throws {
    try expectExpansion(
      of: "CasePathable",
      in: """
        @CasePathable
        public enum Action {
          case reset
        }
        @CasePathable
        package enum Message {
          case sent
        }
        """,
      to: #"""
        public enum Action {
          case reset

          public nonisolated struct AllCasePaths:
            _Rondo.CasePathReflectable, Swift.Sendable, Swift.Sequence
          {
            public var reset: _Rondo.AnyCasePath<Action, Swift.Void> {
              ⋮

            public subscript(root: Action) -> Swift.PartialKeyPath<Self> {
              if case .reset = root { return \.reset }
              return \.self
            }

            public func makeIterator() -> Swift.IndexingIterator<[Swift.PartialKeyPath<Self>]> {
              [\.reset].makeIterator()
            }
          }

          public nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }
        }
        package enum Message {
          case sent

          package nonisolated struct AllCasePaths:
            ⋮
          package nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }
        }

        extension Action: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable {
        }

        extension Message: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable {
        }
        """#)
  }

  @Test("An enum without a level of its own has its extension's")
  func accessOfExtension() throws {
    try expectExpansion(
      of: "CasePathable",
      in: """
        public extension Feature {
          @CasePathable
          enum Action {
            case reset
          }
        }
        """,
      to: #"""
        public extension Feature {
          enum Action {
            case reset

            public nonisolated struct AllCasePaths:
              ⋮
            public nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }
          }
        }

        extension Feature.Action: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable {
        }
        """#)
  }

  @Test("Cases stay in their `#if`")
  func conditionalCases() throws {
    try expectExpansion(
      of: "CasePathable",
      in: """
        @CasePathable
        enum Action {
          case tapped
          #if os(Linux)
          case signalled(Int)
          #elseif os(macOS)
          #if DEBUG
          case inspected
          #endif
          #else
          case opened
          #endif
        }
        """,
      to: #"""
        enum Action {
          case tapped
          #if os(Linux)
          case signalled(Int)
          #elseif os(macOS)
          #if DEBUG
          case inspected
          #endif
          #else
          case opened
          #endif

          nonisolated struct AllCasePaths:
            _Rondo.CasePathReflectable, Swift.Sendable, Swift.Sequence
          {
            var tapped: _Rondo.AnyCasePath<Action, Swift.Void> {
              _Rondo.casePath(
                embed: { _ in .tapped },
                extract: { if case .tapped = $0 { () } else { nil } }
              )
            }
            #if os(Linux)
            var signalled: _Rondo.AnyCasePath<Action, Int> {
              _Rondo.casePath(
                embed: Action.signalled,
                extract: { if case .signalled(let v0) = $0 { v0 } else { nil } }
              )
            }
            #elseif os(macOS)
            #if DEBUG
            var inspected: _Rondo.AnyCasePath<Action, Swift.Void> {
              _Rondo.casePath(
                embed: { _ in .inspected },
                extract: { if case .inspected = $0 { () } else { nil } }
              )
            }
            #endif
            #else
            var opened: _Rondo.AnyCasePath<Action, Swift.Void> {
              _Rondo.casePath(
                embed: { _ in .opened },
                extract: { if case .opened = $0 { () } else { nil } }
              )
            }
            #endif

            subscript(root: Action) -> Swift.PartialKeyPath<Self> {
              if case .tapped = root { return \.tapped }
              #if os(Linux)
              if case .signalled = root { return \.signalled }
              #elseif os(macOS)
              #if DEBUG
              if case .inspected = root { return \.inspected }
              #endif
              #else
              if case .opened = root { return \.opened }
              #endif
              return \.self
            }

            func makeIterator() -> Swift.IndexingIterator<[Swift.PartialKeyPath<Self>]> {
              var paths: [Swift.PartialKeyPath<Self>] = []
              paths.append(\.tapped)
              #if os(Linux)
              paths.append(\.signalled)
              #elseif os(macOS)
              #if DEBUG
              paths.append(\.inspected)
              #endif
              #else
              paths.append(\.opened)
              #endif
              return paths.makeIterator()
            }
          }

          nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }
        }

        extension Action: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable {
        }
        """#)
  }

  @Test("An enum without cases has no case to ask for")
  func noCases() throws {
    try expectExpansion(
      of: "CasePathable",
      in: """
        @CasePathable
        enum Action {
        }
        """,
      to: """
        enum Action {

          nonisolated struct AllCasePaths:
            Swift.Sendable, Swift.Sequence
          {
            func makeIterator() -> Swift.IndexingIterator<[Swift.PartialKeyPath<Self>]> {
              [].makeIterator()
            }
          }

          nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }
        }

        extension Action: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable {
        }
        """)
  }

  @Test("`Self` is the enum; keywords keep their backticks; defaults are the case's own")
  func selfAndKeywords() throws {
    try expectExpansion(
      of: "CasePathable",
      in: """
        @CasePathable
        indirect enum Tree {
          case `default`
          case node(Pair<Self>, count: Int = 0)
        }
        """,
      to: #"""
        indirect enum Tree {
          case `default`
          case node(Pair<Self>, count: Int = 0)

          nonisolated struct AllCasePaths:
            _Rondo.CasePathReflectable, Swift.Sendable, Swift.Sequence
          {
            var `default`: _Rondo.AnyCasePath<Tree, Swift.Void> {
              _Rondo.casePath(
                embed: { _ in .`default` },
                extract: { if case .`default` = $0 { () } else { nil } }
              )
            }
            var node: _Rondo.AnyCasePath<Tree, (Pair<Tree>, count: Int)> {
              _Rondo.casePath(
                embed: { .node($0.0, count: $0.1) },
                extract: { if case .node(let v0, let v1) = $0 { (v0, v1) } else { nil } }
              )
            }

            subscript(root: Tree) -> Swift.PartialKeyPath<Self> {
              if case .`default` = root { return \.`default` }
              if case .node = root { return \.node }
              return \.self
            }

            ⋮
        }

        extension Tree: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable {
        }
        """#)
  }

  @Test("A conformance that the compiler does not ask for is not repeated, and availability is")
  func existingConformance() throws {
    try expectExpansion(
      of: "CasePathable",
      in: """
        @available(macOS 99, *)
        @CasePathable
        enum Action {
          @available(*, deprecated)
          case old
        }
        """,
      to: #"""
        @available(macOS 99, *)
        enum Action {
          @available(*, deprecated)
          case old

          nonisolated struct AllCasePaths:
            _Rondo.CasePathReflectable, Swift.Sendable, Swift.Sequence
          {
            @available(*, deprecated)
            var old: _Rondo.AnyCasePath<Action, Swift.Void> {
              _Rondo.casePath(
                embed: { _ in .old },
                extract: { if case .old = $0 { () } else { nil } }
              )
            }

            subscript(root: Action) -> Swift.PartialKeyPath<Self> {
              if case .old = root { return \.old }
              return \.self
            }

            ⋮
        }

        @available(macOS 99, *)
        extension Action: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable {
        }
        """#)
  }

  @Test("Only enums have cases", arguments: ["CasePathable", "CaseBindable"])
  func structure(macro: String) throws {
    try expectExpansion(
      of: macro,
      in: """
        @\(macro)
        struct Action {
        }
        """,
      diagnostics: [
        "1:1: error: '@\(macro)' is for enums: a struct has no cases. Remove it."
      ])
  }

  @Test("Names of cases must differ", arguments: ["CasePathable", "CaseBindable"])
  func overload(macro: String) throws {
    try expectExpansion(
      of: macro,
      in: """
        @\(macro)
        enum Action {
          case set(Int)
          case set(to: Int)
        }
        """,
      diagnostics: [
        """
        4:8: error: '@\(macro)' needs names that are unique, and there is another case \
        'set'. Rename one of them.
        """
      ])
  }

  @Test(
    "A private type in another cannot be extended", arguments: ["CasePathable", "CaseBindable"])
  func privateToAnotherType(macro: String) throws {
    try expectExpansion(
      of: macro,
      in: """
        struct Feature {
          @\(macro)
          private enum Action {
            case reset
          }
        }
        """,
      diagnostics: [
        """
        3:3: error: 'Action' is private to the type around it, so that no extension can add \
        its conformances. Make it 'fileprivate'.
        """
      ],
      fixed: """
        struct Feature {
          @\(macro)
          fileprivate enum Action {
            case reset
          }
        }
        """)
  }
}
