Reduce { _, _ in .none }
  .forEach(\.rwos, action: \.rows) {  // mistake: rwos
    Child()
  }
