// The session that requests are made in, as a dependency.
//
// It is a library of its own, because a program that links the networking of Foundation loads some
// forty libraries when it starts.

@_exported import Foundation
@_exported import Rondo
internal import RondoTransferGuard

#if canImport(FoundationNetworking)
  // The module with the `URLSession` of Foundation, on platforms where it is a module of its own.
  @_exported import FoundationNetworking
#endif

extension DependencyValues {
  /// The session that requests are made in. Reported in tests.
  ///
  /// ```swift
  /// import RondoNetworking
  ///
  /// @Dependency(\.urlSession) var urlSession
  /// ```
  public var urlSession: URLSession {
    get { self[URLSessionKey.self] }
    set { self[URLSessionKey.self] = newValue }
  }
}

private enum URLSessionKey: DependencyKey {
  static var liveValue: URLSession {
    // Named here so that the guard is linked: from then on it is in front of every session.
    _ = rondo_transfersAreGuarded
    return .shared
  }
}
