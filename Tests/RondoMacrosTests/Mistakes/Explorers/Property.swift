.always { $0.results.isEmpty || $0.results == [$0.qery] }  // mistake: qery
