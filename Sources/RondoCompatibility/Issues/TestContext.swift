// The kind of test that runs here.

import Rondo
import RondoScheduling

/// The kind of test that runs here.
public enum TestContext: Hashable, Sendable {
  /// A test of Swift Testing.
  case swiftTesting
  /// A test of XCTest, or code of a test of which the library cannot know more.
  case xcTest

  /// The kind of test that runs here; `nil` where the process runs no tests.
  ///
  /// ```swift
  /// if TestContext.current?.isSwiftTesting == true { … }
  /// ```
  public static var current: Self? {
    isSwiftTestCurrent ? .swiftTesting : isTesting ? .xcTest : nil
  }

  /// Whether the code runs in a test of Swift Testing.
  public var isSwiftTesting: Bool { self == .swiftTesting }
}
