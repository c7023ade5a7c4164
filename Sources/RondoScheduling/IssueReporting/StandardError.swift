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
    surviveBrokenPipe { writeAll(Array(text.utf8)) }
  }

  private static func writeAll(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeSome($0) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }

  private static func writeSome(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    #elseif canImport(Android)
      Android.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    #endif
  }
}
