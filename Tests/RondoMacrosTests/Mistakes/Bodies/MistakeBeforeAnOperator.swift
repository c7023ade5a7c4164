Reduce { state, action in
  switch action {
  case .incremnt: return .none  // mistake: incremnt
  default: return .none
  }
}
.ifLet(\.$sheet, action: \.sheet) { Child() }
.forEach(\.rows, action: \.rows) { Child() }
