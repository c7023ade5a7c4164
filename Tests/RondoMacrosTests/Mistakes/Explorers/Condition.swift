.eventually { $0.query.count }  // mistake: cannot be used as a boolean
