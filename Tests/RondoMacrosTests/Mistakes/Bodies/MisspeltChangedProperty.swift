EmptyReducer()
  .onChange(of: \.cuont) { _, _ in  // mistake: cuont
    Reduce { _, _ in .none }
  }
