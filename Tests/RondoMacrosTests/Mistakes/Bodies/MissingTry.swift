Reduce { state, action in
  switch action {
  case .increment:
    let value = parsed(state.title)  // mistake: try
    state.count = value
    return .none
  default: return .none
  }
}
