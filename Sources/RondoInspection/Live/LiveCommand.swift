// `rondo live`: the page of a program that is running.

import Foundation
import RondoHistory

/// Serves the page of a recording until the user ends it.
struct LiveCommand {
  private let options: CommandOptions

  init(_ options: CommandOptions) { self.options = options }

  /// Serves until a signal asks for the end. While a program is running in the same terminal, an interruption is
  /// for the program. A program that does not end when it is asked to is killed by a second signal.
  func run() throws(CommandFailure) -> CommandResult {
    let file = try RecordingPlace(options)
    defer { file.remove() }
    if options.program.isEmpty { _ = try History.checkFile(file.path) }
    let server = try LiveServer(RecordingTail(file.path), port: options.port)
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    try? FileHandle.standardError.write(contentsOf: Data("rondo: open \(server.address)\n".utf8))
    var program: LiveProgram?
    if !options.program.isEmpty {
      program = try LiveProgram(options.program, recordingTo: file.path, signals: before)
    }
    // The looks at the file since the program was asked to end.
    var looks: Int?
    while looks == nil || program?.isRunning == true {
      server.turn(timeout: Self.pace)
      server.programState = program?.update()
      if let count = looks {
        if count == Self.patience { program?.sayThatItGoesOn() }
        looks = count + 1
      }
      guard let signal = Self.next(of: signals) else { continue }
      guard program?.isRunning == true else { break }
      if looks != nil {
        program?.send(SIGKILL)
      } else if signal != SIGINT {
        program?.send(signal)
        looks = 0
      }
    }
    return CommandResult(status: .success)
  }

  /// The number of looks at the file, about a second's, after which a program that does not end is named.
  private static let patience = 25

  /// The milliseconds between two looks at the file.
  private static let pace: Int32 = 40

  /// A signal that has arrived; `nil` if none has.
  private static func next(of signals: sigset_t) -> Int32? {
    var (signals, time) = (signals, timespec())
    let signal = sigtimedwait(&signals, nil, &time)
    return signal > 0 ? signal : nil
  }
}

/// The file of a recording: one that is named, or one for the time of a program, in a folder of its own.
private struct RecordingPlace {
  let path: String
  private var folder: String?

  init(_ options: CommandOptions) throws(CommandFailure) {
    if let path = options.output ?? options.recordings.first {
      self.path = try Self.recording(behind: path)
      return
    }
    var template = (NSTemporaryDirectory() + "/rondo-XXXXXX").utf8CString.map(\.self)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        .cannotCreate,
        "a folder for the recording cannot be made in \(NSTemporaryDirectory()): "
          + "\(String(cString: strerror(errno))); name a file by '-o'")
    }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.folder = folder
    path = "\(folder)/recording.jsonl"
  }

  /// The recording of the program that a socket belongs to; a path of anything else as it is.
  private static func recording(behind path: String) throws(CommandFailure) -> String {
    var status = stat()
    guard stat(path.pathBytes, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      return path
    }
    do throws(ControlClient.Failure) {
      return try ControlClient(path).recording
    } catch {
      throw CommandFailure(.noInput, error.description)
    }
  }

  func remove() {
    if let folder { try? FileManager.default.removeItem(atPath: folder) }
  }
}

/// A program that is started with the name of a recording in its environment.
struct LiveProgram {
  private let process: pid_t
  private let name: String
  /// The words for its end; `nil` while it runs.
  private var end: String?

  var isRunning: Bool { end == nil }

  /// - Parameter signals: The signals that the program does not get, as this one did not.
  init(
    _ command: [String], recordingTo path: String, signals: sigset_t
  ) throws(CommandFailure) {
    name = command[0]
    var environment = ProcessInfo.processInfo.environment
    environment["RONDO_RECORD"] = path
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = signals
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    func copies(_ texts: [[CChar]]) -> [UnsafeMutablePointer<CChar>?] {
      texts.map { strdup($0) } + [nil]
    }
    let arguments = copies(command.map(\.pathBytes))
    let variables = copies(
      environment.map { Array("\($0.key)=".utf8CString.dropLast()) + $0.value.pathBytes })
    defer { for copy in arguments + variables { free(copy) } }
    var process = pid_t()
    let problem = posix_spawnp(
      &process, command[0].pathBytes, nil, &attributes, arguments, variables)
    guard problem == 0 else {
      throw CommandFailure(
        .noInput, "\(name) cannot be started: \(String(cString: strerror(problem)))")
    }
    self.process = process
  }

  /// Looks whether the program has ended.
  ///
  /// - Returns: The words for its end; `nil` while it runs.
  mutating func update() -> String? {
    guard end == nil else { return end }
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return nil }
    let signal = status & 0x7F
    end =
      signal == 0
      ? "\(name) has ended with status \((status >> 8) & 0xFF)."
      : "\(name) was ended by signal \(signal): \(String(cString: strsignal(signal)))."
    return end
  }

  /// Passes a signal on.
  func send(_ signal: Int32) {
    if isRunning { kill(process, signal) }
  }

  /// Says that the program has not ended yet, and what can be done.
  func sayThatItGoesOn() {
    let line = "rondo: \(name) has not ended yet; another signal kills it\n"
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }
}
