Reduce { state, action in
  switch action {
  case .increment:
    state.sheet = Child.State(count: 1)  // mistake: id
    return .none
  default: return .none
  }
}
