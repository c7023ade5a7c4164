Reduce { state, action in
  switch action {
  case .incremnt:  // mistake: incremnt
    state.count += 1
    return .none
  default: return .none
  }
}
