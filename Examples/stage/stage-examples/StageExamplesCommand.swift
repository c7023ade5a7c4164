// Plays the examples of the stage on a terminal, or draws their pictures.

import Dispatch
import Foundation
import RondoStage
import RondoTerminal
import RondoStageExamples

@main
@MainActor
struct StageExamplesCommand {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var folder: String?
    var printsFrames = false
    var names: [String] = []
    while let argument = arguments.first {
      arguments.removeFirst()
      switch argument {
      case "--help", "-h": return print(help)
      case "--frames": printsFrames = true
      case "--svg":
        guard let path = arguments.first, !path.hasPrefix("-") else {
          fail(64, "--svg needs a folder")
        }
        folder = path
        arguments.removeFirst()
      case _ where argument.hasPrefix("-"):
        fail(64, "there is no option \(argument); --help lists them")
      default: names.append(argument)
      }
    }
    for name in names where !stageExamples.contains(where: { $0.name == name }) {
      fail(64, "there is no example called \(name); --help lists them")
    }
    let chosen = stageExamples.filter { names.isEmpty || names.contains($0.name) }
    if let folder {
      for picture in stagePictures where chosen.contains(where: { $0.name == picture.name }) {
        write(picture.animatedSVG(), to: "\(folder)/\(picture.name).svg")
      }
      return
    }
    // A pipe and a terminal that cannot be drawn on get the pictures as text.
    guard !printsFrames, TerminalDevice.canBeDrawnOn(ProcessInfo.processInfo.environment) else {
      for example in chosen { print("\(example.name): \(example.summary)\n\n\(example.album())") }
      return
    }
    await play(chosen)
  }

  private static var help: String {
    """
    stage-examples [--frames | --svg FOLDER] [NAME …]

    Plays examples on the terminal; any key goes on to the next one, q ends it. With --frames, and
    where there is no terminal, it prints pictures of them; with --svg it writes one that moves for
    each: FOLDER/NAME.svg.

    \(stageExamples.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
    """
  }

  /// Plays examples one after another, until the last one is over or a key ends it.
  private static func play(_ examples: [any StageExample.Type]) async {
    let terminal = Terminal()
    let projector = Projector(terminal, examples)
    projector.next()
    do {
      try await terminal.run { event in
        switch event {
        case .key(.character("q")), .key(.escape), .key(.endOfInput): terminal.quit()
        case .key: projector.next()
        default: break
        }
      }
    } catch {
      fail(74, "\(error)")
    }
    projector.stop()
  }

  private static func write(_ text: String, to path: String) {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      fail(73, "\(path) cannot be written: \(error.localizedDescription)")
    }
  }

  private static func fail(_ status: Int32, _ message: String) -> Never {
    FileHandle.standardError.write(Data("stage-examples: \(message)\n".utf8))
    exit(status)
  }
}

/// Draws examples at 60 frames a second.
@MainActor
private final class Projector {
  private let terminal: Terminal
  private var rest: ArraySlice<any StageExample.Type>
  private var timer: (any DispatchSourceTimer)?

  init(_ terminal: Terminal, _ examples: [any StageExample.Type]) {
    self.terminal = terminal
    rest = examples[...]
  }

  /// Begins the next example, or ends the program after the last one.
  func next() {
    stop()
    guard let type = rest.popFirst() else { return terminal.quit() }
    let example = type.init()
    let clock = ContinuousClock()
    let start = clock.now
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now(), repeating: .nanoseconds(16_666_667))
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        let elapsed = clock.now - start
        guard elapsed < type.duration else {
          self?.next()
          return
        }
        self?.terminal.draw(example.titledCanvas(at: elapsed))
      }
    }
    timer.activate()
    self.timer = timer
  }

  func stop() {
    timer?.cancel()
    timer = nil
  }
}

extension StageExample {
  /// The picture at an instant, with the name of the example and what it shows below it.
  fileprivate func titledCanvas(at instant: Duration) -> Canvas {
    let title = "\(Self.name): \(Self.summary)"
    let stage = Stage()
    stage.commit(Node.text(title).offset(y: Double(Self.size.height + 1)), at: instant)
    return Canvas(
      frame(at: instant).overlaid(with: stage.frame(at: instant)),
      width: max(Self.size.width, title.count), height: Self.size.height + 2)
  }
}
