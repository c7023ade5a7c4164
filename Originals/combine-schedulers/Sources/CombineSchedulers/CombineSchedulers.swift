@_exported import RondoCompatibility
