// What an app sees when it imports this module.

@_exported import Dispatch
@_exported import Foundation
@_exported import RondoAnimation
@_exported import RondoScheduling

#if canImport(FoundationNetworking)
  // Where it is a module of its own, the `URLSession` of Foundation is in here.
  @_exported import FoundationNetworking
#endif
