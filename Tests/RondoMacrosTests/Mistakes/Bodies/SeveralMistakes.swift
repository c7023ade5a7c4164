Reduce { state, action in
  switch action {
  case .increment:
    state.cuont += 1  // mistake: cuont
    state.titel = ""
    return .snd(.named(""))
  default: return .none
  }
}
