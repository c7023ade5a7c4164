.actions(.rated(3, "x"))  // mistake: by:
