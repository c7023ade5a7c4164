// What a test sees when it imports this module: the test store, and traits for Swift Testing.

@_exported import RondoTestStore
@_exported import RondoExploration
