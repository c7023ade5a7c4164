Reduce { state, action in
  switch action {
  case .increment:
    state.count = nil  // mistake: nil
    return .none
  default: return .none
  }
}
