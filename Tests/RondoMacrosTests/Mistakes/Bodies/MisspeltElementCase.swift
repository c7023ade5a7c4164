Reduce { state, action in
  switch action {
  case .rows(.element(id: _, action: .taped)):  // mistake: taped
    state.count += 1
    return .none
  default: return .none
  }
}
