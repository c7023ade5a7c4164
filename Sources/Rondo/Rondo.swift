// The modules that an app sees when it imports this one, and the keys that tests own.

@_exported import Dispatch
@_exported import Foundation
@_exported import Observation
@_exported import RondoAnimation
@_exported import RondoScheduling

/// The keys whose values belong to the running test. They are listed here, above all folders, because
/// dependencies know nothing of those who have a key.
let keysOwnedByTests: [any KeyOwnedByTest.Type] = [StoragesKey.self]
