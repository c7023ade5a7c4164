// The module that a source with an environment imports, in the place of Rondo.

@_exported import RondoTestCompatibility
