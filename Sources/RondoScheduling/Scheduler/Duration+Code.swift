// A length of time as it is written in code, for tests that are written by the library.

extension Duration {
  /// The code that makes the duration, in the largest unit that has no fraction, down to
  /// nanoseconds: `.milliseconds(300)`. Where 64 bits do not hold these it is the whole number of seconds.
  package var code: String {
    let (seconds, attoseconds) = components
    guard seconds.magnitude < 9_000_000_000 else { return ".seconds(\(seconds))" }
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    if nanoseconds % 1_000_000_000 == 0 { return ".seconds(\(seconds))" }
    if nanoseconds % 1_000_000 == 0 { return ".milliseconds(\(nanoseconds / 1_000_000))" }
    if nanoseconds % 1_000 == 0 { return ".microseconds(\(nanoseconds / 1_000))" }
    return ".nanoseconds(\(nanoseconds))"
  }
}
