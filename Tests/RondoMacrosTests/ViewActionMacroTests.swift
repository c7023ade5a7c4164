// `@ViewAction`: expansions and diagnostics.

import Testing

// C10
struct ViewActionMacroTests {
  @Test("A view with a store sends its own actions")
  func conformance() throws {
    try expectExpansion(
      of: "ViewAction",
      in: """
        @ViewAction(for: Feature.self)
        struct FeatureView {
          let store: StoreOf<Feature>

          func tapped() {
            send(.tapped)
          }
        }
        """,
      to: """
        struct FeatureView {
          let store: StoreOf<Feature>

          func tapped() {
            send(.tapped)
          }
        }

        extension FeatureView: _Rondo.ViewActionSending {
        }
        """)
  }

  @Test("There has to be a store")
  func noStore() throws {
    try expectExpansion(
      of: "ViewAction",
      in: """
        @ViewAction(for: Feature.self)
        public struct FeatureView {
          func tapped() {}
        }
        """,
      diagnostics: [
        """
        1:1: error: '@ViewAction' sends through a property 'store', which is missing. Add \
        'public let store: StoreOf<Feature>'.
        """
      ],
      fixed: """
        @ViewAction(for: Feature.self)
        public struct FeatureView {
          public let store: StoreOf<Feature>
          func tapped() {}
        }
        """)
  }

  @Test("Sending through the store is pointed out")
  func storeSend() throws {
    try expectExpansion(
      of: "ViewAction",
      in: """
        @ViewAction(for: Feature.self)
        struct FeatureView {
          let store: StoreOf<Feature>

          func tapped() {
            store.send(.view(.tapped))
            self.store.send(.view(.renamed(to: "x")), animation: .default)
            store.send(.loaded)
          }
        }
        """,
      diagnostics: [
        """
        6:5: warning: 'store.send' goes around '@ViewAction'. Call 'send' with an action of \
        the view.
        """,
        """
        7:5: warning: 'store.send' goes around '@ViewAction'. Call 'send' with an action of \
        the view.
        """,
        """
        8:5: warning: 'store.send' goes around '@ViewAction'. Call 'send' with an action of \
        the view.
        """,
      ],
      fixed: """
        @ViewAction(for: Feature.self)
        struct FeatureView {
          let store: StoreOf<Feature>

          func tapped() {
            send(.tapped)
            send(.renamed(to: "x"), animation: .default)
            store.send(.loaded)
          }
        }
        """)
  }
}
