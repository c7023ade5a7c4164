// Clocks and schedulers that must not be used, by the original's names.

import Rondo
import RondoScheduling

extension Clock where Self == UnimplementedClock<Duration> {
  /// A clock that reports every use of it.
  public static func unimplemented(
    _ name: String = "Clock",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    UnimplementedClock(
      name, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// Whether the process runs tests, by the name of before 1.0.
public let _XCTIsTesting: Bool = isTesting
