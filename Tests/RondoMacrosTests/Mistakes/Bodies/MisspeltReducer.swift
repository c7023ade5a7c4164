Redcue { state, action in  // mistake: Redcue
  .none
}
