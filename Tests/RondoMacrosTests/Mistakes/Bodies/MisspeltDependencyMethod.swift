Reduce { state, action in
  switch action {
  case .increment:
    return .run { [clock] send in
      try await clock.slep(for: .seconds(1))  // mistake: slep
      await send(.increment)
    }
  default: return .none
  }
}
