// How large the large tests are.

import Foundation

/// Sizes of the tests of scale. They are what they are called in an optimized build, and a tenth of
/// it in others; the environment's `RONDO_SCALE`, such as `1` or `0.01`, says otherwise.
package enum Scale {
  #if DEBUG
    private static let usual = 0.1
  #else
    private static let usual = 1.0
  #endif

  private static let factor =
    ProcessInfo.processInfo.environment["RONDO_SCALE"].flatMap(Double.init) ?? usual

  package static let million = Int(1_000_000 * factor)
  package static let hundredThousand = Int(100_000 * factor)
}
