// A program made of commands: from its arguments to its result, and its help.

import RondoHistory

/// The program `rondo`, with the commands that it has.
package struct CommandProgram: Sendable {
  package static let name = "rondo"
  package static let summary = "Makes packages with Rondo, and looks at recordings of features."
  /// The arguments that ask any command for its help.
  package static let helpOptions = ["--help", "-h"]

  package var commands: [CommandDescription]
  /// The text that `--version` prints; `nil` where there is no such option.
  package var version: String?

  package init(commands: [CommandDescription], version: String? = nil) {
    self.commands = commands
    self.version = version
  }

  /// Runs a command.
  ///
  /// - Parameter arguments: The arguments behind the name of the program.
  package func run(arguments: [String]) -> CommandResult {
    do throws(CommandFailure) {
      return try result(arguments)
    } catch {
      return CommandResult(status: error.status, problem: error.message)
    }
  }

  private func result(_ arguments: [String]) throws(CommandFailure) -> CommandResult {
    guard let first = arguments.first else {
      throw CommandFailure(.usage, "name a command: \(names); 'rondo --help' tells more")
    }
    if first == "help" || Self.helpOptions.contains(first) {
      guard arguments.count > 1 else { return CommandResult(status: .success, output: help) }
      return CommandResult(status: .success, output: help(of: try command(arguments[1])))
    }
    if first == "--version", let version {
      return CommandResult(status: .success, output: "\(Self.name) \(version)\n")
    }
    let command = try command(first)
    do throws(CommandFailure) {
      return try command.run(arguments.dropFirst())
    } catch {
      guard error == .help else { throw error }
      return CommandResult(status: .success, output: help(of: command))
    }
  }

  private func command(_ name: String) throws(CommandFailure) -> CommandDescription {
    guard let command = commands.first(where: { $0.name == name }) else {
      throw CommandFailure(
        .usage, "there is no command '\(name)'; there are \(names); 'rondo --help' tells more")
    }
    return command
  }

  private var names: String { commands.map(\.name).joined(separator: ", ") }

  /// The help of the whole program.
  package var help: String {
    """
    \(Self.name): \(Self.summary.lowercasedFirst)

    USAGE: \(Self.name) COMMAND ARGUMENT… [OPTIONS]

    \(rows(commands.map { ("\($0.name) \($0.operands)", $0.summary) }))
    'rondo COMMAND --help' lists the options of a command.

    EXIT STATUS:

    \(rows(ExitStatus.allCases.map { ("\($0.rawValue)", $0.summary) }))
    """
  }

  /// The help of one command.
  package func help(of command: CommandDescription) -> String {
    let options =
      command.options.map { ($0.usage, $0.summary) } + [("-h, --help", "Print this help.")]
    return """
      \(Self.name) \(command.name): \(command.summary.lowercasedFirst)

      USAGE: \(Self.name) \(command.usage)

      \(rows(options))\(command.notes.isEmpty ? "" : "\n\(command.notes)\n")
      """
  }

  private func rows(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0.padded(to: width))  \($1)\n" }.joined()
  }
}

extension CommandFailure {
  /// Not a failure: the end of a command that was asked for its help.
  static let help = CommandFailure(.success, "help")
}

extension String {
  /// The text as the second half of a sentence.
  package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
