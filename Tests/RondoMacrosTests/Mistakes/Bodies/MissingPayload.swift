Reduce { state, action in
  switch action {
  case .increment:
    return .send(.named)  // mistake: named
  default: return .none
  }
}
