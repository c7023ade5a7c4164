// Recording stores.

import Foundation
import Rondo
import RondoScheduling

extension Store {
  /// Records everything that the store does: actions with their causes, commits, effects, waits and
  /// reported issues. See the page *Recording* of the documentation.
  ///
  /// ```swift
  /// let recording = try store.record(to: url, redacting: [.state(\.session?.token)])
  /// ```
  ///
  /// States and actions may have any type. They are recorded as they are printed; where they are
  /// `Codable` they are also encoded, and such a recording can be run again.
  ///
  /// - Parameters:
  ///   - url: The file, which is made or replaced. Only the user of the process may read it.
  ///   - redactions: Members that are left out, besides those that are `@Redacted`.
  ///   - clock: The clock that the times in the recording are read from.
  ///   - date: The date of the beginning.
  ///   - control: The permission for tools to act on the program meanwhile; `nil` for none.
  /// - Returns: The recording, which ends when it is released.
  /// - Throws: A ``RecordingError`` where the file or the socket of `control` cannot be made, a member cannot be
  ///   left out, or the store is a part of another one.
  public func record(
    to url: URL,
    redacting redactions: [Redaction<State, Action>] = [],
    clock: any Clock<Duration> = ContinuousClock(),
    date: Date = Date(),
    control: RecordingControl? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws(RecordingError) -> Recording {
    guard !isPart else {
      throw RecordingError(
        "A store that is a part of another one cannot be recorded. Record the store that it was "
          + "scoped from.")
    }
    return try StoreRecorder.begin(
      "Store", in: withState { $0 }, at: position, to: url, redacting: redactions, clock: clock,
      date: date, control: control, from: SourcePosition(fileID, filePath, line, column),
      observe: observe
    ) { [weak self] in await self?.ask($0) }
  }
}

extension StoreActor {
  /// Records everything that the store does, as
  /// ``Rondo/Store/record(to:redacting:clock:date:control:fileID:filePath:line:column:)`` does.
  ///
  /// - Parameters:
  ///   - url: The file, which is made or replaced. Only the user of the process may read it.
  ///   - redactions: Members that are left out, besides those that are `@Redacted`.
  ///   - clock: The clock that the times in the recording are read from.
  ///   - date: The date of the beginning.
  ///   - control: The permission for tools to act on the program meanwhile; `nil` for none.
  /// - Returns: The recording, which ends when it is released.
  /// - Throws: A ``RecordingError`` where the file or the socket of `control` cannot be made, or a member cannot
  ///   be left out.
  public func record(
    to url: URL,
    redacting redactions: [Redaction<State, Action>] = [],
    clock: any Clock<Duration> = ContinuousClock(),
    date: Date = Date(),
    control: RecordingControl? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws(RecordingError) -> Recording {
    try StoreRecorder.begin(
      "StoreActor", in: state, at: position, to: url, redacting: redactions, clock: clock,
      date: date, control: control, from: SourcePosition(fileID, filePath, line, column),
      observe: observe
    ) { [weak self] in await self?.ask($0) }
  }
}
