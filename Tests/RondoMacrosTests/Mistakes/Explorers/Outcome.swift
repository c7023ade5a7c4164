.outcomes(of: \.api.search) { query in [.success([query]), .nevr] }  // mistake: nevr
