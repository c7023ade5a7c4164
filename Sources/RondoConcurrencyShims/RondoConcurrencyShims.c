// All of it is in the header.
