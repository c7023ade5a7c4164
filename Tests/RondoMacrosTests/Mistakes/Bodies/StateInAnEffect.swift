Reduce { state, action in
  switch action {
  case .increment:
    return .run { _ in
      print(state.count)  // mistake: state
    }
  default: return .none
  }
}
