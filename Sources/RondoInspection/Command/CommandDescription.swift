// A command and its options, as the help, the manual page and completions show them.

/// A command of a program: what others are told of it, and what it does.
package struct CommandDescription: Sendable {
  package var name: String
  package var summary: String
  /// The arguments that are no options: `RECORDING`.
  package var operands: String
  package var options: [OptionDescription]
  /// Further text for the help and the manual.
  package var notes: String
  /// Does it, with the arguments behind the name.
  package var run: @Sendable (ArraySlice<String>) throws(CommandFailure) -> CommandResult

  package init(
    name: String, summary: String, operands: String, options: [OptionDescription] = [],
    notes: String = "",
    run: @escaping @Sendable (ArraySlice<String>) throws(CommandFailure) -> CommandResult
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.notes = notes
    self.run = run
  }

  /// The command with its arguments, without the name of the program.
  package var usage: String {
    ([name, operands] + (options.isEmpty ? [] : ["[OPTIONS]"])).filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}

/// An option of a command.
package struct OptionDescription: Sendable {
  package var name: String
  /// The word for its value, `FILE`; `nil` where it takes none.
  package var placeholder: String?
  package var summary: String

  package init<Options>(_ definition: OptionDefinition<Options>) {
    name = definition.name
    summary = definition.summary
    if case .value(let placeholder, _) = definition.effect { self.placeholder = placeholder }
  }

  /// The option as it is written: `--field PATH`.
  package var usage: String { placeholder.map { "\(name) \($0)" } ?? name }

  /// Whether it may be given more than once.
  package var isRepeatable: Bool { summary.hasSuffix(" Repeatable.") }
}

/// The kind of an argument, read from its placeholder: `FILE`, `FOLDER`, or `bash|zsh|fish`.
package enum ArgumentKind: Equatable, Sendable {
  case file, folder, text
  case choice([String])

  package init(placeholder: String) {
    let words = placeholder.split(separator: "|").map(String.init)
    if words.count > 1 {
      self = .choice(words)
    } else if placeholder.hasPrefix("FILE") || placeholder.hasPrefix("RECORDING") {
      self = .file
    } else {
      self = placeholder.hasPrefix("FOLDER") ? .folder : .text
    }
  }
}

/// The values of the options of some commands.
package protocol OptionValues {
  associatedtype Command: Hashable & RawRepresentable<String>
}

/// An option: its name, its commands, and what it does.
package struct OptionDefinition<Options: OptionValues> {
  package enum Effect {
    case flag((inout Options) -> Void)
    case value(String, (inout Options, String) throws(CommandFailure) -> Void)
  }

  package var name: String
  package var commands: Set<Options.Command>
  package var summary: String
  package var effect: Effect

  package init(
    name: String, commands: Set<Options.Command>, summary: String, effect: Effect
  ) {
    self.name = name
    self.commands = commands
    self.summary = summary
    self.effect = effect
  }
}

extension OptionValues {
  /// Reads the arguments behind the name of a command.
  ///
  /// A value follows its option as the next argument or after an equals sign.
  ///
  /// - Returns: The arguments that are no options, and those behind `--`.
  package mutating func read(
    _ arguments: ArraySlice<String>, of command: Command, _ definitions: [OptionDefinition<Self>]
  ) throws(CommandFailure) -> (operands: [String], rest: [String]) {
    var operands: [String] = []
    var left = arguments
    while let argument = left.popFirst() {
      guard argument != "--" else { return (operands, Array(left)) }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      guard !CommandProgram.helpOptions.contains(argument) else { throw .help }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      let attached = parts.count > 1 ? String(parts[1]) : nil
      guard
        let option = definitions.first(where: {
          $0.name == name && $0.commands.contains(command)
        })
      else {
        throw CommandFailure(
          .usage,
          "'\(command.rawValue)' has no option \(name); 'rondo \(command.rawValue) --help' lists them"
        )
      }
      switch option.effect {
      case .flag(let set):
        guard attached == nil else { throw CommandFailure(.usage, "\(name) takes no value") }
        set(&self)
      case .value(let placeholder, let set):
        guard let value = attached ?? left.popFirst(), !value.isEmpty else {
          throw CommandFailure(.usage, "\(name) needs a value: \(name) \(placeholder)")
        }
        try set(&self, value)
      }
    }
    return (operands, [])
  }
}
