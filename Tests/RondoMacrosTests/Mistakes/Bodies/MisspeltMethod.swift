Reduce { state, action in
  switch action {
  case .increment:
    state.rows.appnd(Child.State(id: 1))  // mistake: appnd
    return .none
  default: return .none
  }
}
