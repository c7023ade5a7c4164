Reduce { state, action in
  switch action {
  case .binding: return .none
  case .named(let name):
    state.title = name
    return .none
  case .incremnt:  // mistake: incremnt
    state.count += 1
    return .none
  case .child(.tapped): return .send(.increment)
  default: return .none
  }
}
