// Exports of this module: a test that imports it sees the test store, exploration, and traits for
// Swift Testing.

@_exported import RondoTestStore
@_exported import RondoExploration
