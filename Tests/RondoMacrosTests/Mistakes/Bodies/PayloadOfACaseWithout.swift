Reduce { state, action in
  switch action {
  case .increment(let number):  // mistake: increment
    state.count += number
    return .none
  default: return .none
  }
}
