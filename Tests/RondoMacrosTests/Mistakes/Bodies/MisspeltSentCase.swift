Reduce { state, action in
  switch action {
  case .named: return .send(.incremnt)  // mistake: incremnt
  default: return .none
  }
}
