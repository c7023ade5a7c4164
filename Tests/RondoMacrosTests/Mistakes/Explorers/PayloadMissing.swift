.actions(.queryChanged, .failed)  // mistake: queryChanged
