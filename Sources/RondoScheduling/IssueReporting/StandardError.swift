// Standard error, for lines that may be lost: a log is no reason to end a program.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Calls a closure that writes to what may be a pipe. A pipe that nobody reads any more would end the
/// process; so this thread takes the signal itself, and the closure learns of it from `EPIPE`.
package func surviveBrokenPipe<Result>(_ body: () -> Result) -> Result {
  var (pipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
  sigemptyset(&pipe)
  sigaddset(&pipe, SIGPIPE)
  sigpending(&pending)
  let wasPending = sigismember(&pending, SIGPIPE) == 1
  pthread_sigmask(SIG_BLOCK, &pipe, &before)
  let result = body()
  sigpending(&pending)
  var number: Int32 = 0
  if !wasPending, sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &number) }
  pthread_sigmask(SIG_SETMASK, &before, nil)
  return result
}

/// Standard error, as a place for lines of a log.
package enum StandardError {
  /// Writes a text in one piece, so that the lines of two threads do not mix. What cannot be written is dropped.
  package static func write(_ text: String) {
    surviveBrokenPipe { _ = writeAll(Array(text.utf8), to: STDERR_FILENO) }
  }
}

/// Writes all of some bytes to a descriptor.
///
/// - Returns: The number of the error that has kept some of them back; `nil` where all were written.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { writeSome($0, to: descriptor) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count == 0 || errno != EINTR {
      return count == 0 ? EIO : errno
    }
  }
  return nil
}

private func writeSome(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
  #if canImport(Darwin)
    Darwin.write(descriptor, bytes.baseAddress, bytes.count)
  #elseif canImport(Musl)
    Musl.write(descriptor, bytes.baseAddress, bytes.count)
  #elseif canImport(Android)
    Android.write(descriptor, bytes.baseAddress, bytes.count)
  #else
    Glibc.write(descriptor, bytes.baseAddress, bytes.count)
  #endif
}
