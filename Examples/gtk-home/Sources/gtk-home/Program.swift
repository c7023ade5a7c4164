// The program from its arguments to its exit status.

import Foundation
import GTKStage

/// The steps of the program, in their order.
enum Program {
  static func run(_ arguments: [String]) -> Never {
    do throws(Failure) {
      try start(Options(arguments))
      exit(0)
    } catch {
      FileHandle.standardError.write(Data("gtk-home: \(error.description)\n".utf8))
      exit(error.status)
    }
  }

  private static func start(_ options: Options) throws(Failure) {
    guard !options.isHelp else { return print(Options.help) }
    guard MainLoop.connect() else {
      throw Failure(
        status: 69,
        description: "there is no display; DISPLAY or WAYLAND_DISPLAY names one, and 'xvfb-run' "
          + "makes one")
    }
    MainLoop.serveMainQueue()
    if let count = options.movingCount { return measure(count) }
    try HomeRun(options).run()
  }
}
