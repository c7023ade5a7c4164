Reduce { state, action in
  switch action {
  case .named:
    return .run { send in
      await send(.incremnt)  // mistake: incremnt
    }
  default: return .none
  }
}
