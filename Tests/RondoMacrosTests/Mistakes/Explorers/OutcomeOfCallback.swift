.outcomes(ofCallback: \.api.locate) { [.success("7")] }  // mistake: String
