Reduce { state, action in
  switch action {
  case .increment:
    let number: Int = state.title  // mistake: String
    state.count = number
    return .none
  default: return .none
  }
}
