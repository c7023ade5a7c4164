Child.State(id: 1)  // mistake: Child.State
