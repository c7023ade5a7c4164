// The sheet with the terms.

import Rondo

/// Asks whether the user accepts the terms, and goes away by itself.
@Reducer
struct Terms {
  @ObservableState
  struct State: Equatable {
    @Shared var data: SignUpData
  }

  enum Action {
    case acceptButtonTapped
    case closeButtonTapped
  }

  @Dependency(\.dismiss) private var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .acceptButtonTapped:
        state.$data.withLock { $0.acceptsTerms = true }
        return .run { _ in await dismiss(animation: .default) }

      case .closeButtonTapped:
        return .run { _ in await dismiss() }
      }
    }
  }
}
