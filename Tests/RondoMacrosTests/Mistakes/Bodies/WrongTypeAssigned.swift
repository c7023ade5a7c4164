Reduce { state, action in
  switch action {
  case .increment:
    state.count = "one"  // mistake: String
    return .none
  default: return .none
  }
}
