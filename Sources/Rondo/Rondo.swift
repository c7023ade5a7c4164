// What an app sees when it imports this module.

@_exported import Dispatch
@_exported import RondoAnimation
@_exported import RondoScheduling
