// From the arguments of the command line to the options of a command.

import Foundation

/// The commands of the program.
enum CommandName: String, CaseIterable {
  case view, log, diff, test, diagram, export, live

  var summary: String {
    switch self {
    case .view: "Write a page for a browser: timeline, state, causes, screen."
    case .log: "Print a line for every commit."
    case .diff: "Print in what two recordings differ. The status is 1 if they do."
    case .test: "Write a test that sends and receives what was recorded."
    case .diagram: "Draw the states of a field, or what one action led to."
    case .live: "Show the page of a program that is running, in a browser on this machine."
    case .export: "Write the recording in a format of other tools."
    }
  }

  /// The arguments that are no options, in words as well, and their number.
  var operands: (names: String, words: String, counts: ClosedRange<Int>) {
    switch self {
    case .view, .log, .test, .export: ("RECORDING", "one recording", 1...1)
    case .diff: ("RECORDING RECORDING", "two recordings", 2...2)
    case .live:
      ("RECORDING, or -- PROGRAM ARGUMENT…", "one recording, or a program behind '--'", 0...1)
    case .diagram: ("RECORDING…", "one recording or more", 1...Int.max)
    }
  }
}

/// The options of a command.
struct CommandOptions: OptionValues {
  typealias Command = CommandName

  var recordings: [String] = []
  /// The file to write; `-` and `nil` for the standard output.
  var output: String?
  // `diagram`
  var formats: Set<DiagramFormat> = []
  var format: DiagramFormat { formats.first ?? .mermaid }
  var field: String?
  var action: Int?

  // `export`
  var exportFormats: Set<ExportFormat> = []

  // `live`
  /// The program to start, with its arguments.
  var program: [String] = []
  /// The port to listen on; 0 for any that is free.
  var port: UInt16 = 0

  // `test`
  var test = TestOptions()
}

extension OptionDefinition<CommandOptions> {
  static var all: [OptionDefinition] {
    [
      OptionDefinition(
        name: "-o", commands: Set(CommandName.allCases),
        summary: "Write to this file, whole or not at all.",
        effect: .value("FILE") { $0.output = $1 }),
      OptionDefinition(
        name: "--mermaid", commands: [.diagram], summary: "As Mermaid text; the default.",
        effect: .flag { $0.formats.insert(.mermaid) }),
      OptionDefinition(
        name: "--dot", commands: [.diagram], summary: "As text for Graphviz.",
        effect: .flag { $0.formats.insert(.dot) }),
      OptionDefinition(
        name: "--field", commands: [.diagram],
        summary: "The field whose values are the states: destination, a.b; '.' is the state.",
        effect: .value("PATH") { $0.field = $1 }),
      OptionDefinition(
        name: "--action", commands: [.diagram],
        summary: "In place of states, what the action with this number led to.",
        effect: .value("NUMBER") { options, value throws(CommandFailure) in
          guard let number = Int(value), number > 0 else {
            throw CommandFailure(.usage, "--action \(value): expected a number from 1 on")
          }
          options.action = number
        }),
      OptionDefinition(
        name: "--otel", commands: [.export],
        summary: "As OTLP JSON: a span for an effect, an event for an action.",
        effect: .flag { $0.exportFormats.insert(.otel) }),
      OptionDefinition(
        name: "--chrome-trace", commands: [.export],
        summary: "As a trace that Perfetto opens.",
        effect: .flag { $0.exportFormats.insert(.chromeTrace) }),
      OptionDefinition(
        name: "--port", commands: [.live], summary: "Listen on this port of 127.0.0.1.",
        effect: .value("NUMBER") { options, value throws(CommandFailure) in
          guard let port = UInt16(value), port > 0 else {
            throw CommandFailure(.usage, "--port \(value): expected a number from 1 to 65535")
          }
          options.port = port
        }),
      OptionDefinition(
        name: "--import", commands: [.test], summary: "A module of the feature. Repeatable.",
        effect: .value("MODULE") { $0.test.imports.append($1) }),
      OptionDefinition(
        name: "--name", commands: [.test], summary: "The name of the test function.",
        effect: .value("NAME") { $0.test.name = $1 }),
      OptionDefinition(
        name: "--state", commands: [.test], summary: "The code of the initial state.",
        effect: .value("CODE") { $0.test.state = $1 }),
      OptionDefinition(
        name: "--reducer", commands: [.test], summary: "The code of the reducer.",
        effect: .value("CODE") { $0.test.reducer = $1 }),
      OptionDefinition(
        name: "--init", commands: [.test],
        summary: "TYPE(a:b:): its initializer takes only these. Repeatable.",
        effect: .value("INITIALIZER") { options, value throws(CommandFailure) in
          options.test.initializers.append(try TestOptions.Initializer(value))
        }),
      OptionDefinition(
        name: "--no-setter", commands: [.test],
        summary: "TYPE.MEMBER: a test cannot set it, as it is 'private(set)'. Repeatable.",
        effect: .value("MEMBER") { $0.test.membersWithoutSetter.append($1) }),
      OptionDefinition(
        name: "--dependency", commands: [.test],
        summary: "Code for 'withDependencies'. Repeatable.",
        effect: .value("CODE") { $0.test.dependencies.append($1) }),
      OptionDefinition(
        name: "--outcome", commands: [.test],
        summary: "ENDPOINT(_:)=CASE: it answers what the case carried. Repeatable.",
        effect: .value("OUTCOME") { options, value throws(CommandFailure) in
          let outcome = try TestOptions.Outcome(value)
          guard !options.test.outcomes.contains(where: { $0.endpoint == outcome.endpoint }) else {
            throw CommandFailure(
              .usage, "'--outcome' says twice what '\(outcome.endpoint)' answers; say it once")
          }
          options.test.outcomes.append(outcome)
        }),
      OptionDefinition(
        name: "--failure", commands: [.test],
        summary: "ENDPOINT(_:)=CASE: the case is sent when it has thrown. Repeatable.",
        effect: .value("FAILURE") { options, value throws(CommandFailure) in
          options.test.failures.append(try TestOptions.Outcome(value, of: "--failure"))
        }),
      OptionDefinition(
        name: "--fork-at", commands: [.test],
        summary: "The number of an action: write a test that asks what if it were another.",
        effect: .value("NUMBER") { options, value throws(CommandFailure) in
          guard let number = Int(value), number > 0 else {
            throw CommandFailure(
              .usage, "--fork-at \(value): expected the number of an action, from 1 on")
          }
          options.test.forkAt = number
        }),
    ]
  }
}

extension CommandOptions {
  /// Reads the arguments behind the name of a command. What stands behind `--` are recordings, or the program of
  /// `live`.
  ///
  /// - Parameter input: The descriptor of the standard input.
  init(
    _ command: CommandName, arguments: ArraySlice<String>, input: Int32 = STDIN_FILENO
  ) throws(CommandFailure) {
    let arguments = try read(arguments, of: command, OptionDefinition.all)
    recordings = arguments.operands
    if command == .live { program = arguments.rest } else { recordings += arguments.rest }
    try check(for: command, input: input)
  }

  /// Refuses options and recordings that make no sense together.
  private func check(for command: CommandName, input: Int32) throws(CommandFailure) {
    if command == .live {
      try checkLive()
      return
    }
    guard command.operands.counts.contains(recordings.count) else {
      let given =
        switch recordings.count {
        case 0: "none was given"
        case 1: "one was given"
        default: "\(recordings.count) were given"
        }
      throw CommandFailure(.usage, "'\(command)' takes \(command.operands.words), and \(given)")
    }
    guard command != .view || output != nil else {
      throw CommandFailure(.usage, "'view' needs a file to write: -o page.html, or -o -")
    }
    guard recordings.count(where: { $0 == "-" }) < 2 else {
      throw CommandFailure(.usage, "the standard input can be read once; name a file")
    }
    if let output, output != "-",
      recordings.contains(where: {
        $0 == "-" ? isFile(output, behind: input) : $0.resolvedPath == output.resolvedPath
      })
    {
      throw CommandFailure(
        .usage, "-o names the recording itself, which would be lost; name another file")
    }
    if let name = test.name, !name.isIdentifier {
      throw CommandFailure(
        .usage, "--name \(name): a name has letters, digits and '_' only, and no digit first")
    }
    let takesAll = test.state == nil && test.outcomes.isEmpty && test.failures.isEmpty
    guard test.forkAt == nil || takesAll else {
      throw CommandFailure(
        .usage,
        "--fork-at takes the state and all answers from the recording; leave out --state, --outcome and --failure"
      )
    }
    guard formats.count < 2 else {
      throw CommandFailure(.usage, "--mermaid and --dot are two diagrams; leave one out")
    }
    guard command != .export || exportFormats.count == 1 else {
      throw CommandFailure(.usage, "'export' needs one format: --otel, or --chrome-trace")
    }
    guard action == nil || field == nil else {
      throw CommandFailure(.usage, "--field and --action are two diagrams; leave one out")
    }
    guard action == nil || recordings.count == 1 else {
      throw CommandFailure(.usage, "--action is about one recording; name only that")
    }
  }
}

extension CommandOptions {
  private func checkLive() throws(CommandFailure) {
    guard recordings.count + (program.isEmpty ? 0 : 1) == 1 else {
      throw CommandFailure(
        .usage, "'live' takes \(CommandName.live.operands.words), and only one of these")
    }
    guard output == nil || !program.isEmpty else {
      throw CommandFailure(.usage, "-o is where the program behind '--' records to; leave it out")
    }
    guard recordings.first != "-", output != "-" else {
      throw CommandFailure(.usage, "'live' follows a file; '-' is none")
    }
  }
}

/// Whether a path leads to the file that a descriptor reads, and not to a device or a pipe, which would not be
/// replaced.
private func isFile(_ path: String, behind descriptor: Int32) -> Bool {
  var (file, input) = (stat(), stat())
  guard stat(path.pathBytes, &file) == 0, fstat(descriptor, &input) == 0 else { return false }
  return file.st_mode & S_IFMT == S_IFREG && file.st_dev == input.st_dev
    && file.st_ino == input.st_ino
}
