Reduce { _, _ in .none }
  .ifLet(\.$sheet, action: \.shete) {  // mistake: shete
    Child()
  }
