Reduce { state, action in
  switch action {
  case .named:
    return .merge(
      .send(.increment),
      .snd(.increment)  // mistake: snd
    )
  default: return .none
  }
}
