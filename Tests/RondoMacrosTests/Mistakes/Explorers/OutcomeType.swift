.outcomes(of: \.api.search) { query in [.success(query)] }  // mistake: Array<String>
