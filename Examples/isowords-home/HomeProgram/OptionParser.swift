// From arguments to options.

import Foundation
import RondoHomeFeature

extension Options {
  /// Reads the arguments that follow the program's name.
  ///
  /// A value follows its option as the next argument or after an equals sign. An option that is
  /// given twice takes its last value, except for `--latency` and `--fail`, which add up.
  init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let (name, attached) = Self.split(argument)
      guard let option = Self.all.first(where: { $0.name == (name == "-h" ? "--help" : name) })
      else {
        throw UsageError("unknown option \(JSONText.quoted(name)); --help lists the options")
      }
      switch option.action {
      case .flag(let set):
        guard attached == nil else { throw UsageError("\(name) takes no value") }
        set(&self)
        // A call for help is answered, with misuses behind it or without.
        if help { return }
      case .value(let placeholder, let set):
        // An argument that begins like an option is one. A value that does follows an equals sign.
        guard let value = attached ?? (rest.first?.hasPrefix("--") == true ? nil : rest.popFirst())
        else { throw UsageError("\(name) needs a value: \(name) \(placeholder)") }
        do {
          try set(&self, value)
        } catch {
          throw UsageError("\(name) \(JSONText.quoted(value)): \(error)")
        }
      }
    }
    guard server == nil || !(virtualTime || exportsFrames) else {
      throw UsageError("--server is asked on real time, not on virtual time; leave one of them out")
    }
    guard [simulatedHours != nil, replayFile != nil, launches].count(where: \.self) <= 1 else {
      throw UsageError(
        "--simulate and --replay run something else than the launch; leave out what is about it")
    }
  }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else {
      return (argument, nil)
    }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}

// MARK: - The options there are

/// An option: how it is written, what it does, and what `--help` says of it.
struct OptionDefinition {
  enum Action {
    case flag((inout Options) -> Void)
    case value(String, (inout Options, String) throws(UsageError) -> Void)
  }

  var name: String
  var summary: String
  var action: Action

  /// The option as `--help` shows it: `--seed N`.
  var usage: String {
    switch action {
    case .flag: name
    case .value(let placeholder, _): "\(name) \(placeholder)"
    }
  }
}

extension OptionDefinition {
  /// An option that switches something on.
  fileprivate init(_ name: String, _ summary: String, _ property: WritableKeyPath<Options, Bool>) {
    self.init(name: name, summary: summary, action: .flag { $0[keyPath: property] = true })
  }

  /// An option that sets something to its value.
  fileprivate init<Value>(
    _ name: String, _ placeholder: String, _ summary: String,
    _ property: WritableKeyPath<Options, Value>,
    _ read: @escaping (String) throws(UsageError) -> Value
  ) {
    self.init(
      name: name, summary: summary,
      action: .value(placeholder) { options, value throws(UsageError) in
        options[keyPath: property] = try read(value)
      })
  }
}

extension Options {
  static var all: [OptionDefinition] {
    [
      .init("--once", "End after the launch, also on a terminal.", \.once),
      .init("--virtual-time", "Launch on virtual time: the same each time.", \.virtualTime),
      .init(
        "--simulate", "HOURS", "Random keys and faults for so long, virtually.",
        \.simulatedHours, hours),
      .init("--seed", "N", "Draw what is random from this seed; default 0.", \.seed, wholeNumber),
      .init("--speed", "FACTOR", "Pace of the waiting; 0.1 is slow motion.", \.speed, factor),
      OptionDefinition(
        name: "--latency",
        summary: "Let a source take 300ms, 1.5s, 2m. Repeatable.",
        action: .value("SOURCE=DURATION") { options, value throws(UsageError) in
          let (source, duration) = try latency(value)
          options.latencies[source] = duration
        }
      ),
      OptionDefinition(
        name: "--fail",
        summary: "Let a source fail. Repeatable.",
        action: .value("SOURCE") { options, value throws(UsageError) in
          options.failing.insert(try source(value))
        }
      ),
      .init("--server", "URL", "Ask a server instead of the embedded one.", \.server, serverURL),
      .init(
        "--timeout", "DURATION", "How long the server may take; default 10s.", \.timeout, duration),
      .init("--data", "DIR", "Where saved-games.json is. See FILES.", \.dataDirectory, directory),
      .init("--format", "FORMAT", "plain, or json: one object a line.", \.format, choice),
      .init(
        "--frames", "DIR", "Write every frame of the virtual launch as text.",
        \.framesDirectory, directory),
      .init("--svg", "FILE", "Write the virtual launch as an animated picture.", \.svgFile, file),
      .init("--cast", "FILE", "Write the virtual launch as an asciicast.", \.castFile, file),
      .init("--story", "FILE", "Write a picture of what the launch does.", \.storyFile, file),
      .init("--record", "FILE", "Record actions, states, effects and frames.", \.recordFile, file),
      .init(
        "--replay", "FILE", "Run a recording again and compare every state.", \.replayFile, file),
      .init("--help", "Print this and end; -h is the same.", \.help),
    ]
  }
}

// MARK: - Values

private func wholeNumber(_ text: String) throws(UsageError) -> UInt64 {
  guard let number = UInt64(text) else {
    throw UsageError("expected a whole number from 0 to \(UInt64.max)")
  }
  return number
}

private func hours(_ text: String) throws(UsageError) -> Int {
  guard let hours = Int(text), (1...10_000).contains(hours) else {
    throw UsageError("expected a whole number of hours from 1 to 10000")
  }
  return hours
}

/// A number in decimal digits. `Double` alone would read `0x10` and `infinity`.
private func decimal(_ text: some StringProtocol) -> Double? {
  guard text.utf8.allSatisfy({ "0123456789.-+eE".utf8.contains($0) }) else { return nil }
  return Double(text).flatMap { $0.isFinite ? $0 : nil }
}

private func factor(_ text: String) throws(UsageError) -> Double {
  guard let factor = decimal(text), (0.001...1000).contains(factor) else {
    throw UsageError("expected a factor from 0.001 to 1000")
  }
  return factor
}

private func file(_ text: String) throws(UsageError) -> String { try path(text, of: "a file") }

private func directory(_ text: String) throws(UsageError) -> String {
  try path(text, of: "a directory")
}

private func path(_ text: String, of what: String) throws(UsageError) -> String {
  guard !text.isEmpty, !text.utf8.contains(0) else {
    throw UsageError("expected the path of \(what)")
  }
  return text
}

private func serverURL(_ text: String) throws(UsageError) -> URL {
  guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil,
    url.query == nil, url.fragment == nil
  else {
    throw UsageError("expected a URL such as http://localhost:8080")
  }
  return url
}

private func source(_ text: String) throws(UsageError) -> Source {
  guard let source = Source(rawValue: text) else {
    throw UsageError("expected one of \(names(of: Source.self))")
  }
  return source
}

private func choice<Choice: RawRepresentable & CaseIterable>(
  _ text: String
) throws(UsageError) -> Choice where Choice.RawValue == String {
  guard let choice = Choice(rawValue: text) else {
    throw UsageError("expected one of \(names(of: Choice.self))")
  }
  return choice
}

private func latency(_ text: String) throws(UsageError) -> (Source, Duration) {
  guard let equals = text.firstIndex(of: "=") else {
    throw UsageError("expected SOURCE=DURATION, such as server=300ms")
  }
  let source = try source(String(text[..<equals]))
  return (source, try duration(String(text[text.index(after: equals)...])))
}

/// A duration with its unit: `300ms`, `1.5s`, `2m`, up to an hour.
private func duration(_ text: String) throws(UsageError) -> Duration {
  let units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600)]
  guard let (unit, seconds) = units.first(where: { text.hasSuffix($0.0) }),
    let number = decimal(text.dropLast(unit.count))
  else {
    throw UsageError("expected a duration such as 300ms, 1.5s, 2m or 1h")
  }
  guard number >= 0 else { throw UsageError("a duration cannot be negative; give 0s or more") }
  guard number * seconds <= 3_600 else { throw UsageError("a duration is at most an hour, 1h") }
  return .nanoseconds(Int64((number * seconds * 1e9).rounded()))
}

private func names<Choice: RawRepresentable & CaseIterable>(
  of choices: Choice.Type
) -> String where Choice.RawValue == String {
  choices.allCases.map(\.rawValue).joined(separator: ", ")
}
