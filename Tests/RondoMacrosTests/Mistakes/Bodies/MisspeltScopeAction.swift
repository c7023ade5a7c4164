Scope(state: \.child, action: \.chlid) { Child() }  // mistake: chlid
