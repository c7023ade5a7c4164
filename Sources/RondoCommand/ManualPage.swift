// The manual page, made from the table of commands.

import RondoInspection

/// The page of a program, in the macros of `man`.
struct ManualPage {
  private let program: CommandProgram

  init(_ program: CommandProgram) { self.program = program }

  var text: String {
    """
    .TH RONDO 1 "" "rondo \(spelled(program.version ?? ""))" "Rondo"
    .SH NAME
    rondo \\- \(spelled(String(CommandProgram.summary.lowercasedFirst.dropLast())))
    .SH SYNOPSIS
    .B rondo
    .I COMMAND ARGUMENT
    \\&... [\\fIOPTIONS\\fR]
    .SH COMMANDS
    \(program.commands.map(section).joined())\
    .SH EXIT STATUS
    \(ExitStatus.allCases.map { row("\($0.rawValue)", $0.summary) }.joined())\
    .SH NOTES
    \(notes.map { "\(spelled($0))\n.PP\n" }.joined())
    """.trimmedLines
  }

  /// A command with its options.
  private func section(_ command: CommandDescription) -> String {
    """
    .SS "rondo \(spelled(command.usage))"
    \(spelled(command.summary))
    \(command.options.map { row($0.usage, $0.summary) }.joined())\
    \(preformatted(command.notes))
    """
  }

  /// The notes that several commands share. They are printed once, at the end.
  private var notes: [String] {
    let all = program.commands.map(\.notes)
    return all.enumerated().filter { index, note in
      isShared(note) && all.firstIndex(of: note) == index
    }.map(\.element)
  }

  private func isShared(_ note: String) -> Bool {
    program.commands.count(where: { $0.notes == note }) > 1
  }

  private func preformatted(_ note: String) -> String {
    note.isEmpty || isShared(note) ? "" : ".PP\n.nf\n\(spelled(note))\n.fi\n"
  }

  private func row(_ term: String, _ text: String) -> String {
    ".TP\n.B \(spelled(term))\n\(spelled(text))\n"
  }

  /// The text without what means something to `man`.
  private func spelled(_ text: String) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("'", with: "\\(aq").replacing("\"", with: "\\(dq")
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(".") ? "\\&\($0)" : $0.isEmpty ? "\\&" : String($0) }
      .joined(separator: "\n")
  }
}

extension String {
  /// The text without empty lines, which `man` would show.
  fileprivate var trimmedLines: String {
    split(separator: "\n").joined(separator: "\n") + "\n"
  }
}
