Reduce { state, action in
  switch action {
  case .increment:
    for number in state.count {  // mistake: Sequence
      state.title += "\(number)"
    }
    return .none
  default: return .none
  }
}
