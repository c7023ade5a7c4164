Reduce { state, action in
  switch action {
  case .named:
    return .run { send in
      send(.increment)  // mistake: await
    }
  default: return .none
  }
}
