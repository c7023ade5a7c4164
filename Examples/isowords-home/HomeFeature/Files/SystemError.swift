// The system's own words for why a call has failed.

import Foundation

/// An `errno`, with its description.
struct SystemError: Error, Equatable, CustomStringConvertible {
  let code: Int32

  /// The error of the call that has just failed on this thread.
  static var last: SystemError { SystemError(code: errno) }

  var description: String { String(cString: strerror(code)) }
}

/// Calls again while a signal interrupts the call; throws on any other failure.
@discardableResult
func retrying<Value: SignedInteger>(_ call: () -> Value) throws(SystemError) -> Value {
  while true {
    let result = call()
    guard result == -1 else { return result }
    guard errno == EINTR else { throw .last }
  }
}
