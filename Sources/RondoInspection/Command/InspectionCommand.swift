// The program from its arguments to its result.

import Foundation
import RondoHistory
import RondoRecording

/// The commands that look at recordings.
package enum InspectionCommand {
  /// The commands, with their options.
  package static let commands = CommandName.allCases.map { command in
    CommandDescription(
      name: command.rawValue, summary: command.summary, operands: command.operands.names,
      options: OptionDefinition<CommandOptions>.all
        .filter { $0.commands.contains(command) }
        .map { OptionDescription($0) },
      notes: "A recording is what 'store.record(to:)' writes. "
        + (command == .live
          ? "Behind -o is the file that the program behind '--' records to."
          : "'-' is the standard input, or behind -o the\nstandard output.")
        + (command == .log ? logNotes : "")
    ) { arguments throws(CommandFailure) in try result(command, arguments) }
  }

  /// The signs of the log.
  private static let logNotes = """


    A line has the time, the actions, how the change is to be shown, where the actions came from, and the changes.
    'untagged' is a change that is shown at once; '.default' and others are animations, which a scheduler has said or
    the sender. 'from X, on S' is the effect that has sent the action, and the scheduler on which it was received, or
    from which it came where nothing receives it.
    'old → new' is a change, '+' and '−' a part that has come or gone, '… 5 in all' the number of elements.
    'starts' stands before the effects that an action has started: 'a ⇒ b' is one that waits for the other, 'then b' one
    that waits for its end, 'on answer b' one that waits for the answer of what it stands in; 'merge' is side by side,
    '[.default]' the tag of what was sent, '0.1–0.3 s' from start to end, 'works on S' the scheduler of the work. '→'
    stands before an answer, '✗' before one that is a failure, 'on S' or 'from S' behind it. Nobody was told of an answer
    that was dropped.
    """

  /// Runs a command.
  ///
  /// - Parameter arguments: The arguments behind the name of the program.
  package static func run(arguments: [String]) -> CommandResult {
    CommandProgram(commands: commands).run(arguments: arguments)
  }

  private static func result(
    _ command: CommandName, _ arguments: ArraySlice<String>
  ) throws(CommandFailure) -> CommandResult {
    let options = try CommandOptions(command, arguments: arguments)
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
      return CommandResult(status: .success, output: Page(first).html)
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
      var (text, problems) = ("", [String]())
      if let number = options.test.forkAt {
        text = try ForkWriter(first, at: number, options.test).text
      } else {
        let test = TestWriter(first, options.test)
        (text, problems) = (test.text, test.notes)
      }
      let count = text.placeholderCount
      if count > 0 {
        problems.append(
          "\(count == 1 ? "1 placeholder is" : "\(count) placeholders are") to be filled in before the "
            + "test compiles.")
      }
      return CommandResult(
        status: .success, output: text,
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
}
