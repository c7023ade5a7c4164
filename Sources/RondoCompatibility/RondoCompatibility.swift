// The module that a source which comes over also sees when it imports this one.

@_exported import Rondo
