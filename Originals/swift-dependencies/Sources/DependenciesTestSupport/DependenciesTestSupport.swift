@_exported import RondoTestCompatibility
@_exported import RondoTesting
