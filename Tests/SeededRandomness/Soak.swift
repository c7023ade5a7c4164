// The long forms of tests.

import Foundation

/// Whether tests run in their long form, and how long that is.
///
/// By default a test takes a short form: one pass over what it is about, with some hundreds of random
/// programs at most, so that all tests together take two to four minutes. `RONDO_SOAK=1` in the environment
/// asks for the long forms, `RONDO_SOAK=20` for twenty times as much of each.
public enum Soak {
  /// The number in `RONDO_SOAK`; 0 without it.
  public static let factor =
    ProcessInfo.processInfo.environment["RONDO_SOAK"].flatMap(Int.init).map { max($0, 0) } ?? 0

  /// Whether tests run in their long form.
  public static var isOn: Bool { factor > 0 }

  /// The number of repetitions in a test: `usual` by default, and `long` times ``factor`` in the long
  /// form.
  public static func count(_ usual: Int, long: Int) -> Int {
    isOn ? long * factor : usual
  }

  /// The arguments of a test: some by default, and all of them in the long form.
  public static func arguments<Argument>(_ usual: [Argument], more: [Argument]) -> [Argument] {
    isOn ? usual + more : usual
  }
}
