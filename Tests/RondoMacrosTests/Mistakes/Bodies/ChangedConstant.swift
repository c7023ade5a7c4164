Reduce { state, action in
  switch action {
  case .increment:
    let total = state.count
    total += 1  // mistake: 'total' is a 'let' constant
    return .none
  default: return .none
  }
}
