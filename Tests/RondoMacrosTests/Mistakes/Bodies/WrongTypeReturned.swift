Reduce { state, action in
  switch action {
  case .increment:
    return state.count  // mistake: Int
  default: return .none
  }
}
