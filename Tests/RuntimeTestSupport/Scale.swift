// The sizes of the large tests.

import Foundation

/// The sizes of the tests of scale. In an optimized build a size is what its name says, in others a
/// tenth of it. `RONDO_SCALE` in the environment, such as `1` or `0.01`, is another factor.
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
