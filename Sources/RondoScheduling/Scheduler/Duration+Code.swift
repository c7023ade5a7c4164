// A length of time as it is written in code, for tests that are written by the library.

extension Duration {
  /// The code that makes the duration, in the largest unit that has no fraction, down to
  /// nanoseconds: `.milliseconds(300)`.
  package var code: String {
    let (seconds, attoseconds) = components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    if nanoseconds % 1_000_000_000 == 0 { return ".seconds(\(seconds))" }
    if nanoseconds % 1_000_000 == 0 { return ".milliseconds(\(nanoseconds / 1_000_000))" }
    if nanoseconds % 1_000 == 0 { return ".microseconds(\(nanoseconds / 1_000))" }
    return ".nanoseconds(\(nanoseconds))"
  }
}
