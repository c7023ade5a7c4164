Reduce { state, action in
  switch action {
  case .increment:
    return .run { _ in }
      .cancelable(id: 1)  // mistake: cancelable
  default: return .none
  }
}
