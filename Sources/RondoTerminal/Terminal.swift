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
/// throws, on SIGINT, SIGTERM and SIGHUP, while the program is stopped by Ctrl-Z, and when it crashes.
@MainActor
public final class Terminal {
  /// The extent. It is followed by a ``TerminalEvent/resized(_:)`` event whenever it changes.
  public private(set) var size: TerminalSize

  /// The stage, and the clock that it is played by: that of the main queue.
  public private(set) lazy var player = StagePlayer(scheduler: DispatchQueue.main) {
    [weak self] frame in
    guard let self else { return }
    self.frame = frame
    if isRunning { drawFrame() }
  }

  private let wantsMouse: Bool
  private let painter: TerminalPainter
  private let background: Color
  private let environment: [String: String]
  private var frame: StageFrame?
  /// The canvas of a program that draws by itself.
  private var canvas: Canvas?
  private var isRunning = false
  private var input: (any DispatchSourceRead)?
  private var signals: SignalListener?
  private var reader = InputReader()
  private var handle: (TerminalEvent) throws -> Void = { _ in }
  private var ending: CheckedContinuation<Result<Void, any Error>, Never>?
  /// The end, if it has come before anything waits for it.
  private var end: Result<Void, any Error>?

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
    if isRunning { painter.draw(canvas) }
  }

  /// The canvas that was drawn last.
  public var shown: Canvas? { painter.shown }

  /// Takes the terminal over and hands events to a closure, until ``quit()``, the end of the input or
  /// a signal that ends programs.
  ///
  /// - Parameter handle: Runs for every event. An error that it throws ends the run.
  /// - Throws: The error of the closure, or a ``TerminalFailure`` if there is no terminal or it cannot
  ///   be used.
  public func run(_ handle: @escaping (TerminalEvent) throws -> Void) async throws {
    guard TerminalDevice.canBeDrawnOn(environment) else { throw TerminalFailure.noTerminal }
    self.handle = handle
    end = nil
    // Listening first: whatever ends the program while it begins gives the terminal back, too.
    listen()
    defer { stopListening() }
    try TerminalDevice.takeOver(wantsMouse: wantsMouse)
    defer { TerminalDevice.giveBack() }
    isRunning = true
    defer { isRunning = false }
    painter.forget()
    painter.didFail = { [weak self] failure in
      self?.finish(failure.map { .failure($0) } ?? .success(()))
    }
    let size = TerminalDevice.size
    if size != self.size { hand(.resized(size)) }
    drawFrame()
    if end == nil {
      end = await withCheckedContinuation { ending = $0 }
    }
    try end?.get()
  }

  /// Ends the run.
  public func quit() { finish(.success(())) }

  /// Ends the run with an error.
  public func quit(throwing error: any Error) { finish(.failure(error)) }

  private func finish(_ result: Result<Void, any Error>) {
    guard let ending else {
      end = end ?? result
      return
    }
    self.ending = nil
    ending.resume(returning: result)
  }

  private func drawFrame() {
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
  private func listen() {
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.readInput() }
    }
    input.activate()
    self.input = input
    signals = SignalListener([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]) { [weak self] number in
      switch number {
      case SIGWINCH: self?.hand(.resized(TerminalDevice.size))
      case SIGTSTP: self?.suspend()
      default: self?.quit()
      }
    }
  }

  private func stopListening() {
    input?.cancel()
    signals?.stop()
    player.stop()
  }

  private func readInput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    guard count > 0 else {
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      return quit()
    }
    for event in reader.read(buffer[..<count]) { hand(event) }
  }

  /// Gives the terminal to the shell until the program is to go on.
  private func suspend() {
    TerminalDevice.giveBack()
    repeat {
      raise(SIGSTOP)
      // A signal that ends a stopped program comes together with one that lets it go on, and not on
      // the terminal. To stop again before it has been noticed would be to stay stopped.
      let taken = signals?.take(waiting: TerminalDevice.isOurs ? 0 : 500) ?? []
      if taken.contains(where: { $0 != SIGWINCH && $0 != SIGTSTP }) { return quit() }
    } while !TerminalDevice.isOurs
    do throws(TerminalFailure) {
      try TerminalDevice.takeOver(wantsMouse: wantsMouse)
    } catch {
      return quit(throwing: error)
    }
    painter.forget()
    hand(.resized(TerminalDevice.size))
  }
}
