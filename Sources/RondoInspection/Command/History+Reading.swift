// Recordings as the commands read them: from files, pipes and the standard input.

import Foundation
import RondoHistory
import RondoRecording

extension History {
  /// The largest file that is read, in bytes.
  static let sizeLimit = 1 << 30

  /// Reads the recording in a file.
  init(reading path: String) throws(CommandFailure) {
    guard path != "-" else {
      try self.init(reading: .standardInput)
      return
    }
    let status = try Self.checkFile(path)
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFIFO:
      try self.init(pipe: path)
      return
    case S_IFDIR:
      throw CommandFailure(
        .noInput, "\(path) cannot be read: it is a folder; name a recording in it")
    default:
      throw CommandFailure(.noInput, "\(path) cannot be read: it is no file")
    }
    guard status.st_size <= Self.sizeLimit else { throw Self.isTooLarge(path) }
    let input = try Self.opened(path, O_RDONLY)
    let data: Data
    do {
      data = try input.readToEnd() ?? Data()
    } catch {
      throw CommandFailure(.noInput, "\(path) cannot be read: \(error.localizedDescription)")
    }
    try self.init(data, name: Self.name(path), path: path)
  }

  /// The status of what a path names.
  static func checkFile(_ path: String) throws(CommandFailure) -> stat {
    var status = stat()
    guard stat(path.pathBytes, &status) == 0 else {
      throw CommandFailure(.noInput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    return status
  }

  private static func opened(_ path: String, _ flags: Int32) throws(CommandFailure) -> FileHandle {
    let descriptor = open(path.pathBytes, flags | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(.noInput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private static func name(_ path: String) -> String {
    URL(filePath: path).lastPathComponent.spelledOut
  }

  /// Reads a recording from a pipe with a name. To wait for somebody who opens it could take forever.
  private init(pipe path: String) throws(CommandFailure) {
    let input = try Self.opened(path, O_RDONLY | O_NONBLOCK)
    let descriptor = input.fileDescriptor
    // Without a writer there is nothing to read; with one there is, or a wait for it.
    var start = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &start, start.count)
    guard count != 0 else {
      throw CommandFailure(
        .noInput,
        "\(path) cannot be read: nobody writes to this pipe; start what writes to it first")
    }
    _ = fcntl(descriptor, F_SETFL, 0)
    try self.init(reading: input, behind: Data(start.prefix(max(0, count))), name: path)
  }

  /// Reads a recording from a pipe.
  ///
  /// - Parameter start: The bytes that were read before.
  init(
    reading input: FileHandle, behind start: Data = Data(), name: String = "standard input"
  ) throws(CommandFailure) {
    let data: Data
    do {
      data = try start + (input.read(upToCount: Self.sizeLimit + 1) ?? Data())
    } catch {
      throw CommandFailure(.noInput, "\(name) cannot be read: \(error.localizedDescription)")
    }
    guard data.count <= Self.sizeLimit else { throw Self.isTooLarge(name) }
    try self.init(data, name: Self.name(name), path: name)
  }

  private init(_ data: Data, name: String, path: String) throws(CommandFailure) {
    do throws(RecordingError) {
      self.init(try RecordingFile(data), name: name)
    } catch {
      throw CommandFailure(.data, "\(path): \(error.description)")
    }
  }

  private static func isTooLarge(_ name: String) -> CommandFailure {
    CommandFailure(
      .data, "\(name) has more than \(sizeLimit >> 20) MB; make a shorter recording")
  }
}
