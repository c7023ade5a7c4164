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

          ⋮

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

          ⋮

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
}
