EmptyReducer()
  .ifLet(\.$sheet, action: \.sheet) {
    Reduce { state, action in
      switch action {
      case .taped: return .none  // mistake: taped
      default: return .none
      }
    }
  }
