// Modules that every user of the stage needs as well.

@_exported import RondoAnimation
@_exported import RondoScheduling
