.actions(.queryChanged(1), .failed)  // mistake: String
