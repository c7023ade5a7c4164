// A recording that goes on.

import Foundation
import Rondo
import RondoScheduling
import Synchronization

/// A recording of a store. It goes on until ``end()`` is called, or until this value is released.
///
/// ```swift
/// let recording = try store.record(to: URL(filePath: "launch.jsonl"))
/// store.send(.onAppear)
/// recording.end()
/// ```
///
/// If the file cannot be written any more, the recording is given up, which is reported once; the
/// store goes on.
public final class Recording: Sendable {
  let writer: RecordingWriter
  let clock: RecordingClock
  /// The call that has begun the recording, for reports.
  let position: SourcePosition
  /// The socket that tools act on the program by.
  private let socket: ControlSocket?
  private let stopObserving = Mutex<(@Sendable () -> Void)?>(nil)

  init(
    _ writer: RecordingWriter, _ clock: RecordingClock, at position: SourcePosition,
    _ socket: ControlSocket? = nil
  ) {
    self.socket = socket
    self.writer = writer
    self.clock = clock
    self.position = position
  }

  deinit {
    end()
  }

  /// The file that the variable `RONDO_RECORD` of the environment names; `nil` where it names none.
  ///
  /// `rondo live -- PROGRAM` sets it, to show what the program does while it runs:
  ///
  /// ```swift
  /// if let url = Recording.requestedURL {
  ///   recording = try store.record(to: url)
  /// }
  /// ```
  public static var requestedURL: URL? {
    requestedURL(in: ProcessInfo.processInfo.environment)
  }

  static func requestedURL(in environment: [String: String]) -> URL? {
    guard let path = environment["RONDO_RECORD"], !path.isEmpty else { return nil }
    return URL(filePath: path)
  }

  /// The socket that tools act on the program by, while it is recorded; `nil` where they may not.
  public var controlURL: URL? { socket.map { URL(filePath: $0.path) } }

  /// The file of the recording.
  public var url: URL { URL(filePath: writer.path) }

  /// The reason why the recording was given up; `nil` if it was not.
  public var failure: RecordingError? { writer.failure }

  /// Ends the recording with its last line. May be called anywhere, and more than once.
  public func end() {
    socket?.end()
    position.report(writer.end(at: clock.now))
    stopObserving.withLock { $0.take() }?()
  }

  /// Adds a frame of a screen.
  ///
  /// - Parameters:
  ///   - columns: The number of columns of the screen.
  ///   - rows: The number of rows of the screen.
  ///   - cells: The cells that differ from the frame before.
  public func addFrame(columns: Int, rows: Int, cells: [RecordingLine.Frame.Run]) {
    position.report(
      writer.write(at: clock) {
        .frame(RecordingLine.Frame(at: $0, columns: columns, rows: rows, cells: cells))
      })
  }

  func whenEnded(_ stop: @escaping @Sendable () -> Void) {
    stopObserving.withLock { $0 = stop }
  }
}

extension SourcePosition {
  /// Reports that the recording that was begun here is given up.
  func report(_ failure: RecordingError?) {
    if let failure { reportIssue(failure.description, at: self) }
  }
}
