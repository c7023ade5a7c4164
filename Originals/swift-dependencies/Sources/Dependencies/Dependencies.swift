@_exported import RondoCompatibility
@_exported import RondoNetworking
