Reduce { state, action in
  if case .incremnt = action {  // mistake: incremnt
    state.count += 1
  }
  return .none
}
