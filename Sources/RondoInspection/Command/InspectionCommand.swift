// The program from its arguments to its result.

import Foundation
import RondoRecording

/// The program `rondo`.
package enum InspectionCommand {
  /// Runs a command.
  ///
  /// - Parameter arguments: The arguments behind the name of the program.
  package static func run(arguments: [String]) -> CommandResult {
    do throws(CommandFailure) {
      return try result(arguments)
    } catch {
      return CommandResult(status: error.status, problem: error.message)
    }
  }

  private static func result(_ arguments: [String]) throws(CommandFailure) -> CommandResult {
    guard let first = arguments.first else {
      throw CommandFailure(.usage, "name a command: \(names); 'rondo --help' tells more")
    }
    guard !["--help", "-h", "help"].contains(first) else {
      return CommandResult(status: .success, output: help)
    }
    guard let command = CommandName(rawValue: first) else {
      throw CommandFailure(
        .usage, "there is no command '\(first)'; there are \(names); 'rondo --help' tells more")
    }
    let options = try CommandOptions(command, arguments: arguments.dropFirst())
    guard !options.isHelp else { return CommandResult(status: .success, output: help) }
    guard command != .live else { return try LiveCommand(options).run() }
    var result = try perform(command, options)
    if let file = options.output, file != "-" {
      try writeWhole(result.output, to: file, mode: mode(ofFileMadeFrom: options.recordings))
      result.output = ""
    }
    return result
  }

  private static func perform(
    _ command: CommandName, _ options: CommandOptions
  ) throws(CommandFailure) -> CommandResult {
    var histories: [History] = []
    for path in options.recordings { histories.append(try History(reading: path)) }
    var result = try perform(command, histories, options)
    let notes = histories.flatMap { history in history.notes.map { "\(history.name): \($0)" } }
    let problems = notes + [result.problem].compactMap(\.self)
    if !problems.isEmpty { result.problem = problems.joined(separator: " ") }
    return result
  }

  private static func perform(
    _ command: CommandName, _ histories: [History], _ options: CommandOptions
  ) throws(CommandFailure) -> CommandResult {
    let first = histories[0]
    switch command {
    case .live: preconditionFailure("It reads no history.")
    case .view:
      return CommandResult(status: .success, output: try Page(first).html)
    case .log:
      return CommandResult(status: .success, output: CommitLog(first).text)
    case .export:
      let text =
        options.exportFormats == [.otel]
        ? try TelemetryExport(first).text : try ChromeTraceExport(first).text
      return CommandResult(status: .success, output: text)
    case .diff:
      let difference = HistoryDifference(first, histories[1])
      return CommandResult(
        status: difference.isEmpty ? .success : .difference, output: difference.text)
    case .test:
      let test = TestWriter(first, options.test)
      let count = test.placeholderCount
      var problems = test.notes
      if count > 0 {
        problems.append(
          "\(count == 1 ? "1 placeholder is" : "\(count) placeholders are") to be filled in before the "
            + "test compiles.")
      }
      return CommandResult(
        status: .success, output: test.text,
        problem: problems.isEmpty ? nil : problems.joined(separator: " "))
    case .diagram:
      if let action = options.action {
        let diagram = try SequenceDiagram(first, action: action)
        return CommandResult(status: .success, output: diagram.text(options.format))
      }
      let diagram = try StateDiagram(histories, field: options.field)
      let notes = diagram.notes.joined(separator: " ")
      return CommandResult(
        status: .success, output: diagram.text(options.format), problem: notes.isEmpty ? nil : notes
      )
    }
  }

  private static var names: String {
    CommandName.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static var help: String {
    func rows(_ rows: [(String, String)]) -> String {
      let width = rows.map(\.0.count).max() ?? 0
      return rows.map { "  \($0.padded(to: width))  \($1)\n" }.joined()
    }
    let commands = rows(CommandName.allCases.map { ("\($0) \($0.operands)", $0.summary) })
    let options = rows(
      OptionDefinition.all.map { option in
        let isForAll = option.commands.count == CommandName.allCases.count
        let command = isForAll ? "" : "\(option.commands.map(\.rawValue).joined()): "
        return (option.usage, command + option.summary)
      })
    return """
      rondo: looks at recordings of features.

      USAGE: rondo COMMAND RECORDING… [OPTIONS]

      \(commands)
      \(options)
      A recording is what 'store.record(to:)' writes. '-' is the standard input, or behind -o the
      standard output.

      EXIT STATUS: 0; 1 if two recordings differ; 64 if the command line makes no sense; 65 if
      a file is no recording; 66 if a file cannot be read; 69 if a port is taken; 73 if one cannot be written; 74 if the
      standard output cannot.

      """
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
