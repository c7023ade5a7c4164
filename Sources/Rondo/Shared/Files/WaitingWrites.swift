// The writes of shared values that are not done yet when the program ends.

import Foundation
import Synchronization

/// Writes the shared values that wait to be written: those of `.fileStorage` and `.appStorage`.
///
/// A change is written soon after it was made, and at the latest by `exit`, which comes to it by itself.
/// A change that could not be written is tried again. A program that ends in another way calls this before:
///
/// ```swift
/// let listener = try SignalListener([SIGINT, SIGTERM]) { number in
///   writeSharedValues()
///   SignalListener.endProgram(by: number)
/// }
/// ```
///
/// It returns when all has been written. Errors are those of the values: `$value.saveError`.
public func writeSharedValues() {
  WaitingWrites.finish()
}

/// The ways to write what waits.
enum WaitingWrites {
  private static let all = Mutex<[@Sendable () -> Void]>([])
  private static let atTheEnd: Void = { _ = atexit { WaitingWrites.finish() } }()

  /// Adds one that is used by ``writeSharedValues()``, and when the program ends.
  static func add(_ write: @escaping @Sendable () -> Void) {
    all.withLock { $0.append(write) }
    atTheEnd
  }

  fileprivate static func finish() {
    for write in all.withLock(\.self) { write() }
  }
}
