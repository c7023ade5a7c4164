.availableActions { $0.child == nil ? [.opened(1)] : [.closd] }  // mistake: closd
