// The commands that do not look at recordings.

import Foundation
import RondoInspection
import RondoTemplates

/// The commands of the program that are not about recordings.
enum ProgramCommand: String, CaseIterable {
  case new, completions, manual

  var description: CommandDescription {
    let options = OptionDefinition<ProgramOptions>.all.filter { $0.commands.contains(self) }
    return CommandDescription(
      name: rawValue, summary: summary, operands: operands, options: options.map { .init($0) },
      notes: notes
    ) { arguments throws(CommandFailure) in
      var values = ProgramOptions()
      let arguments = try values.read(arguments, of: self, OptionDefinition.all)
      return try run(arguments.operands + arguments.rest, values)
    }
  }

  private var summary: String {
    switch self {
    case .new: "Make a package that builds, runs and passes its tests."
    case .completions: "Print a script that completes commands and options in a shell."
    case .manual: "Print the manual page."
    }
  }

  private var operands: String {
    switch self {
    case .new: "NAME"
    case .completions: CompletionShell.allCases.map(\.rawValue).joined(separator: "|")
    case .manual: ""
    }
  }

  private var notes: String {
    switch self {
    case .new:
      """
      The package is made in a folder NAME, which must be empty where it is there. Templates:

      \(PackageTemplate.allCases.map { "  \($0.rawValue.padded(to: 8))  \($0.summary)" }
        .joined(separator: "\n"))

      Without --rondo it stands on the checkout that this program was built in.
      """
    case .completions:
      """
      bash:  source <(rondo completions bash)
      zsh:   rondo completions zsh >FOLDER/_rondo, where FOLDER is in $fpath
      fish:  rondo completions fish >~/.config/fish/completions/rondo.fish
      """
    case .manual: "Read it by: rondo manual | man -l -"
    }
  }

  private func run(
    _ operands: [String], _ options: ProgramOptions
  ) throws(CommandFailure) -> CommandResult {
    switch self {
    case .new: return try new(operands, options)
    case .completions:
      let choices = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
      guard operands.count == 1, let shell = CompletionShell(rawValue: operands[0]) else {
        throw CommandFailure(.usage, "'completions' takes the name of one shell: \(choices)")
      }
      return CommandResult(status: .success, output: shell.script(for: .rondo))
    case .manual:
      guard operands.isEmpty else {
        throw CommandFailure(.usage, "'manual' takes no arguments; leave '\(operands[0])' out")
      }
      return CommandResult(status: .success, output: ManualPage(.rondo).text)
    }
  }

  private func new(
    _ operands: [String], _ options: ProgramOptions
  ) throws(CommandFailure) -> CommandResult {
    guard operands.count == 1 else {
      throw CommandFailure(
        .usage,
        "'new' takes one name, and \(operands.isEmpty ? "none was" : "\(operands.count) were") given"
      )
    }
    guard let template = options.template else {
      throw CommandFailure(.usage, "'new' needs a template: \(ProgramOptions.templateUsage)")
    }
    do throws(TemplateFailure) {
      let folder = FileManager.default.currentDirectoryPath
      try NameProblem.check(operands[0])
      let place: RondoPlace
      if let rondo = options.rondo {
        place = try RondoPlace(rondo, from: folder)
      } else if let around = RondoPlace(around: Self.executable, from: folder) {
        place = around
      } else {
        throw .noCheckout("this program lies in no checkout of Rondo")
      }
      let package = try NewPackage(name: operands[0], template: template, rondo: place)
      let files = try package.write(in: folder)
      let start = template == .library ? "swift test" : "swift test && swift run"
      return CommandResult(
        status: .success,
        output: files.map { "\(package.name)/\($0)\n" }.joined()
          + "\nNow:  cd \(package.name) && \(start)\n")
    } catch {
      switch error {
      case .badName(let text): throw CommandFailure(.usage, text)
      case .noCheckout(let text):
        throw CommandFailure(
          .noInput, "\(text); say where it is: --rondo FOLDER, or --rondo URL")
      case .cannotWrite(let text): throw CommandFailure(.cannotCreate, text)
      }
    }
  }

  /// The path of this program.
  private static var executable: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
  }
}

/// The options of these commands.
struct ProgramOptions: OptionValues {
  typealias Command = ProgramCommand

  var template: PackageTemplate?
  /// The place of Rondo: a folder, or the address of a repository.
  var rondo: String?

  static let templates = PackageTemplate.allCases.map(\.rawValue).joined(separator: "|")
  static let templateUsage = "--template \(templates)"
}

extension OptionDefinition<ProgramOptions> {
  static var all: [Self] {
    [
      OptionDefinition(
        name: "--template", commands: [.new], summary: "What the package is to be.",
        effect: .value(ProgramOptions.templates) { options, value throws(CommandFailure) in
          guard let template = PackageTemplate(rawValue: value) else {
            throw CommandFailure(
              .usage, "there is no template '\(value)': \(ProgramOptions.templateUsage)")
          }
          options.template = template
        }),
      OptionDefinition(
        name: "--rondo", commands: [.new],
        summary: "A checkout of Rondo; or the URL of a repository of it.",
        effect: .value("FOLDER") { $0.rondo = $1 }),
    ]
  }
}

extension CommandProgram {
  /// The whole program.
  static let rondo = CommandProgram(
    commands: ProgramCommand.allCases.map(\.description) + InspectionCommand.commands,
    version: RondoPlace.version)
}
