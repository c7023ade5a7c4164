// The current line of a test, for reports about the actions that it sends.

import RondoScheduling
import Synchronization

/// The line of a test whose action is being handled.
package final class TestPosition: Sendable {
  private let sent = Mutex<SourcePosition?>(nil)

  package init() {}

  package var position: SourcePosition? {
    get { sent.withLock { $0 } }
    set { sent.withLock { $0 = newValue } }
  }
}

extension DependencyValues {
  /// The line of the last action that was sent by the test that runs the feature.
  package var testPosition: TestPosition? {
    get { self[TestPositionKey.self] }
    set { self[TestPositionKey.self] = newValue }
  }
}

private enum TestPositionKey: DependencyKey {
  static var liveValue: TestPosition? { nil }
  static var testValue: TestPosition? { nil }
}
