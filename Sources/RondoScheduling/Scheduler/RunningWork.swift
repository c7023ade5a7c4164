// The code that every scheduler runs around a piece of work, and the check before a repetition.

import RondoAnimation

/// Runs scheduled work outside of any transaction, so that a scheduler which runs it inline does
/// not give it the tag of the surrounding code.
@inline(__always)
package func runUntagged(_ work: () -> Void) {
  withAmbientTransaction(Transaction(), work)
}

/// Whether work can repeat at this interval; if it cannot, an issue has been reported.
package func isUsable<Stride: SignedNumeric & Comparable>(
  interval: Stride,
  of subject: @autoclosure () -> String,
  _ position: SourcePosition = SourcePosition()
) -> Bool {
  guard interval > .zero else {
    reportIssue(
      """
      \(subject()) was asked to repeat at an interval of zero or less. \
      Nothing has been scheduled; pass a positive interval, or schedule the work once.
      """,
      at: position
    )
    return false
  }
  return true
}
