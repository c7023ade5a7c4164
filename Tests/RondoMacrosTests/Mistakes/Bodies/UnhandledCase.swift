Reduce { state, action in
  switch action {  // mistake: exhaustive
  case .increment: return .none
  case .binding: return .none
  }
}
