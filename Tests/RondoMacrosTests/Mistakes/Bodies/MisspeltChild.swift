Scope(state: \.child, action: \.child) { Chlid() }  // mistake: Chlid
