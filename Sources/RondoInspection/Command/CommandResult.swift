// The result of a command, and where it is written.

import Foundation
import RondoHistory
import RondoScheduling

/// The end of a command: its output, its status, and a line about what went wrong.
package struct CommandResult: Equatable, Sendable {
  package var status: ExitStatus
  package var output = ""
  package var problem: String?

  package init(status: ExitStatus, output: String = "", problem: String? = nil) {
    self.status = status
    self.output = output
    self.problem = problem
  }

  /// Writes the output and the problem to the streams of the process.
  ///
  /// - Returns: The exit status of the process.
  package func write() -> Int32 {
    var status = status.rawValue
    if let reason = output.write(to: STDOUT_FILENO) {
      _ = "rondo: the output cannot be written: \(reason)\n".write(to: STDERR_FILENO)
      status = ExitStatus.io.rawValue
    }
    if let problem { _ = "rondo: \(problem.onOneLine)\n".write(to: STDERR_FILENO) }
    return status
  }
}

extension String {
  /// Writes the text to a descriptor.
  ///
  /// - Returns: The reason why that is not possible. It is no failure if the reader has gone, as in
  ///   `… | head -1`.
  fileprivate func write(to descriptor: Int32) -> String? {
    // Both would end the program before it could say why.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    guard let error = writeAll(Array(utf8), to: descriptor), error != EPIPE else { return nil }
    return String(cString: strerror(error))
  }
}

/// The permissions of a new file that is made from recordings: others may read it where they may read all of
/// those.
///
/// - Parameter paths: The paths of the recordings; `-` is the standard input.
func mode(ofFileMadeFrom paths: [String]) -> mode_t {
  let common = paths.reduce(mode_t(0o644)) { mode, path in
    var status = stat()
    let isKnown = (path == "-" ? fstat(STDIN_FILENO, &status) : stat(path.pathBytes, &status)) == 0
    return mode & (isKnown ? status.st_mode : 0)
  }
  return common | 0o600
}

/// Writes a file whole or not at all: beside its place first, and then in its place.
///
/// What is there and is no file, such as `/dev/stdout`, is written to as it is.
///
/// - Parameter mode: The permissions of a new file. One that is there keeps its own.
func writeWhole(_ text: String, to path: String, mode: mode_t) throws(CommandFailure) {
  func failure(_ reason: String) -> CommandFailure {
    CommandFailure(.cannotCreate, "\(path) cannot be written: \(reason)")
  }
  var status = stat()
  let isThere = stat(path.pathBytes, &status) == 0
  guard !isThere || status.st_mode & S_IFMT != S_IFDIR else {
    throw failure("it is a folder; name a file in it")
  }
  let isReplaced = !isThere || status.st_mode & S_IFMT == S_IFREG
  // A link stays one, and leads to the new file.
  let place = isThere && isReplaced ? path.resolvedPath : path
  let draft = isReplaced ? "\(place).\(getpid()).part" : path
  // To wait until somebody reads from a pipe with a name could take forever.
  let isPipe = isThere && status.st_mode & S_IFMT == S_IFIFO
  let flags = O_WRONLY | O_CLOEXEC | (isReplaced ? O_CREAT | O_EXCL : isPipe ? O_NONBLOCK : 0)
  let descriptor = open(draft.pathBytes, flags, isThere ? status.st_mode & 0o777 : mode)
  guard descriptor >= 0 else {
    throw failure(
      isPipe && errno == ENXIO
        ? "nobody reads from this pipe; start what reads from it first"
        : String(cString: strerror(errno)))
  }
  if isPipe { _ = fcntl(descriptor, F_SETFL, 0) }
  // The mask of the process cuts the permissions with which a file is made.
  if isThere, isReplaced { _ = fchmod(descriptor, status.st_mode & 0o777) }
  var problem = text.write(to: descriptor)
  if close(descriptor) != 0, problem == nil { problem = String(cString: strerror(errno)) }
  if problem == nil, isReplaced, rename(draft.pathBytes, place.pathBytes) != 0 {
    problem = String(cString: strerror(errno))
  }
  guard let problem else { return }
  if isReplaced { unlink(draft.pathBytes) }
  throw failure(problem)
}
