// The module that a test also sees when it imports this one.

@_exported import Rondo
