Reduce { state, action in
  switch action {
  case .sheet(.presented(.taped)):  // mistake: taped
    state.count += 1
    return .none
  default: return .none
  }
}
