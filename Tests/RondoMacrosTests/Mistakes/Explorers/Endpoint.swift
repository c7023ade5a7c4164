.outcomes(of: \.api.serch) { query in [.success([query])] }  // mistake: serch
