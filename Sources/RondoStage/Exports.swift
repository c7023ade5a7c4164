// What a user of the stage needs to see with it.

@_exported import RondoAnimation
@_exported import RondoScheduling
