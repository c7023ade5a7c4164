Reduce { state, action in
  switch action {
  case .increment:
    state.child.cuont += 1  // mistake: cuont
    return .none
  default: return .none
  }
}
