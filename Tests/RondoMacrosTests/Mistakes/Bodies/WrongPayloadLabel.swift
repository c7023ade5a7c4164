Reduce { state, action in
  switch action {
  case .moved(x: let x, z: let y):  // mistake: tuple pattern element label 'z'
    state.count = x + y
    return .none
  default: return .none
  }
}
