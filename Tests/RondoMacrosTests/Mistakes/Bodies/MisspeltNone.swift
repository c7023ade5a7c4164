Reduce { state, action in
  switch action {
  case .increment:
    state.count += 1
    return .nnoe  // mistake: nnoe
  default: return .none
  }
}
