Reduce { state, action in
  switch action {
  case .moved(let x, let y, let z):  // mistake: tuple pattern
    state.count = x + y + z
    return .none
  default: return .none
  }
}
