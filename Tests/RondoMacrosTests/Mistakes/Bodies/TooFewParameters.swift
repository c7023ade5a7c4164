Reduce { state in  // mistake: 1 was used
  state.count += 1
  return .none
}
