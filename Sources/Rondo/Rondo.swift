// What an app sees when it imports this module.

@_exported import Dispatch
@_exported import Foundation
@_exported import Observation
@_exported import RondoAnimation
@_exported import RondoScheduling

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif
