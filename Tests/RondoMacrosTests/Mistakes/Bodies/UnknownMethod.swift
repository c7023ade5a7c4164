Reduce(coer)  // mistake: coer
