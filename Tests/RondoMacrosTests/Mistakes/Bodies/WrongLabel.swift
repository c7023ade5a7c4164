Reduce { state, action in
  switch action {
  case .increment:
    return .run { [load] send in
      try await send(.named(load(id: 1)))  // mistake: id:
    }
  default: return .none
  }
}
