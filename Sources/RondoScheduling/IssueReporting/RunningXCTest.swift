// The test of XCTest that is running, as an observer of XCTest counts it.
//
// XCTest is not linked, as little as in the reporter. The observer conforms to a protocol of this
// file that has the requirements of XCTest's protocol, in their order. Swift calls both in the same
// way: by the place in the list.

import Foundation
import Synchronization

/// The number of the test of XCTest that is running; `nil` where XCTest runs none. Code between two
/// tests belongs to the one before.
package var currentXCTest: Int? { counter?.count.load(ordering: .relaxed) }

/// The requirements of `XCTestObservation`. Not private: the compiler removes from a private list
/// what this module does not call.
package protocol XCTestObserver: AnyObject {
  func testBundleWillStart(_ bundle: Bundle)
  func testSuiteWillStart(_ suite: AnyObject)
  func testCaseWillStart(_ test: AnyObject)
  func testCase(_ test: AnyObject, didFail description: String, inFile path: String?, atLine: Int)
  func testCaseDidFinish(_ test: AnyObject)
  func testSuiteDidFinish(_ suite: AnyObject)
  func testBundleDidFinish(_ bundle: Bundle)
}

private final class TestCounter: XCTestObserver, Sendable {
  let count = Atomic(0)

  func testCaseWillStart(_ test: AnyObject) { count.add(1, ordering: .relaxed) }

  func testBundleWillStart(_ bundle: Bundle) {}
  func testSuiteWillStart(_ suite: AnyObject) {}
  func testCase(_ test: AnyObject, didFail: String, inFile path: String?, atLine: Int) {}
  func testCaseDidFinish(_ test: AnyObject) {}
  func testSuiteDidFinish(_ suite: AnyObject) {}
  func testBundleDidFinish(_ bundle: Bundle) {}
}

private let counter: TestCounter? = {
  // A run of Swift Testing has XCTest loaded, too.
  guard !CommandLine.arguments.contains("--testing-library"),
    let requirements = loadedSymbol("$s6XCTest0A11ObservationMp"),
    let sharedCenter = LoadedFunction("$s6XCTest0A17ObservationCenterC6sharedACvgZ"),
    let addObserver = LoadedFunction(
      "$s6XCTest0A17ObservationCenterC15addTestObserveryyAA0aB0_pF")
  else { return nil }
  // The number of requirements, in the descriptor of the protocol.
  guard requirements.load(fromByteOffset: 16, as: UInt32.self) == 7 else { return nil }

  /// A closure in a structure is not converted when it is read.
  struct Method { let call: (any XCTestObserver) -> Void }
  let counter = TestCounter()
  let center = sharedCenter(as: (@convention(thin) () -> AnyObject).self)()
  addObserver.method(of: center, as: Method.self).call(counter)
  return counter
}()

/// A value that is made anew for each test of XCTest. Where XCTest runs none it stays as it is.
package struct MadeForEachXCTest<Value: Sendable>: ~Copyable, Sendable {
  private let made: Mutex<(value: Value, test: Int?)>
  private let make: @Sendable () -> Value

  package init(_ make: @escaping @Sendable () -> Value) {
    self.make = make
    made = Mutex((make(), currentXCTest))
  }

  package var value: Value {
    // The value before is released outside of the lock: its end may ask for this one.
    let (value, before) = made.withLock { made in
      // Asked for in the lock, so that nobody goes back to the test before.
      let (test, before) = (currentXCTest, made.value)
      if made.test != test { made = (make(), test) }
      return (made.value, before)
    }
    return withExtendedLifetime(before) { value }
  }
}
