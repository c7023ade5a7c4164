// A loop of a program's own, on `poll`, as Documentation/Toolkits.md shows it.

import Glibc
import RondoScheduling

/// Serves the main actor and hands on what can be read from a descriptor, to the end of its input.
func runLoop(reading input: Int32, _ receive: ([UInt8]) -> Void) {
  var sources = [MainQueue.fileDescriptor, input]
    .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  var buffer = [UInt8](repeating: 0, count: 4096)
  while poll(&sources, 2, -1) > 0 || errno == EINTR {
    MainQueue.runPending()
    guard sources[1].revents != 0 else { continue }
    let count = read(input, &buffer, buffer.count)
    guard count > 0 else { break }
    receive(Array(buffer[..<count]))
  }
}
