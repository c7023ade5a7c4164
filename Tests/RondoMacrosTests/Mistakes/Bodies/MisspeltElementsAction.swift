Reduce { _, _ in .none }
  .forEach(\.rows, action: \.rwos) {  // mistake: rwos
    Child()
  }
