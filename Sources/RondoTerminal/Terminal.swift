// A program on a terminal: events come in, frames go out, and the terminal is given back at the end.

import Dispatch
import Foundation
import RondoStage

/// The terminal of a program, from the first frame to the last.
///
/// ```swift
/// let terminal = Terminal()
/// terminal.show(tree())
/// try await terminal.run { event in
///   switch event {
///   case .key(.character("q")): terminal.quit()
///   case .key(.right): x += 4
///   default: break
///   }
///   withAnimation(.snappy) { terminal.show(tree()) }
/// }
/// ```
///
/// While it runs, the terminal shows another screen without a cursor, and every key arrives at once.
/// It is given back as it was on every way out: at the end of ``run(_:)``, on `exit`, when the closure
/// throws, on SIGINT, SIGTERM and SIGHUP, while the program is stopped by Ctrl-Z, and when it crashes,
/// also by a stack overflow on the main actor.
@MainActor
public final class Terminal {
  /// The extent. It is followed by a ``TerminalEvent/resized(_:)`` event whenever it changes.
  public private(set) var size: TerminalSize

  /// The stage, and the clock that it is played by: that of the main queue.
  public private(set) lazy var player = StagePlayer(scheduler: DispatchQueue.main) {
    [weak self] frame in
    guard let self else { return }
    self.frame = frame
    if isShown { drawFrame() }
  }

  private let wantsMouse: Bool
  private let painter: TerminalPainter
  private let background: Color
  private let environment: [String: String]
  private var frame: StageFrame?
  /// The canvas of a program that draws by itself.
  private var canvas: Canvas?
  private var isRunning = false
  /// The number of runs that have begun, so that what is late does not end another run.
  private var runCount = 0
  /// Whether the terminal has been taken over.
  private var isShown = false
  private var input: (any DispatchSourceRead)?
  private var signals: SignalListener?
  private var reader = InputReader()
  private var handle: (TerminalEvent) throws -> Void = { _ in }
  /// Goes on when the end has come.
  private var waiting: CheckedContinuation<Void, Never>?
  /// The end of the run in progress, or of the next one, once it is known.
  private var end: End?

  private enum End {
    case quit
    case failure(any Error)
    case signal(Int32)
  }

  /// The terminal behind the standard streams. Nothing is written before ``run(_:)``.
  ///
  /// - Parameters:
  ///   - wantsMouse: Whether clicks, drags and the wheel are events.
  ///   - ability: Which colours the terminal can show; `nil` for those that the environment says.
  ///   - background: The colour that is taken for the terminal's own where colours are mixed.
  ///   - environment: The variables of the environment.
  public init(
    wantsMouse: Bool = false,
    ability: ColorAbility? = nil,
    background: Color = .black,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.wantsMouse = wantsMouse
    self.background = background
    self.environment = environment
    painter = TerminalPainter(ability: ability ?? ColorAbility(environment: environment))
    size = TerminalDevice.size
  }

  /// Shows a tree from now on, and frames for as long as anything in it moves.
  ///
  /// - Parameters:
  ///   - tree: The new tree.
  ///   - transaction: How the change is to be shown.
  public func show(_ tree: some View, transaction: Transaction = .current) {
    player.commit(tree.node, transaction: transaction)
  }

  /// Draws a canvas that something else has made. Only cells that differ are written.
  public func draw(_ canvas: Canvas) {
    self.canvas = canvas
    if isShown { painter.draw(canvas) }
  }

  /// The canvas that was drawn last.
  public var shown: Canvas? { painter.shown }

  /// Takes the terminal over and hands events to a closure, until ``quit()``, the end of the input or
  /// a signal that ends programs.
  ///
  /// SIGINT, SIGTERM and SIGHUP end the program, as they always do: the closure gets
  /// ``TerminalEvent/ending(signal:)``, the terminal is given back, and the program ends by the signal.
  /// If the closure calls ``quit()`` for that event, the run ends as usual and the program goes on.
  ///
  /// A terminal may run again when a run is over.
  ///
  /// - Parameter handle: Runs for every event. An error that it throws ends the run.
  /// - Throws: The error of the closure, a `CancellationError` if the task is cancelled, or a
  ///   ``TerminalFailure`` if there is no terminal, it cannot be used, or it runs already.
  public func run(_ handle: @escaping (TerminalEvent) throws -> Void) async throws {
    try checkThatItCanRun()
    try Task.checkCancellation()
    isRunning = true
    runCount += 1
    self.handle = handle
    defer {
      isRunning = false
      end = nil
      // The closure may hold the terminal, and a store with its effects.
      self.handle = { _ in }
    }
    if end == nil { try await show() }
    switch end {
    case .quit, nil: return
    case .failure(let error): throw error
    case .signal(let number): SignalListener.endProgram(by: number)
    }
  }

  /// Throws what ``run(_:)`` would throw before it shows anything.
  package func checkThatItCanRun() throws(TerminalFailure) {
    guard !isRunning else { throw .runsAlready }
    guard TerminalDevice.canBeDrawnOn(environment) else { throw .noTerminal }
  }

  /// Has the terminal until the end.
  private func show() async throws {
    // Listening first: whatever ends the program while it begins gives the terminal back, too.
    try listen()
    defer { stopListening() }
    try TerminalDevice.takeOver(wantsMouse: wantsMouse)
    isShown = true
    defer {
      isShown = false
      TerminalDevice.giveBack()
    }
    painter.forget()
    TerminalDevice.isEnding = false
    painter.didFail = { [weak self] failure in
      self?.finish(failure.map { .failure($0) } ?? .quit)
    }
    let size = TerminalDevice.size
    if size != self.size { hand(.resized(size)) }
    drawFrame()
    guard end == nil else { return }
    let run = runCount
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiting = $0 }
    } onCancel: {
      Task { @MainActor in
        if isRunning, run == runCount { quit(throwing: CancellationError()) }
      }
    }
  }

  /// Ends the run. If there is none, the next one ends at once, and shows nothing.
  public func quit() { finish(.quit) }

  /// Ends the run with an error.
  public func quit(throwing error: any Error) { finish(.failure(error)) }

  /// Ends the run, unless something else has ended it.
  private func finish(_ end: End) {
    guard self.end == nil else { return }
    self.end = end
    waiting.take()?.resume()
  }

  private func drawFrame() {
    TerminalDevice.useAlternateStack()
    guard let frame else {
      // A canvas of another extent is replaced by the program that has made it.
      if let canvas, canvas.width == size.width, canvas.height == size.height {
        painter.draw(canvas)
      }
      return
    }
    painter.draw(Canvas(frame, width: size.width, height: size.height, background: background))
  }

  private func hand(_ event: TerminalEvent) {
    guard end == nil else { return }
    TerminalDevice.useAlternateStack()
    if case .resized(let size) = event {
      self.size = size
      // A terminal moves its lines about when its extent changes.
      painter.forget()
      drawFrame()
    }
    do {
      try handle(event)
    } catch {
      finish(.failure(error))
    }
  }
}

// MARK: - Listening

extension Terminal {
  /// The signals that end the program.
  static let endings = [SIGINT, SIGTERM, SIGHUP]

  private func listen() throws(TerminalFailure) {
    signals = try SignalListener(Self.endings + [SIGWINCH, SIGTSTP, SIGCONT]) {
      [weak self] number in
      switch number {
      case SIGWINCH: self?.hand(.resized(TerminalDevice.size))
      case SIGTSTP: self?.suspend()
      // It was stopped without knowing, and the terminal was somebody else's.
      case SIGCONT: if self?.isShown == true, TerminalDevice.isOurs { self?.takeAgain() }
      default: self?.end(by: number)
      }
    }
    reader = InputReader()
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        if self?.readInput() == false { self?.quit() }
      }
    }
    input.activate()
    self.input = input
  }

  /// Hands over what was typed before, asks the program to end, and ends it by the signal unless it quits
  /// by itself.
  private func end(by signal: Int32) {
    TerminalDevice.isEnding = true
    // A terminal keeps a few thousand bytes at most; who types without end must not keep the program alive.
    for _ in 0..<16 where end == nil && TerminalDevice.isOurs && TerminalDevice.hasInput(within: 0)
    {
      guard readInput() else { break }
    }
    hand(.ending(signal: signal))
    finish(.signal(signal))
  }

  private func stopListening() {
    input?.cancel()
    signals?.stop()
    player.stop()
  }

  /// Hands over what has been typed. Returns whether more can come.
  private func readInput() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var bytes: [UInt8] = []
    repeat {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count <= 0, !bytes.isEmpty { break }
      guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
      bytes += buffer[..<count]
      // The system cuts what has piled up anywhere, also behind the first byte of a sequence.
    } while bytes.last == 0x1b && TerminalDevice.hasInput(within: 0)
    for event in reader.read(bytes) { hand(event) }
    // A terminal sends a sequence in one go. Of one that has begun, the rest has arrived or is on its way.
    guard reader.isWaiting, !TerminalDevice.hasInput(within: 25) else { return true }
    for event in reader.flush() { hand(event) }
    return true
  }

  /// Gives the terminal to the shell until the program is to go on.
  private func suspend() {
    guard end == nil else { return }
    // A signal may make the program show something now. That must not be drawn on the screen of the shell.
    isShown = false
    TerminalDevice.giveBack()
    // The end of a paste that has begun has been thrown away.
    reader = InputReader()
    // A second request to stop is obeyed with the first.
    var taken = signals?.take(waiting: 0) ?? []
    while true {
      if let signal = taken.first(where: Self.endings.contains) { return end(by: signal) }
      SignalListener.stopProgram(by: SIGTSTP)
      // A program without a terminal of its own has not been stopped, and nobody tells it to go on.
      if tcgetpgrp(STDIN_FILENO) < 0 { break }
      // A signal that ends a stopped program comes together with one that lets it go on, and not on
      // the terminal. To stop again before it has been noticed would be to stay stopped. Another request
      // to stop has come since the program goes on: the system forgets those from before.
      taken = signals?.take(waiting: 0) ?? []
      while !TerminalDevice.isOurs, let more = signals?.take(waiting: 500), !more.isEmpty {
        taken += more
      }
      if TerminalDevice.isOurs, !taken.contains(where: (Self.endings + [SIGTSTP]).contains) {
        break
      }
    }
    takeAgain()
  }

  /// Takes the terminal again, whatever it shows, and draws everything anew.
  private func takeAgain() {
    do throws(TerminalFailure) {
      try TerminalDevice.takeOver(wantsMouse: wantsMouse)
    } catch {
      return quit(throwing: error)
    }
    isShown = true
    painter.forget()
    hand(.resized(TerminalDevice.size))
  }
}
