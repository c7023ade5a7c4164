.actions(.strings(of: "a", upTo: 2)) { .opened($0) }  // mistake: String
