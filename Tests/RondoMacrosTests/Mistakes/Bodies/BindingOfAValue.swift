Reduce { state, action in
  switch action {
  case .increment:
    guard let count = state.count else { return .none }  // mistake: Optional
    state.count = count + 1
    return .none
  default: return .none
  }
}
