// The names that a test sees when it imports this module.

@_exported import RondoTestStore
