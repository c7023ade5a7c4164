Reduce { state, action in
  switch action {
  case .rows(.element(ident: _, action: .tapped)):  // mistake: ident
    state.count += 1
    return .none
  default: return .none
  }
}
