// Scripts that complete commands and options in a shell, made from the table of commands.

import RondoInspection

/// A shell that a script is for.
enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script for a program.
  func script(for program: CommandProgram) -> String {
    switch self {
    case .bash: bash(program)
    case .zsh: zsh(program)
    case .fish: fish(program)
    }
  }

  // MARK: bash

  private func bash(_ program: CommandProgram) -> String {
    /// The line that offers what an argument can be.
    func offer(_ placeholder: String) -> String {
      switch ArgumentKind(placeholder: placeholder) {
      case .file: "__rondo_paths -f"
      case .folder: "__rondo_paths -d"
      case .choice(let words): "__rondo_words \(quoted(words.joined(separator: " ")))"
      case .text: ":"
      }
    }
    let values = program.commands.flatMap { command in
      command.options.compactMap { option in
        option.placeholder.map {
          "    '\(command.name) \(option.name)') \(offer($0)); return ;;\n"
        }
      }
    }
    let commands = program.commands.map { command in
      let options = command.options.map(\.name) + CommandProgram.helpOptions
      return """
            \(command.name))
              if [[ $word == -* ]]; then __rondo_words \(quoted(options.joined(separator: " ")))
              else \(offer(command.operands)); fi ;;

        """
    }
    return """
      # Completion of 'rondo' for bash. Use it by: source <(rondo completions bash)

      __rondo_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }
      __rondo_paths() {
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen "$1" -- "$word")
      }

      _rondo() {
        local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" i
        COMPREPLY=()
        # '--name=value' is three words here.
        if [[ $word == = ]]; then word=
        elif [[ $before == = ]]; then before="${COMP_WORDS[COMP_CWORD - 2]}"; fi
        if ((COMP_CWORD == 1)); then
          __rondo_words \(quoted(firstWords(program).joined(separator: " ")))
          return
        fi
        # Behind '--' nothing is an option.
        for ((i = 2; i < COMP_CWORD; i++)); do
          if [[ ${COMP_WORDS[i]} == -- ]]; then __rondo_paths -f; return; fi
        done
        case "${COMP_WORDS[1]} $before" in
      \(values.joined())  esac
        case "${COMP_WORDS[1]}" in
      \(commands.joined())  esac
      }
      complete -F _rondo rondo

      """
  }

  // MARK: zsh

  private func zsh(_ program: CommandProgram) -> String {
    func action(_ placeholder: String) -> String {
      switch ArgumentKind(placeholder: placeholder) {
      case .file: ":\(placeholder.prefix { $0.isLetter }):_files"
      case .folder: ":\(placeholder):_files -/"
      case .choice(let words): ":one of these:(\(words.joined(separator: " ")))"
      case .text: ":\(placeholder): "
      }
    }
    func spelled(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
        .replacing(":", with: "\\:")
    }
    let names = program.commands.map { quoted("\($0.name):\(spelled($0.summary))") }
    let commands = program.commands.map { command in
      let options = command.options.map { option in
        let repeats = option.isRepeatable ? "*" : ""
        let sign = option.placeholder != nil && option.name.hasPrefix("--") ? "=" : ""
        return quoted(
          "\(repeats)\(option.name)\(sign)[\(spelled(option.summary))]"
            + (option.placeholder.map(action) ?? ""))
      }
      let help = CommandProgram.helpOptions.map { quoted("(- *)\($0)[Print the help.]") }
      let operands = command.operands.isEmpty ? [] : [quoted("*\(action(command.operands))")]
      let arguments = (options + help + operands).joined(separator: " \\\n        ")
      return "    \(command.name))\n      _arguments \\\n        \(arguments) ;;\n"
    }
    return """
      #compdef rondo
      # Completion of 'rondo' for zsh: a file '_rondo' in a folder of $fpath.

      _rondo() {
        if ((CURRENT == 2)); then
          local -a commands=(
            \(names.joined(separator: "\n      "))
          )
          _describe command commands
          compadd -- \(firstWords(program).filter { $0.hasPrefix("-") }.joined(separator: " "))
          return
        fi
        local command=$words[2]
        shift words
        ((CURRENT--))
        case $command in
      \(commands.joined())  esac
      }
      if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _rondo "$@"; else compdef _rondo rondo; fi

      """
  }

  // MARK: fish

  private func fish(_ program: CommandProgram) -> String {
    var lines: [String] = []
    for word in firstWords(program) {
      if word.hasPrefix("--") {
        lines.append("complete -c rondo -n '__rondo_is \"\"' -l \(word.dropFirst(2))")
      } else if word.hasPrefix("-") {
        lines.append("complete -c rondo -n '__rondo_is \"\"' -s \(word.dropFirst())")
      }
    }
    for command in program.commands {
      lines.append(
        "complete -c rondo -n '__rondo_is \"\"' -a \(command.name) -d \(fishQuoted(command.summary))"
      )
      let start = "complete -c rondo -n '__rondo_is \(command.name)'"
      switch ArgumentKind(placeholder: command.operands) {
      case .file: lines.append("\(start) -F")
      case .folder: lines.append("\(start) -a '(__fish_complete_directories)'")
      case .choice(let words): lines.append("\(start) -a '\(words.joined(separator: " "))'")
      case .text: break
      }
      for option in command.options {
        let isLong = option.name.hasPrefix("--")
        let name = isLong ? "-l \(option.name.dropFirst(2))" : "-s \(option.name.dropFirst())"
        let value =
          switch option.placeholder.map({ ArgumentKind(placeholder: $0) }) {
          case nil: ""
          case .file: " -r -F"
          case .folder: " -x -a '(__fish_complete_directories)'"
          case .choice(let words): " -x -a '\(words.joined(separator: " "))'"
          case .text: " -x"
          }
        lines.append("\(start) \(name)\(value) -d \(fishQuoted(option.summary))")
      }
      lines.append("\(start) -s h -l help -d 'Print the help.'")
    }
    return """
      # Completion of 'rondo' for fish: ~/.config/fish/completions/rondo.fish

      # Whether the command is the one that is named; '' where none has been written yet.
      function __rondo_is
        set -l words (commandline -opc)
        test "$words[2]" = "$argv[1]"
      end

      complete -c rondo -f
      \(lines.joined(separator: "\n"))

      """
  }

  // MARK: Words

  /// The words that can follow the name of the program.
  private func firstWords(_ program: CommandProgram) -> [String] {
    program.commands.map(\.name) + CommandProgram.helpOptions
      + (program.version == nil ? [] : ["--version"])
  }

  private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

  private func fishQuoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}
