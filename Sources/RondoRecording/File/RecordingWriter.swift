// The file of a recording that is being made.

import Foundation
import RondoScheduling
import Synchronization

/// Writes the lines of a recording, from any thread.
///
/// Every line is handed to the system by one call, and is not flushed to the disk. So the store does
/// not wait for the disk, and what was written is there even if the program crashes right behind it.
public final class RecordingWriter: Sendable {
  /// The path of the file.
  public let path: String

  /// Whether it is a file, and no pipe or device.
  private let isFile: Bool
  /// The number of bytes that a file of the process may have. Another one would end the process.
  private let sizeLimit: Int
  private let state: Mutex<State>

  private struct State {
    /// `nil` once the recording has ended.
    var descriptor: Int32?
    var events = 0
    /// The time of the last line.
    var time = 0.0
    /// The number of bytes of the lines that are in the file.
    var size = 0
    /// The reason why the recording was given up.
    var failure: RecordingError?
  }

  /// Makes the file, or empties it. Nobody but the user of the process may read it, and no other
  /// recording may be written to it meanwhile.
  ///
  /// - Throws: A ``RecordingError`` where that is not possible.
  public convenience init(_ url: URL) throws(RecordingError) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    try self.init(url, sizeLimit: Int(clamping: limit.rlim_cur))
  }

  init(_ url: URL, sizeLimit: Int) throws(RecordingError) {
    self.sizeLimit = sizeLimit
    guard url.isFileURL else {
      throw RecordingError("\(url) is not the URL of a file. Make one by URL(filePath:).")
    }
    path = url.path
    // To wait until somebody reads from a pipe with a name could take forever.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      let reason =
        errno == ENXIO
        ? "nobody reads from it; start what reads from it first"
        : String(cString: strerror(errno))
      throw RecordingError("\(path) cannot be written to: \(reason).")
    }
    _ = fcntl(descriptor, F_SETFL, 0)
    // A pipe, or a device such as a terminal, is written to as it is.
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    if isFile {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
        close(descriptor)
        throw RecordingError(
          "\(path) is being written to by another recording. End that one first, or name another "
            + "file.")
      }
      _ = ftruncate(descriptor, 0)
      // A file that was there may be open to others.
      _ = fchmod(descriptor, 0o600)
    }
    self.isFile = isFile
    state = Mutex(State(descriptor: descriptor))
  }

  deinit {
    if let descriptor = state.withLock({ $0.descriptor.take() }) { giveUp(descriptor) }
  }

  /// Whether lines are still taken.
  public var isOpen: Bool { state.withLock { $0.descriptor != nil } }

  /// The reason why the recording was given up; `nil` if it was not.
  public var failure: RecordingError? { state.withLock { $0.failure } }

  /// Writes a line. Does nothing after the end.
  ///
  /// - Returns: The reason why the recording is given up with this line; `nil` if it goes on.
  @discardableResult
  public func write(_ line: RecordingLine) -> RecordingError? {
    state.withLock { state in
      if case .begin = line {} else { state.events += 1 }
      state.time = max(state.time, line.at ?? 0)
      return write(LineText(line).bytes, &state)
    }
  }

  /// Writes a line with the present time, which is read when it is the line's turn: lines come from
  /// several threads.
  ///
  /// - Parameter data: The encoded action, in place of the data of the line.
  func write(
    at clock: RecordingClock, data: [UInt8]? = nil, _ line: (_ at: Double) -> RecordingLine
  ) -> RecordingError? {
    state.withLock { state in
      guard state.descriptor != nil else { return nil }
      state.events += 1
      state.time = max(state.time, clock.now)
      return write(LineText(line(state.time), data: data).bytes, &state)
    }
  }

  /// Writes the first line.
  func write(_ line: RecordingLine.Begin, data: [UInt8]?) -> RecordingError? {
    state.withLock { write(LineText(.begin(line), data: data).bytes, &$0) }
  }

  /// Writes the last line and closes the file. Does nothing when that has been done.
  @discardableResult
  public func end(at time: Double) -> RecordingError? {
    state.withLock { state in
      guard state.descriptor != nil else { return nil }
      let end = RecordingLine.End(at: max(state.time, time), events: state.events)
      let failure = write(LineText(.end(end)).bytes, &state)
      if let descriptor = state.descriptor.take() { giveUp(descriptor) }
      return failure
    }
  }

  /// Closes the file, and lets others record to it.
  ///
  /// A process that is just beginning has a copy of the descriptor until it runs its program, so closing
  /// alone would keep the lock for a moment more.
  private func giveUp(_ descriptor: Int32) {
    if isFile { _ = flock(descriptor, LOCK_UN) }
    close(descriptor)
  }

  private func write(_ text: [UInt8], _ state: inout State) -> RecordingError? {
    guard let descriptor = state.descriptor else { return nil }
    let error =
      isFile
      ? text.count > sizeLimit - state.size ? EFBIG : writeAll(text, to: descriptor)
      : surviveBrokenPipe { writeAll(text, to: descriptor) }
    guard let error else {
      state.size += text.count
      return nil
    }
    let reason = String(cString: strerror(error))
    // A line of which only a part was written is taken back.
    _ = ftruncate(descriptor, state.size)
    let failure = RecordingError(
      "\(path) cannot be written to: \(reason). The recording was given up, and has \(state.size) "
        + "bytes of whole lines, which can be read.")
    giveUp(descriptor)
    state.descriptor = nil
    state.failure = failure
    return failure
  }
}
