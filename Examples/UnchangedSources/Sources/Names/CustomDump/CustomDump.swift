@_exported import RondoTesting
