if isOn {
  Reduce { state, action in
    switch action {
    case .incremnt: return .none  // mistake: incremnt
    default: return .none
    }
  }
}
