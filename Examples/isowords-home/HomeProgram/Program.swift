// The program from its arguments to its exit status.

import Foundation
import RondoHomeFeature
import RondoRecording
import RondoStage
import RondoTerminal

/// The steps of the program, in their order.
@MainActor
public struct Program {
  nonisolated static let name = "isowords-home"
  /// The directory that goes away when the program ends, if there is one.
  private static var temporaryDirectory: String?

  let options: Options
  let directory: DataDirectory
  let recording: RunRecording?

  /// The arguments of the process, or the end of the program where one of them is no text: a path
  /// that was repaired would be that of another file.
  public static func arguments() -> [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { number in
      guard let bytes = CommandLine.unsafeArgv[number] else { return nil }
      if let argument = String(validatingCString: bytes) { return argument }
      end(.usage, "argument \(number) is not UTF-8: \(String(cString: bytes).onOneLine)")
    }
  }

  /// Reads the command line and makes sure of the data directory, or ends the program.
  public init(arguments: [String], environment: [String: String]) {
    do throws(UsageError) {
      var options = try Options(arguments: arguments)
      // Who has set up nothing sees a card that appears untagged, too.
      options.hasExample = options.dataDirectory == nil
      self.options = options
    } catch {
      Self.end(.usage, error.description)
    }
    if options.help {
      Self.write(Options.helpText)
      Self.end(.success)
    }
    if let file = options.replayFile {
      Self.replay(file, LogStyle(options, environment))
    }
    if let hours = options.simulatedHours {
      Self.simulate(hours: hours, seed: options.seed)
    }
    directory = DataDirectory(options.dataDirectory, environment: environment)
    do throws(DataDirectory.Problem) {
      try OutputPlaces(options, data: directory).prepare()
    } catch {
      Self.end(.io, error.description)
    }
    recording = RunRecording(options)
  }

  /// Runs the launch, and ends the program.
  public func run(environment: [String: String]) async -> Never {
    if showsScreen(environment) {
      let screen = ScreenRun(
        options: options,
        directory: directory.path,
        ability: ColorAbility(environment: environment),
        recording: recording
      )
      let problem = await screen.run { _ in checkRecording() }
      end(problem: problem, signal: screen.signal)
    }
    let style = LogStyle(options, environment)
    let runLog = RunLog(style, width: Self.width) { Self.write($0) }
    let log = { (commit: HomeCommit) in
      checkRecording()
      runLog.add(commit)
    }

    let fileProblem: String?
    var signal: Int32?
    if options.exportsFrames {
      fileProblem = FrameExport(
        options: options, directory: directory.path, recording: recording, runLog: runLog
      ).run(log: log)
    } else if options.virtualTime {
      fileProblem = VirtualRun(
        options: options, directory: directory.path, recording: recording, runLog: runLog
      ).run(log: log)
    } else {
      let live = LiveRun(
        options: options,
        directory: directory.path,
        isInteractive: TerminalDevice.canBeDrawnOn(environment) && !options.once,
        recording: recording,
        runLog: runLog,
        log: log
      )
      fileProblem = await live.run()
      signal = live.signal
    }
    if recording?.hasFailed != true { runLog.end() }
    end(problem: fileProblem, signal: signal)
  }

  /// Whether there is a terminal, and nobody has asked for something that is no screen.
  private func showsScreen(_ environment: [String: String]) -> Bool {
    guard !options.virtualTime, !options.exportsFrames, options.format == nil else { return false }
    return TerminalDevice.canBeDrawnOn(environment)
  }
}

// MARK: - Recordings

extension Program {
  /// Ends the program if the recording was given up. That was reported before.
  private func checkRecording() {
    guard let recording, recording.hasFailed else { return }
    TerminalDevice.giveBack()
    Self.end(.io)
  }

  /// Runs a recording again, and ends the program.
  private static func replay(_ file: String, _ style: LogStyle) -> Never {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
      let reason =
        if isFolder.boolValue { "it is a folder; name a recording in it" } else if !exists {
          "there is no such file"
        } else {
          error.localizedDescription
        }
      end(.io, "\(JSONText.quoted(file)) cannot be read: \(reason)")
    }
    let name = JSONText.quoted(file)
    let outcome: ReplayOutcome
    do throws(RecordingError) {
      let recording = try RecordingFile(data)
      outcome = try HomeReplay.run(recording) {
        write(style.line(for: $0, width: width) + "\n")
      }
      if case .agrees = outcome { write(style.text(ofLaunchIn: recording, width: width)) }
    } catch {
      end(.data, "\(name): \(error)")
    }
    switch outcome {
    case .agrees(let commits):
      end(.success, "\(name): \(commits) commits, and every state agrees")
    case .cutOff(let commits):
      end(.success, "\(name): cut off; every state agrees up to there, after \(commits) commits")
    case .differs(let line, let difference):
      end(.data, "\(name), line \(line): \(difference)")
    }
  }
}

// MARK: - Simulation

extension Program {
  /// Simulates somebody at the keyboard, with a line for every hour, and ends the program.
  ///
  /// The files are in a directory of their own: those of the player are not to be damaged.
  private static func simulate(hours: Int, seed: UInt64) -> Never {
    let directory = NSTemporaryDirectory() + "/isowords-home-\(UUID().uuidString)"
    temporaryDirectory = directory
    removeOnSignals(directory)
    do throws(DataDirectory.Problem) {
      try DataDirectory(directory, environment: [:]).prepare()
    } catch {
      end(.io, error.description)
    }
    run(Simulation(seed: seed, directory: directory), for: .seconds(3_600 * hours))
  }

  /// Removes a directory before SIGINT or SIGTERM ends the program. The main thread is busy until the
  /// end, so another one waits for the signals.
  private static func removeOnSignals(_ directory: String) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Thread.detachNewThread { [signals] in
      var signals = signals
      var number: Int32 = 0
      sigwait(&signals, &number)
      // Under another name first: the main thread may be writing a file into it.
      let old = directory + ".old"
      rename(directory, old)
      try? FileManager.default.removeItem(atPath: old)
      signal(number, SIG_DFL)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(number)
    }
  }

  /// Runs a simulation, and ends the program.
  static func run(_ simulation: Simulation, for duration: Duration) -> Never {
    write("hour   keys  commits   frames  failures  effects at rest  bytes/min at rest  memory\n")
    var (hour, left) = (0, duration)
    while left > .zero {
      hour += 1
      simulation.run(for: min(left, .seconds(3_600)))
      left -= .seconds(3_600)
      let report = simulation.report
      let columns = [
        (hour, 4), (report.keys, 7), (report.commits, 9), (report.frames, 9), (report.failures, 10),
        (report.effectsAtRest, 17), (60 * report.bytesAtRest / max(1, report.secondsAtRest), 19),
      ]
      write(
        columns.map { "\($0)".leftPadded(to: $1) }.joined()
          + "\(residentKilobytes) kB\n".leftPadded(to: 13))
    }
    simulation.stop()
    let problems = simulation.report.problems
    guard problems.isEmpty else {
      write(problems.map { $0 + "\n" }.joined())
      end(.software, "\(problems.count) problems with the seed \(simulation.seed)")
    }
    end(.success)
  }

  /// The memory of the program, in use or not.
  private static var residentKilobytes: Int {
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE)) / 1024
  }
}

// MARK: - Output and the end

extension Program {
  /// The columns that lines of text fit into.
  static var width: Int {
    Output.standard.isTerminal ? TerminalDevice.size.width : RunLog.pageWidth
  }

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

  /// Ends the program.
  ///
  /// - Parameters:
  ///   - problem: The problem with the files or the terminal, if there was one.
  ///   - signal: The signal that asked for the end, if one did. The program then ends by it.
  private func end(problem: String?, signal: Int32?) -> Never {
    recording?.end()
    if recording?.hasFailed == true { Self.end(.io, problem) }
    if problem == nil, let signal { SignalListener.endProgram(by: signal) }
    Self.end(problem == nil ? .success : .io, problem)
  }

  /// Ends the program, with one line on standard error if there is something to say.
  private static func end(_ status: ExitStatus, _ problem: String? = nil) -> Never {
    if let problem {
      // It may name what came from outside.
      try? Output.error.write("\(name): \(problem.withoutControls)\n")
    }
    if let temporaryDirectory { try? FileManager.default.removeItem(atPath: temporaryDirectory) }
    exit(status.rawValue)
  }
}

extension LogStyle {
  /// The style that the options ask for, in colours where standard output has some.
  fileprivate init(_ options: Options, _ environment: [String: String]) {
    switch options.format {
    case .json: self = .json
    case .plain, nil:
      // https://no-color.org, and terminals that have none.
      let wantsColors =
        environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
      self = .plain(colored: Output.standard.isTerminal && wantsColors)
    }
  }
}
