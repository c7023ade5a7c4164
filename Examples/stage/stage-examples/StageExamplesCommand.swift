// Plays the examples of the stage on a terminal, or prints their pictures.

import Foundation
import RondoStage
import StageExamples

@main
@MainActor
struct StageExamplesCommand {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let pictures = arguments.firstIndex(of: "--svg").map { arguments[($0 + 1)...].first ?? "." }
    let names = arguments.filter { !$0.hasPrefix("-") && $0 != pictures }
    let chosen = stageExamples.filter { names.isEmpty || names.contains($0.name) }
    guard !arguments.contains("--help") else { return printHelp() }
    for name in names where !stageExamples.contains(where: { $0.name == name }) {
      FileHandle.standardError.write(Data("There is no example called \(name).\n".utf8))
      printHelp()
      exit(64)
    }
    for example in chosen {
      if let pictures {
        write(example.animatedSVG(), to: "\(pictures)/\(example.name).svg")
      } else if arguments.contains("--frames") {
        print("\(example.name): \(example.summary)\n\n\(example.album())")
      } else {
        await play(example)
      }
    }
  }

  private static func printHelp() {
    print("stage-examples [--frames | --svg FOLDER] [NAME …]\n")
    print("Plays examples on the terminal. With --frames it prints pictures of them, with --svg it")
    print("writes one that moves for each: FOLDER/NAME.svg.\n")
    for example in stageExamples { print("  \(example.name): \(example.summary)") }
  }

  private static func play(_ type: any StageExample.Type) async {
    let example = type.init()
    let ability = ColorAbility(environment: ProcessInfo.processInfo.environment)
    let clock = ContinuousClock()
    let start = clock.now
    var shown: Canvas?
    // The cursor is hidden while the example plays.
    write("\u{1B}[?25l\u{1B}[2J")
    while clock.now - start < type.duration {
      let canvas = example.canvas(at: clock.now - start)
      write(canvas.ansi(from: shown, ability: ability))
      shown = canvas
      try? await clock.sleep(for: .nanoseconds(16_666_667))
    }
    write("\u{1B}[\(type.size.height + 1);1H\u{1B}[?25h\n")
  }

  private static func write(_ text: String, to path: String) {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      FileHandle.standardError.write(Data("\(path) cannot be written: \(error)\n".utf8))
      exit(73)
    }
  }

  private static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
