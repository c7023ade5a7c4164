// The program from its arguments to its exit status.

import Foundation
import HomeFeature
import RondoStage

/// What the program does, in the order in which it does it.
@MainActor
struct Program {
  static let name = "isowords-home"

  let options: Options
  let directory: DataDirectory

  /// Reads the command line and makes sure of the data directory, or ends the program.
  init(arguments: [String], environment: [String: String]) {
    do throws(UsageError) {
      options = try Options(arguments: arguments)
    } catch {
      Self.end(.usage, error.description)
    }
    if options.help {
      Self.write(Options.helpText)
      Self.end(.success)
    }
    directory = DataDirectory(options.dataDirectory, environment: environment)
    do throws(DataDirectory.Problem) {
      try FrameExport.prepare(options)
      try directory.prepare()
    } catch {
      Self.end(.io, error.description)
    }
  }

  /// Runs the launch, and ends the program.
  func run(environment: [String: String]) async -> Never {
    if showsScreen(environment) {
      let screen = ScreenRun(
        options: options,
        directory: directory.path,
        ability: ColorAbility(environment: environment)
      )
      Self.end(problem: await screen.run())
    }
    let isTerminal = Output.standard.isTerminal
    let style = LogStyle(
      options.format ?? .plain, colored: isTerminal && Self.wantsColors(environment))
    let log = { (entry: LogEntry) in Self.write(style.line(for: entry) + "\n") }

    let fileProblem: String?
    if options.exportsFrames {
      fileProblem = FrameExport(options: options, directory: directory.path).run(log: log)
    } else if options.virtualTime {
      fileProblem = VirtualRun(options: options, directory: directory.path).run(log: log)
    } else {
      let live = LiveRun(
        options: options,
        directory: directory.path,
        isInteractive: isTerminal && !options.once,
        log: log
      )
      fileProblem = await live.run()
    }
    Self.end(problem: fileProblem)
  }

  /// Whether there is a terminal, and nobody has asked for something that is no screen.
  private func showsScreen(_ environment: [String: String]) -> Bool {
    guard !options.virtualTime, !options.exportsFrames, options.format == nil else { return false }
    return TerminalDevice.isPresent && environment["TERM", default: "dumb"] != "dumb"
  }

  /// Whether colours are wanted: https://no-color.org, and terminals that have none.
  private static func wantsColors(_ environment: [String: String]) -> Bool {
    environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }
}

// MARK: - Output and the end

extension Program {
  private static func write(_ text: String) {
    do throws(Output.Failure) {
      try Output.standard.write(text)
    } catch {
      switch error {
      case .closed: end(.success)
      case .failed(let reason): end(.io, "cannot write the log: \(reason)")
      }
    }
  }

  /// Ends the program; with what went wrong with the files or the terminal, if anything did.
  private static func end(problem: String?) -> Never {
    guard let problem else { end(.success) }
    end(.io, problem)
  }

  /// Ends the program, with one line on standard error if something went wrong.
  private static func end(_ status: ExitStatus, _ problem: String? = nil) -> Never {
    if let problem {
      try? Output.error.write("\(name): \(problem)\n")
    }
    exit(status.rawValue)
  }
}

extension LogStyle {
  fileprivate init(_ format: Options.Format, colored: Bool) {
    switch format {
    case .plain: self = .plain(colored: colored)
    case .json: self = .json
    }
  }
}
