// The values of a program that are other ones in every run of it.

import Foundation
import RondoScheduling
import Synchronization

/// A value that a dependency has given: an identifier, the date, or an endpoint of a client.
package enum DrawnValue: Sendable {
  case uuid(UUID)
  case date(Date)
  /// The closure of a client, by its name.
  case endpoint(String)

  private static let handler = Mutex<(@Sendable (DrawnValue) -> Void)?>(nil)

  /// Names the taker of the values that are given in the process from now on, while somebody records.
  static func setHandler(_ handle: @escaping @Sendable (DrawnValue) -> Void) {
    handler.withLock { $0 = handle }
  }

  /// Whether somebody records, and so wants to know.
  static var isAskedFor: Bool { RecordingsInProgress.isAny }

  /// Tells the recording of the code that has asked for the value.
  func tell() {
    guard RecordingsInProgress.isAny else { return }
    Self.handler.withLock { $0 }?(self)
  }
}
