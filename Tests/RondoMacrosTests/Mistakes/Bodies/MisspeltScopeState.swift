Scope(state: \.chlid, action: \.child) { Child() }  // mistake: chlid
