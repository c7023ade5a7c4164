// The modules that an app sees when it imports this one.

@_exported import Dispatch
@_exported import Foundation
@_exported import Observation
@_exported import RondoAnimation
@_exported import RondoScheduling
