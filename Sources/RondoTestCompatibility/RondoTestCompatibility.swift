// The modules that a test which comes over also sees when it imports this one.

@_exported import RondoCompatibility
@_exported import RondoTestStore
