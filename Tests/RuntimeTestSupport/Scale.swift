// The sizes of the large tests.

import RondoSeededRandomness

/// The sizes of the tests of scale: with `RONDO_SOAK=1` a size is what its name says, otherwise a small
/// part of it.
package enum Scale {
  package static let million = Soak.count(20_000, long: 1_000_000)
  package static let hundredThousand = Soak.count(5_000, long: 100_000)
  package static let fewHundred = Soak.count(120, long: 500)
}
