@_exported import RondoNetworking
