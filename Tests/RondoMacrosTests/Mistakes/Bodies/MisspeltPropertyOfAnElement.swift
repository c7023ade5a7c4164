Reduce { state, action in
  switch action {
  case .increment:
    state.rows[id: 0]?.cuont += 1  // mistake: cuont
    return .none
  default: return .none
  }
}
