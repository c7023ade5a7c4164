Reduce { _, _ in .none }
  .ifLet(\.$shete, action: \.sheet) {  // mistake: shete
    Child()
  }
