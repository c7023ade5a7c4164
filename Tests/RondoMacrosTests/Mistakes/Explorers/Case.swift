.actions(.queryChanged("b"), .querChanged("bl"))  // mistake: querChanged
