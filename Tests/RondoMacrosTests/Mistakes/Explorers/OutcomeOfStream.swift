.outcomes(ofStream: \.api.scores) { _ in [.finished(after: "1")] }  // mistake: String
