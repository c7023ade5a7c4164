@_exported import RondoTestStore
