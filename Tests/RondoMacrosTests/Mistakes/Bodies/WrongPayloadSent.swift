Reduce { state, action in
  switch action {
  case .increment:
    return .send(.named(state.count))  // mistake: String
  default: return .none
  }
}
