import Rondo

struct FeatureWithoutMacro {
  @ObservableState
  struct State { var count = 0 }
  enum Action { case tapped }
  var body: some ReducerOf<Self> {  // mistake: 'Reducer'
    Reduce { state, action in
      state.count += 1
      return .none
    }
  }
}
