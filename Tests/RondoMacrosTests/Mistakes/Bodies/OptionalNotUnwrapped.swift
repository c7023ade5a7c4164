Reduce { state, action in
  switch action {
  case .increment:
    state.count = state.sheet.count  // mistake: must be unwrapped
    return .none
  default: return .none
  }
}
