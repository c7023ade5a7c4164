// The modules that an app sees when it imports this one.

@_exported import Dispatch
@_exported import Foundation
@_exported import Observation
@_exported import RondoAnimation
@_exported import RondoScheduling

#if canImport(FoundationNetworking)
  // The module with the `URLSession` of Foundation, on platforms where it is a module of its own.
  @_exported import FoundationNetworking
#endif
