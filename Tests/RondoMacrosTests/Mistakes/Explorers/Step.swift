.everyStep { old, action, new in !old.isSavd || new.isSaved }  // mistake: isSavd
