// `@CaseBindable`: expansions and diagnostics.

import Testing

// K39
struct CaseBindableMacroTests {
  @Test("A case without values, with one, with several, with labels")
  func values() throws {
    try expectExpansion(
      of: "CaseBindable",
      in: """
        @CaseBindable
        public enum Status {
          case unknown
          case inStock(quantity: Int)
          case moved(Int, to: String)
        }
        """,
      to: #"""
        public enum Status {
          case unknown
          case inStock(quantity: Int)
          case moved(Int, to: String)

          public nonisolated struct AllCasePaths:
            _Rondo.CasePathReflectable, Swift.Sendable, Swift.Sequence
          {
            public var unknown: _Rondo.AnyCasePath<Status, Swift.Void> {
              _Rondo.casePath(
                embed: { _ in .unknown },
                extract: { if case .unknown = $0 { () } else { nil } }
              )
            }
            public var inStock: _Rondo.AnyCasePath<Status, Int> {
              _Rondo.casePath(
                embed: Status.inStock,
                extract: { if case .inStock(let v0) = $0 { v0 } else { nil } }
              )
            }
            public var moved: _Rondo.AnyCasePath<Status, (Int, to: String)> {
              _Rondo.casePath(
                embed: { .moved($0.0, to: $0.1) },
                extract: { if case .moved(let v0, let v1) = $0 { (v0, v1) } else { nil } }
              )
            }

            public subscript(root: Status) -> Swift.PartialKeyPath<Self> {
              if case .unknown = root { return \.unknown }
              if case .inStock = root { return \.inStock }
              if case .moved = root { return \.moved }
              return \.self
            }

            public func makeIterator() -> Swift.IndexingIterator<[Swift.PartialKeyPath<Self>]> {
              [\.unknown, \.inStock, \.moved].makeIterator()
            }
          }

          public nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }

          public nonisolated enum UIBindingEnumeration {
            case unknown
            case inStock(quantity: _Rondo.Binding<Int>)
            case moved(_Rondo.Binding<Int>, to: _Rondo.Binding<String>)
          }

          public nonisolated static func _$caseBinding(
            _ binding: _Rondo.Binding<Status>
          ) -> UIBindingEnumeration {
            switch binding.wrappedValue {
            case .unknown: return .unknown
            case .inStock: return .inStock(quantity: binding._$case(\.inStock))
            case .moved:
              let values = binding._$case(\.moved)
              return .moved(values[dynamicMember: \.0], to: values[dynamicMember: \.1])
            }
          }
        }

        extension Status: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable, nonisolated \#
        _Rondo.CaseBindable {
        }
        """#)
  }

  @Test("Types that `Self` and names of sequences mean")
  func namesInside() throws {
    try expectExpansion(
      of: "CaseBindable",
      in: """
        @CaseBindable
        enum Root {
          case none
          case `default`([Element])
        }
        """,
      to: #"""
        enum Root {
          case none
          case `default`([Element])

          nonisolated struct AllCasePaths:
            _Rondo.CasePathReflectable, Swift.Sendable, Swift.Sequence
          {
            var none: _Rondo.AnyCasePath<_$Root, Swift.Void> {
              _Rondo.casePath(
                embed: { _ in .none },
                extract: { if case .none = $0 { () } else { nil } }
              )
            }
            var `default`: _Rondo.AnyCasePath<_$Root, [_$Element]> {
              _Rondo.casePath(
                embed: _$Root.`default`,
                extract: { if case .`default`(let v0) = $0 { v0 } else { nil } }
              )
            }

            subscript(root: _$Root) -> Swift.PartialKeyPath<Self> {
              if case .none = root { return \.none }
              if case .`default` = root { return \.`default` }
              return \.self
            }

            func makeIterator() -> Swift.IndexingIterator<[Swift.PartialKeyPath<Self>]> {
              [\.none, \.`default`].makeIterator()
            }
          }

          nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }

          typealias _$Element = Element

          typealias _$Root = Root

          nonisolated enum UIBindingEnumeration {
            case none
            case `default`(_Rondo.Binding<[_$Element]>)
          }

          nonisolated static func _$caseBinding(
            _ binding: _Rondo.Binding<_$Root>
          ) -> UIBindingEnumeration {
            switch binding.wrappedValue {
            case .none: return .none
            case .`default`: return .`default`(binding._$case(\.`default`))
            }
          }
        }

        extension Root: nonisolated _Rondo.CasePathable, nonisolated _Rondo.CasePathIterable, nonisolated \#
        _Rondo.CaseBindable {
        }
        """#)
  }

  @Test("Only enums have cases")
  func structure() throws {
    try expectExpansion(
      of: "CaseBindable",
      in: """
        @CaseBindable
        struct Status {
        }
        """,
      diagnostics: [
        "1:1: error: '@CaseBindable' is for enums: a struct has no cases. Remove it."
      ])
  }

  @Test("Names of cases must differ")
  func overload() throws {
    try expectExpansion(
      of: "CaseBindable",
      in: """
        @CaseBindable
        enum Status {
          case set(Int)
          case set(to: Int)
        }
        """,
      diagnostics: [
        """
        4:8: error: '@CaseBindable' needs names that are unique, and there is another case \
        'set'. Rename one of them.
        """
      ])
  }

  @Test("A private type in another cannot be extended")
  func privateToAnotherType() throws {
    try expectExpansion(
      of: "CaseBindable",
      in: """
        struct Item {
          @CaseBindable
          private enum Status {
            case sold
          }
        }
        """,
      diagnostics: [
        """
        3:3: error: 'Status' is private to the type around it, so that no extension can add \
        its conformances. Make it 'fileprivate'.
        """
      ],
      fixed: """
        struct Item {
          @CaseBindable
          fileprivate enum Status {
            case sold
          }
        }
        """)
  }
}
