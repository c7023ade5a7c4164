Scope(state: \.chlid, action: \.child) { Child() }  // mistake, unnamed: conform to 'CasePathable'
