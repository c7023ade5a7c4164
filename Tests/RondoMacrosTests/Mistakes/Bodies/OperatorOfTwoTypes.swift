Reduce { state, action in
  switch action {
  case .increment:
    state.title = state.title + state.count  // mistake: Int
    return .none
  default: return .none
  }
}
