Reduce { state, action in
  switch action {
  case .increment:
    state.id = 3  // mistake: 'id' is a 'let' constant
    return .none
  default: return .none
  }
}
