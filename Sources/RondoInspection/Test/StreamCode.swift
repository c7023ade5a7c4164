// The code of an endpoint that returns a stream: its elements at the times at which the test needs them.

import RondoRecording
import RondoScheduling

/// The statement that lets an endpoint return streams with the recorded elements.
///
/// A stream makes its elements as they are asked for, in the task of the effect that reads it. So a pause before an
/// element is a wait of that effect on the clock of the test.
struct StreamCode {
  /// One thing that a stream does when it is asked for an element.
  struct Element: Equatable {
    /// The statement: it returns an element or the end, or it throws.
    var code: String
    /// The pause before it.
    var latency: Duration?

    /// Whether the stream is over with it.
    var isEnd: Bool { code == StreamCode.end || code.hasPrefix("throw ") }
  }

  /// A stream that a call of the endpoint has returned.
  struct Stream: Equatable {
    var elements: [Element]
    /// Whether it has come to its end; one that has not goes on without elements.
    var isOver: Bool
  }

  let outcome: TestOptions.Outcome
  let streams: [Stream]

  private var name: String { outcome.kind == .stream ? "AsyncStream" : "AsyncThrowingStream" }
  private var usesClock: Bool { streams.contains { $0.elements.contains { $0.latency != nil } } }

  /// The name of a constant of the test, made of the endpoint's.
  private func constant(_ prefix: String) -> String {
    prefix
      + outcome.endpoint.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined()
  }

  /// The statement; `nil` where the endpoint was never called.
  var text: String? {
    guard !streams.isEmpty else { return nil }
    let isOne = streams.count == 1
    let arguments = Array(repeating: "_", count: outcome.argumentCount).joined(separator: ", ")
    let head =
      (usesClock ? " [clock = $0.continuousClock]" : "")
      + (arguments.isEmpty ? "" : " \(arguments)")
    let calls = constant("calls")
    var lines = isOne ? [] : ["let \(calls) = LockIsolated(-1)"]
    lines.append("$0.\(outcome.endpoint) = {\(head.isEmpty ? "" : "\(head) in")")
    if !isOne { lines.append("  let call = \(calls).withValue { $0 += 1; return $0 }") }
    lines.append("  let elements = LockIsolated(-1)")
    lines.append("  return \(name)(unfolding: {")
    let element = "elements.withValue({ $0 += 1; return $0 })"
    lines.append("    switch \(isOne ? element : "(call, \(element))") {")
    for (call, stream) in streams.enumerated() {
      func label(_ element: String) -> String { isOne ? element : "(\(call), \(element))" }
      for (index, element) in stream.elements.enumerated() {
        lines.append("    case \(label("\(index)")):")
        if let latency = element.latency {
          lines.append("      try? await clock.sleep(for: \(latency.code))")
        }
        lines.append("      \(element.code)")
      }
      if stream.isOver, stream.elements.last?.isEnd != true {
        lines.append("    case \(label("_")): \(Self.end)")
        if isOne { return (lines + ["    }", "  })", "}"]).joined(separator: "\n") }
      }
    }
    lines.append("    default:")
    lines.append("      try? await Task.never()")
    lines.append("      \(Self.end)")
    return (lines + ["    }", "  })", "}"]).joined(separator: "\n")
  }

  /// The statement by which a stream ends.
  static let end = "return nil"
}
